//! The settings of `serve`, and their environment variables.

pub mod access;
mod allowed_hosts;
mod aws_variables;
mod badge;
mod limits;
mod operations;
mod report_grace;
mod report_limits;
mod reports_origin;
mod reports_url;
mod retention;

pub use access::Access;
pub use allowed_hosts::AllowedHosts;
pub use aws_variables::AwsVariables;
pub use badge::BadgeThresholds;
pub use limits::Limits;
pub use operations::{MetricsAddr, Operations};
pub use report_grace::ReportGrace;
pub use report_limits::ReportLimits;
pub use reports_origin::{Origin, OriginError};
pub use reports_url::{BucketUrl, ReportsUrl};
pub use retention::{Bound, PruneAt, Retention, RetentionError, Rules};

use crate::store::DEFAULT_CONNECTIONS;
use clap::Args;
use domain::Percentage;
use std::{fmt, net::SocketAddr, path::PathBuf, time::Duration};

/// How to serve.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// The address to listen on; port 0 takes any free one.
    #[arg(long, env = "COVERAGE_ADDR", default_value = "127.0.0.1:3000")]
    pub addr: SocketAddr,

    /// The database: sqlite://path/to/coverage.db, whose file is made when absent, or postgres://user:password@host/database,
    /// which has to exist.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,

    /// How many connections to the database there are at most.
    #[arg(
        long,
        env = "DATABASE_CONNECTIONS",
        default_value_t = DEFAULT_CONNECTIONS,
        value_parser = clap::value_parser!(u32).range(2..=1000)
    )]
    pub database_connections: u32,

    /// Seconds after which PostgreSQL ends a statement of the service; 0 is no limit. Commands, and bringing the tables up to
    /// date, have none.
    #[arg(long, env = "DATABASE_STATEMENT_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(..=3_600))]
    pub database_statement_seconds: u32,

    /// Where uploaded reports are kept: a folder, made when absent, or s3://bucket/prefix, reached by the AWS_ variables.
    #[arg(long, env = "REPORTS_URL", default_value = "public/reports")]
    pub reports_url: ReportsUrl,

    /// The folder of files that an upload needs for a while [default: beside the reports; with a bucket, the system's].
    #[arg(long, env = "SCRATCH_FOLDER")]
    pub scratch_folder: Option<PathBuf>,

    /// How the bucket of reports is reached.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,

    /// The folder of the built site [default: target/site, else `site` beside the binary].
    #[arg(long, env = "LEPTOS_SITE_ROOT")]
    pub site_root: Option<PathBuf>,

    /// The address that people and CI jobs reach this server by [default: http://{addr}].
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<String>,

    /// The host names by which the service may be reached, such as coverage.example.com,coverage, beside those of
    /// --public-url and --reports-origin; requests for another one are refused, but for questions after its health [default: any].
    #[arg(
        long,
        env = "ALLOWED_HOSTS",
        default_value = "",
        hide_default_value = true
    )]
    pub allowed_hosts: AllowedHosts,

    /// An origin of their own for uploaded reports, such as https://reports.example.com; it has to lead to this server too.
    #[arg(long, env = "REPORTS_ORIGIN")]
    pub reports_origin: Option<String>,

    /// The percentages from which badges are yellow-green and green.
    #[arg(long, env = "BADGE_THRESHOLDS", default_value = "80,90")]
    pub badge_thresholds: BadgeThresholds,

    /// The percentage that repositories should have: pages mark what is below it, and charts draw it as a line.
    #[arg(long, env = "COVERAGE_TARGET", default_value = "80", value_parser = percentage)]
    pub target: Percentage,

    /// Whether log lines are text for people or JSON for machines.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    pub log_format: LogFormat,

    /// How the service is watched, and how it stops.
    #[command(flatten)]
    pub operations: Operations,

    /// How long reports are kept.
    #[command(flatten)]
    pub retention: Retention,

    /// The time of day, in UTC, at which reports go that retention does not keep, such as 03:00; without it they go only by
    /// `coverage-dashboard prune` [default: none].
    #[arg(long, env = "PRUNE_AT", default_value = "", hide_default_value = true)]
    pub prune_at: PruneAt,

    /// How long a report stays in the storage that was replaced by a new upload of its commit, or removed by retention, such as
    /// 7d or 12h: a copy of the database that is older still points to it. 0 removes it at once.
    #[arg(long, env = "REPORT_GRACE", default_value = "7d")]
    pub report_grace: ReportGrace,

    /// Who may upload and who may read.
    #[command(flatten)]
    pub access: Access,

    /// Limits on what is uploaded.
    #[command(flatten)]
    pub limits: Limits,
}

/// A percentage that has to be there.
fn percentage(text: &str) -> Result<Percentage, &'static str> {
    match text.parse() {
        Ok(access::Minimum(Some(percentage))) => Ok(percentage),
        _ => Err("must be a number from 0 to 100 with at most two decimals"),
    }
}

/// The form of log lines; `RUST_LOG` chooses which are written.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// One readable line each.
    #[default]
    Text,
    /// One JSON object each.
    Json,
}

impl Serve {
    /// Whether the operator has said by which address the service is reached.
    pub fn has_public_url(&self) -> bool {
        let url = self.public_url.as_deref().map(str::trim);
        url.is_some_and(|url| !url.is_empty())
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

    /// How long a statement may take, if that is limited.
    pub fn database_statement_timeout(&self) -> Option<Duration> {
        let seconds = u64::from(self.database_statement_seconds);
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }

    /// The origin of uploaded reports, if they have one of their own, given the dashboard's address.
    ///
    /// # Errors
    ///
    /// When it is no origin, or the dashboard's.
    pub fn reports_origin(&self, public_url: &str) -> Result<Option<Origin>, OriginError> {
        match self.reports_origin.as_deref().map(str::trim) {
            None | Some("") => Ok(None),
            Some(origin) => Origin::for_reports(origin, public_url).map(Some),
        }
    }

    /// The address that people reach this server by, without a trailing `/`, given the one it really listens on.
    pub fn public_url(&self, listening: SocketAddr) -> String {
        match self.public_url.as_deref().map(str::trim) {
            None | Some("") => format!("http://{listening}"),
            Some(url) => url.trim_end_matches('/').to_owned(),
        }
    }
}

/// A text that is never printed. White space around it is not part of it: files and variables end with a newline.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for comparing.
    pub fn expose(&self) -> &str {
        &self.0
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
