//! The settings of the service, and their environment variables.

pub mod access;
mod allowed_hosts;
mod durations;
mod limits;
pub mod notifications;
mod operations;
pub mod optional;
mod percentage;
mod reports_origin;
mod retention;

pub use access::Access;
pub use allowed_hosts::AllowedHosts;
pub use domain::RetentionRules as Rules;
pub use durations::{PartsTimeout, ReportGrace};
pub use limits::{Limits, ReportLimits};
pub use notifications::Notifications;
pub use operations::Operations;
pub use optional::Optional;
pub use reports_origin::{Origin, OriginError};
pub use retention::{Bound, Retention, RetentionError};

use chrono::NaiveTime;
use clap::Args;
use domain::{Percentage, Scale, SettingGroup};
use objects::{AwsVariables, ReportsUrl};
use std::{fmt, net::SocketAddr, path::PathBuf};
use store::DEFAULT_CONNECTIONS;

/// The settings of the service.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// The address to listen on; port 0 takes any free one.
    #[arg(long, env = "COVERAGE_ADDR", default_value = "127.0.0.1:3000")]
    pub addr: SocketAddr,

    /// The address of this service for people and CI jobs [default: http://{addr}].
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<String>,

    /// The database: sqlite://path/to/coverage.db (created when missing), or postgres://user:password@host/database (must
    /// exist).
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,

    /// Where HTML reports are stored: a folder (created when missing), or s3://bucket/prefix, configured by AWS_ variables.
    #[arg(long, env = "REPORTS_URL", default_value = "public/reports")]
    pub reports_url: ReportsUrl,

    /// Who may upload and who may read.
    #[command(flatten)]
    pub access: Access,

    /// Accepted host names besides the hosts of --public-url and --reports-origin, such as coverage.example.com,coverage.
    /// Requests for other hosts are refused, except health checks [default: any host].
    #[arg(long, env = "ALLOWED_HOSTS", default_value = "")]
    pub allowed_hosts: AllowedHosts,

    /// A separate origin for HTML reports, such as https://reports.example.com. It must lead to this server too.
    #[arg(long, env = "REPORTS_ORIGIN")]
    pub reports_origin: Option<String>,

    /// The percentages from which badges are yellow-green and green, such as 80,90 [default: 20 points below the target,
    /// and the target].
    #[arg(long, env = "BADGE_THRESHOLDS", default_value = "")]
    pub badge_thresholds: Optional<Scale>,

    /// The target percentage: colours follow it, pages mark repositories below it, and charts draw it as a line.
    #[arg(long, env = "COVERAGE_TARGET", default_value = "80", value_parser = <Percentage as optional::Setting>::read)]
    pub target: Percentage,

    /// The format of log lines.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    pub log_format: LogFormat,

    /// The largest number of connections to the database.
    #[arg(
        long,
        env = "DATABASE_CONNECTIONS",
        default_value_t = DEFAULT_CONNECTIONS,
        value_parser = clap::value_parser!(u32).range(2..=1000)
    )]
    pub database_connections: u32,

    /// A standby of the PostgreSQL database, from which heavy pages and lists are read while it has everything that was written
    /// [default: none].
    #[arg(long, env = "DATABASE_READ_URL")]
    pub database_read_url: Option<String>,

    /// The folder for temporary files of uploads [default: .incoming in the folder of HTML reports; with a bucket, the system's
    /// temporary folder].
    #[arg(long, env = "SCRATCH_FOLDER")]
    pub scratch_folder: Option<PathBuf>,

    /// The folder of the built site [default: target/site, else `site` beside the binary].
    #[arg(long, env = "LEPTOS_SITE_ROOT")]
    pub site_root: Option<PathBuf>,

    /// How to connect to the bucket.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,

    /// How long HTML reports are kept.
    #[command(flatten)]
    pub retention: Retention,

    /// The time of day, in UTC, at which the service removes the HTML reports that the retention rules do not keep, such as
    /// 03:00. Without it only `coverage-dashboard prune` removes them [default: none].
    #[arg(long, env = "PRUNE_AT", default_value = "")]
    pub prune_at: Optional<NaiveTime>,

    /// Days after the last upload of a record for which its lines are kept, or `forever`. Lines of main branches are always kept.
    #[arg(long, env = "KEEP_LINES_DAYS", default_value = "90")]
    pub keep_lines_days: Optional<Bound>,

    /// Whether uploads may bring the text of source files. All readers of a record can read its text. The default is refuse
    /// because reading is open by default.
    #[arg(long, env = "SOURCES", value_enum, default_value_t)]
    pub sources: SourceText,

    /// How long a record waits for expected parts after the last one has arrived, such as 60min. Then it counts as complete.
    #[arg(long, env = "PARTS_TIMEOUT", default_value = PartsTimeout::DEFAULT)]
    pub parts_timeout: PartsTimeout,

    /// The grace period of replaced and pruned HTML reports, such as 7d or 12h. An older copy of the database still needs
    /// them. 0 removes them at once.
    #[arg(long, env = "REPORT_GRACE", default_value = "7d")]
    pub report_grace: ReportGrace,

    /// Who is notified of what.
    #[command(flatten)]
    pub notifications: Notifications,

    /// Metrics and shutdown.
    #[command(flatten)]
    pub operations: Operations,

    /// Limits.
    #[command(flatten)]
    pub limits: Limits,

    /// All settings as the settings page shows them. The command line fills them in.
    #[arg(skip)]
    pub shown: Vec<SettingGroup>,
}

/// Whether the text of source files is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SourceText {
    /// The text is kept as long as the lines of its record.
    Accept,
    /// It is ignored, and the answer says so.
    #[default]
    Refuse,
}

/// The format of log lines. `RUST_LOG` chooses which lines are written.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// One readable line each.
    #[default]
    Text,
    /// One JSON object each.
    Json,
}

impl Serve {
    /// The percentages at which badges change colour: as on pages, unless the operator has set others.
    pub fn badge_scale(&self) -> Scale {
        let of_target = || Scale::of_target(self.target);
        self.badge_thresholds.0.unwrap_or_else(of_target)
    }

    /// Whether PUBLIC_URL is set.
    pub fn has_public_url(&self) -> bool {
        stated(&self.public_url).is_some()
    }

    /// The folder of the built site.
    pub fn site_root(&self) -> PathBuf {
        let beside_the_binary = || Some(std::env::current_exe().ok()?.parent()?.join("site"));
        let built = PathBuf::from("target/site");
        match &self.site_root {
            Some(root) => root.clone(),
            None if built.is_dir() => built,
            None => beside_the_binary()
                .filter(|site| site.is_dir())
                .unwrap_or(built),
        }
    }

    /// The origin of HTML reports, if REPORTS_ORIGIN is set.
    ///
    /// # Errors
    ///
    /// If it is no origin, or has the host and port of the dashboard at `public_url`.
    pub fn reports_origin(&self, public_url: &str) -> Result<Option<Origin>, OriginError> {
        let origin = stated(&self.reports_origin);
        origin
            .map(|origin| Origin::for_reports(origin, public_url))
            .transpose()
    }

    /// The address of the service for people, without a trailing `/`. `listening` is the default.
    pub fn public_url(&self, listening: SocketAddr) -> String {
        match stated(&self.public_url) {
            None => format!("http://{listening}"),
            Some(url) => url.trim_end_matches('/').to_owned(),
        }
    }
}

/// The text of a setting. An empty one counts as missing, since compose files set empty variables.
fn stated(text: &Option<String>) -> Option<&str> {
    let text = text.as_deref().map(str::trim);
    text.filter(|text| !text.is_empty())
}

/// A text that is never printed. Surrounding white space is removed, as files and variables end with a newline.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for comparing.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl optional::Setting for Secret {
    fn read(text: &str) -> Result<Self, String> {
        Ok(Self::from(text))
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.trim().to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Splits a list at its commas. Empty items do not count.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}
