//! Variables that are no longer settings, so that a start can warn about those that are still set.

use std::{env, ffi::OsString, fmt};

/// A variable that earlier versions read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removed {
    /// Its name.
    pub variable: &'static str,
    now: Now,
}

/// What the service does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    Seconds(u64),
    Bytes(u64),
    Number(u64),
    Percent(u64),
    BytesPerSecond(u64),
    /// Follows from another setting.
    Computed(&'static str),
}

use Now::{Bytes, BytesPerSecond, Computed, Number, Percent, Seconds};

/// All of them.
const REMOVED: [Removed; 36] = [
    removed("CONCURRENT_VCS_CALLS", Number(32)),
    removed("CONCURRENT_VCS_CALLS_PER_ADDRESS", Number(8)),
    removed("DATABASE_STATEMENT_SECONDS", Seconds(30)),
    removed("FAILED_VCS_CHECKS", Number(200)),
    removed(
        "HEAVY_READS",
        Computed("twice the processors, at most half of DATABASE_CONNECTIONS"),
    ),
    removed("HEAVY_READ_WAIT_SECONDS", Seconds(5)),
    removed("LEDGER_ROWS", Number(100_000)),
    removed("MAX_BRANCHES_BYTES", Bytes(256 << 10)),
    removed("MAX_COMPRESSION_RATIO", Number(200)),
    removed("MAX_ENTRIES", Number(200_000)),
    removed("MAX_FILE_BYTES", Bytes(1 << 30)),
    removed("MAX_HEADER_BYTES", Bytes(1 << 20)),
    removed("MAX_PATH_BYTES", Bytes(1 << 10)),
    removed("MAX_REPORT_DEPTH", Number(128)),
    removed("MAX_REPORT_TOKEN_BYTES", Bytes(1 << 20)),
    removed("MAX_STREAMS", Number(100_000)),
    removed("MAX_UPLOAD_SECONDS", Seconds(1_800)),
    removed("MAX_UPLOAD_SHARE", Percent(50)),
    removed("MAX_VCS_ANSWER_BYTES", Bytes(256 << 10)),
    removed("MAX_WINDOW_BYTES", Bytes(16 << 20)),
    removed("METRICS_CACHE_SECONDS", Seconds(5)),
    removed("MIN_READ_BYTES_PER_SECOND", BytesPerSecond(1 << 10)),
    removed("MIN_UPLOAD_BYTES_PER_SECOND", BytesPerSecond(16 << 10)),
    removed("OIDC_CLOCK_SKEW_SECONDS", Seconds(60)),
    removed("OIDC_KEYS_SECONDS", Seconds(3_600)),
    removed("REQUEST_HEAD_SECONDS", Seconds(30)),
    removed("RESERVED_CONNECTIONS", Number(16)),
    removed("RESPONSE_STALL_SECONDS", Seconds(60)),
    removed("UPLOAD_IDLE_SECONDS", Seconds(60)),
    removed("UPLOAD_START_SECONDS", Seconds(30)),
    removed("UPLOAD_WAIT_SECONDS", Seconds(120)),
    removed("VCS_ACCEPTED_SECONDS", Seconds(60)),
    removed("VCS_CALL_SECONDS", Seconds(10)),
    removed("VCS_CONNECT_SECONDS", Seconds(5)),
    removed("VCS_REFUSED_SECONDS", Seconds(30)),
    removed("WAITING_UPLOADS", Number(256)),
];

const fn removed(variable: &'static str, now: Now) -> Removed {
    Removed { variable, now }
}

impl fmt::Display for Now {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Seconds(seconds) => write!(f, "fixed at {seconds} s"),
            Bytes(bytes) if bytes >= 1 << 30 => write!(f, "fixed at {} GiB", bytes >> 30),
            Bytes(bytes) if bytes >= 1 << 20 => write!(f, "fixed at {} MiB", bytes >> 20),
            Bytes(bytes) => write!(f, "fixed at {} KiB", bytes >> 10),
            Number(number) => write!(f, "fixed at {number}"),
            Percent(number) => write!(f, "fixed at {number} %"),
            BytesPerSecond(bytes) => write!(f, "{} per second", Bytes(bytes)),
            Computed(rule) => f.write_str(rule),
        }
    }
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, now } = self;
        write!(
            f,
            "{variable} is no longer a setting and is ignored; the value is now {now}. Remove the variable."
        )
    }
}

/// Those that are set in the environment of this process.
#[expect(
    clippy::disallowed_methods,
    reason = "they are not settings any more, so they are not arguments"
)]
pub fn set_in_this_process() -> Vec<Removed> {
    set_in(|name| env::var_os(name))
}

/// Those that `value_of` knows. An empty value counts as missing, since compose files set empty variables.
fn set_in(value_of: impl Fn(&str) -> Option<OsString>) -> Vec<Removed> {
    let is_set =
        |removed: &&Removed| value_of(removed.variable).is_some_and(|value| !value.is_empty());
    REMOVED.iter().filter(is_set).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{Cli, Command, groups::GROUPS};
    use clap::Parser;

    #[test]
    fn removed_variables_that_are_set_are_named_without_their_values() {
        let set = set_in(|name| match name {
            "VCS_CALL_SECONDS" => Some("4711".into()),
            "MAX_STREAMS" => Some("".into()),
            "MAX_UPLOAD_BYTES" => Some("1".into()),
            _ => None,
        });
        let sentences: Vec<_> = set.iter().map(ToString::to_string).collect();
        let expected = "VCS_CALL_SECONDS is no longer a setting and is ignored; the value is now fixed at 10 s. Remove the variable.";
        assert_eq!(sentences, [expected]);
    }

    #[test]
    fn the_stated_values_are_those_of_the_configuration() {
        let Command::Serve(config) = Cli::parse_from(["coverage-dashboard", "serve"]).command
        else {
            unreachable!("the command is `serve`");
        };
        let config = format!("{config:?}");
        for removed in REMOVED {
            let field = removed.variable.to_lowercase();
            let value = match removed.now {
                Seconds(value)
                | Bytes(value)
                | Number(value)
                | Percent(value)
                | BytesPerSecond(value) => value.to_string(),
                Computed(_) => "None".to_owned(),
            };
            let expected = format!(" {field}: {value},");
            let at_end = format!(" {field}: {value} }}");
            assert!(
                config.contains(&expected) || config.contains(&at_end),
                "{expected} in {config}"
            );
        }
    }

    #[test]
    fn a_removed_variable_is_not_a_setting() {
        for removed in REMOVED {
            let is_setting = GROUPS
                .iter()
                .any(|group| group.variables.contains(&removed.variable));
            assert!(!is_setting, "{removed:?}");
        }
        assert!(REMOVED.is_sorted_by_key(|removed| removed.variable));
    }

    #[test]
    fn sizes_are_stated_in_their_units() {
        let stated = |bytes| Bytes(bytes).to_string();
        assert_eq!(stated(1 << 10), "fixed at 1 KiB");
        assert_eq!(stated(16 << 20), "fixed at 16 MiB");
        assert_eq!(stated(1 << 30), "fixed at 1 GiB");
        assert_eq!(
            BytesPerSecond(1 << 14).to_string(),
            "fixed at 16 KiB per second"
        );
    }
}
