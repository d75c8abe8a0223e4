//! Values that are fixed in the service: fields of its configuration without a flag, which tests may change.

use server::config::Serve;

/// The name of a field, and how to set it.
type Field = (&'static str, fn(&mut Serve, u64));

const FIELDS: &[Field] = &[
    ("concurrent_vcs_calls_per_address", |config, value| {
        config.access.limits.concurrent_vcs_calls_per_address = value.try_into().unwrap();
    }),
    ("failed_vcs_checks", |config, value| {
        config.access.limits.failed_vcs_checks = value.try_into().unwrap();
    }),
    ("heavy_read_wait_seconds", |config, value| {
        config.limits.heavy_read_wait_seconds = value;
    }),
    ("heavy_reads", |config, value| {
        config.limits.heavy_reads = Some(value.try_into().unwrap());
    }),
    ("max_branches_bytes", |config, value| {
        config.access.limits.max_branches_bytes = value.try_into().unwrap();
    }),
    ("max_compression_ratio", |config, value| {
        config.limits.max_compression_ratio = value;
    }),
    ("max_entries", |config, value| {
        config.limits.max_entries = value;
    }),
    ("max_file_bytes", |config, value| {
        config.limits.max_file_bytes = value;
    }),
    ("max_report_depth", |config, value| {
        config.limits.report.max_report_depth = value.try_into().unwrap();
    }),
    ("max_report_token_bytes", |config, value| {
        config.limits.report.max_report_token_bytes = value.try_into().unwrap();
    }),
    ("max_streams", |config, value| {
        config.limits.max_streams = value;
    }),
    ("max_upload_seconds", |config, value| {
        config.limits.max_upload_seconds = value;
    }),
    ("max_upload_share", |config, value| {
        config.limits.max_upload_share = value.try_into().unwrap();
    }),
    ("max_vcs_answer_bytes", |config, value| {
        config.access.limits.max_vcs_answer_bytes = value.try_into().unwrap();
    }),
    ("max_window_bytes", |config, value| {
        config.limits.max_window_bytes = value;
    }),
    ("metrics_cache_seconds", |config, value| {
        config.operations.metrics_cache_seconds = value;
    }),
    ("min_read_bytes_per_second", |config, value| {
        config.limits.min_read_bytes_per_second = value;
    }),
    ("min_upload_bytes_per_second", |config, value| {
        config.limits.min_upload_bytes_per_second = value;
    }),
    ("oidc_clock_skew_seconds", |config, value| {
        config.access.limits.oidc_clock_skew_seconds = value;
    }),
    ("oidc_keys_seconds", |config, value| {
        config.access.limits.oidc_keys_seconds = value;
    }),
    ("request_head_seconds", |config, value| {
        config.limits.request_head_seconds = value;
    }),
    ("reserved_connections", |config, value| {
        config.limits.reserved_connections = value.try_into().unwrap();
    }),
    ("response_stall_seconds", |config, value| {
        config.limits.response_stall_seconds = value;
    }),
    ("upload_idle_seconds", |config, value| {
        config.limits.upload_idle_seconds = value;
    }),
    ("upload_start_seconds", |config, value| {
        config.limits.upload_start_seconds = value;
    }),
    ("upload_wait_seconds", |config, value| {
        config.limits.upload_wait_seconds = value;
    }),
    ("vcs_accepted_seconds", |config, value| {
        config.access.limits.vcs_accepted_seconds = value;
    }),
    ("vcs_call_seconds", |config, value| {
        config.access.limits.vcs_call_seconds = value;
    }),
    ("waiting_uploads", |config, value| {
        config.limits.waiting_uploads = value.try_into().unwrap();
    }),
];

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
