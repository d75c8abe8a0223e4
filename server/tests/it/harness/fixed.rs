//! Values that are fixed in the service: fields of its configuration without a flag, which tests may change.

use config::Serve;

/// The name of a field, and how to set it.
type Field = (&'static str, fn(&mut Serve, u64));

macro_rules! fields {
    ($($name:ident in $($group:ident).+,)+) => {
        &[
            // It holds an option: without a value the number follows from the processors.
            ("heavy_reads", |config, value| config.limits.heavy_reads = Some(value.try_into().unwrap())),
            $((stringify!($name), |config, value| config.$($group).+.$name = value.try_into().unwrap()),)+
        ]
    };
}

const FIELDS: &[Field] = fields! {
    concurrent_vcs_calls in access.limits,
    concurrent_vcs_calls_per_address in access.limits,
    failed_vcs_checks in access.limits,
    max_branches_bytes in access.limits,
    max_vcs_answer_bytes in access.limits,
    oidc_clock_skew_seconds in access.limits,
    oidc_keys_seconds in access.limits,
    vcs_accepted_seconds in access.limits,
    vcs_call_seconds in access.limits,
    vcs_changes_seconds in access.limits,
    vcs_queue_seconds in access.limits,
    early_body_seconds in limits,
    foreign_wait_seconds in limits,
    heavy_read_wait_seconds in limits,
    max_compression_ratio in limits,
    max_entries in limits,
    max_file_bytes in limits,
    max_streams in limits,
    max_upload_seconds in limits,
    max_upload_share in limits,
    max_window_bytes in limits,
    min_read_bytes_per_second in limits,
    min_upload_bytes_per_second in limits,
    request_head_seconds in limits,
    reserved_connections in limits,
    response_stall_seconds in limits,
    upload_idle_seconds in limits,
    upload_start_seconds in limits,
    upload_wait_seconds in limits,
    waiting_uploads in limits,
    max_report_depth in limits.report,
    max_report_token_bytes in limits.report,
    metrics_cache_seconds in operations,
    storage_cache_seconds in operations,
};

/// Pairs of a field's name and its value.
type Changes<'a> = Vec<(&'a str, &'a str)>;

/// Separates changes of fixed values, such as `max_streams 20`, from flags and their values.
pub fn separate<'a>(arguments: &[&'a str]) -> (Vec<&'a str>, Changes<'a>) {
    let (mut flags, mut changes) = (Vec::new(), Vec::new());
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        if FIELDS.iter().any(|(name, _)| *name == argument) {
            changes.push((argument, arguments.next().expect("the value of a field")));
        } else {
            flags.push(argument);
        }
    }
    (flags, changes)
}

/// Changes fixed values of a configuration.
pub fn change(config: &mut Serve, changes: &[(&str, &str)]) {
    for (name, value) in changes {
        let (_, set) = FIELDS.iter().find(|(other, _)| other == name).unwrap();
        set(config, value.parse().unwrap());
    }
}
