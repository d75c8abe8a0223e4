//! The coverage of main branches as gauges, read at a request and cached for some seconds.

use super::{gauge, gauges, written};
use config::Operations;
use domain::text::chain;
use prometheus_client::{collector::Collector, encoding::DescriptorEncoder};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{CurrentCoverage, MainCoverage, OwnerLines, Store, StoreError};
use tokio::{sync::Mutex, time::timeout};

/// How long the database may take. The other metrics must not wait longer for it.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Reads the coverage from the database and caches it.
#[derive(Debug)]
pub(super) struct Coverage {
    store: Store,
    most: u32,
    most_owners: u32,
    lasting: Duration,
    /// Held during the query, so that concurrent scrapers cause only one.
    kept: Mutex<Option<(Instant, Arc<str>)>>,
}

impl Coverage {
    pub(super) fn new(operations: &Operations, store: Store) -> Self {
        Self {
            store,
            most: operations.metrics_repositories,
            most_owners: operations.metrics_owners,
            lasting: Duration::from_secs(operations.metrics_cache_seconds),
            kept: Mutex::default(),
        }
    }

    pub(super) async fn text(&self) -> Result<Arc<str>, fmt::Error> {
        let mut kept = self.kept.lock().await;
        if let Some((since, text)) = &*kept
            && since.elapsed() < self.lasting
        {
            return Ok(text.clone());
        }
        let text: Arc<str> = written(Answer(self.query().await))?.into();
        *kept = Some((Instant::now(), text.clone()));
        Ok(text)
    }

    /// Returns `None` if the database does not answer. If only the owners take too long, they alone are missing.
    async fn query(&self) -> Option<Read> {
        let operator = self.store.operator();
        Some(Read {
            main: answered("coverage", operator.main_coverage(self.most)).await?,
            owners: match self.most_owners {
                0 => None,
                most => answered("owners", operator.owner_lines(most)).await,
            },
        })
    }
}

/// `None` if the database does not answer in time.
async fn answered<T>(what: &str, read: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
    match timeout(TIMEOUT, read).await {
        Ok(Ok(read)) => Some(read),
        Ok(Err(error)) => {
            tracing::warn!(cause = chain(&error), "metrics lack the {what}");
            None
        }
        Err(_) => {
            tracing::warn!("metrics lack the {what}: the database is slow");
            None
        }
    }
}

#[derive(Debug)]
struct Read {
    main: MainCoverage,
    /// The owners, and how many are left out; `None` if no owner is shown.
    owners: Option<(Vec<OwnerLines>, i64)>,
}

/// A count of a row, if it has one.
type Counted = fn(&CurrentCoverage) -> Option<i64>;

#[derive(Debug)]
struct Answer(Option<Read>);

impl Collector for Answer {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let encoder = &mut encoder;
        let about = "Whether the database answered the query for these metrics.";
        gauge(encoder, "database_up", about, i64::from(self.0.is_some()))?;
        let Some(Read { main, owners }) = &self.0 else {
            return Ok(());
        };
        if let Some(owners) = owners {
            encode_owners(encoder, owners)?;
        }
        let name = "coverage_repositories_left_out";
        let about = "Repositories, counted once for each language, without coverage metrics.";
        gauge(encoder, name, about, main.left_out)?;
        let all = &main.shown;
        let counts: [(_, _, Counted); 6] = [
            (
                "coverage_lines_covered",
                "Lines that tests of the main branch cover.",
                |row| row.lines_covered,
            ),
            (
                "coverage_lines_total",
                "Lines of the main branch that tests can cover.",
                |row| row.lines_total,
            ),
            (
                "coverage_branches_covered",
                "Branches that tests of the main branch take.",
                |row| row.branches_covered,
            ),
            (
                "coverage_branches_total",
                "Branches of the main branch that tests can take.",
                |row| row.branches_total,
            ),
            (
                "coverage_functions_covered",
                "Functions that tests of the main branch call.",
                |row| row.functions_covered,
            ),
            (
                "coverage_functions_total",
                "Functions of the main branch that tests can call.",
                |row| row.functions_total,
            ),
        ];
        for (name, about, value) in counts {
            gauges(encoder, name, about, values(all, value))?;
        }
        let name = "coverage_ratio";
        let about = "Coverage of the main branch, from 0 to 1.";
        let ratio = |row: &CurrentCoverage| Some(row.basis_points as f64 / 10_000.0);
        gauges(encoder, name, about, values(all, ratio))?;
        let name = "coverage_last_upload_timestamp_seconds";
        let about = "Time of the last upload of the main branch, in seconds since 1970.";
        let seconds = |row: &CurrentCoverage| Some(row.updated_at.0 as f64 / 1e6);
        gauges(encoder, name, about, values(all, seconds))
    }
}

fn encode_owners(
    encoder: &mut DescriptorEncoder<'_>,
    (owners, left_out): &(Vec<OwnerLines>, i64),
) -> fmt::Result {
    let values = |value: fn(&OwnerLines) -> i64| {
        let rows = owners.iter();
        rows.map(move |row| {
            let labels = [("org", row.org.as_str()), ("owner", row.owner.as_str())];
            (labels, value(row))
        })
    };
    let about = "Owners, counted once for each org, without metrics.";
    gauge(encoder, "coverage_owners_left_out", about, *left_out)?;
    let name = "coverage_owner_lines_covered";
    let about = "Lines in the files of an owner that tests of the main branches cover.";
    gauges(encoder, name, about, values(|row| row.covered))?;
    let name = "coverage_owner_lines_total";
    let about = "Lines in the files of an owner that tests can cover.";
    gauges(encoder, name, about, values(|row| row.total))
}

/// The values of the rows that have one, with their labels.
fn values<Value>(
    rows: &[CurrentCoverage],
    value: impl Fn(&CurrentCoverage) -> Option<Value>,
) -> impl Iterator<Item = ([(&'static str, &str); 3], Value)> {
    rows.iter().filter_map(move |row| {
        let labels = [
            ("org", row.org.as_str()),
            ("repo", row.repo.as_str()),
            ("language", row.language.as_str()),
        ];
        Some((labels, value(row)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    fn row(repo: &str, lines: Option<i64>) -> CurrentCoverage {
        CurrentCoverage {
            org: "acme".to_owned(),
            repo: repo.to_owned(),
            language: "c++".to_owned(),
            basis_points: 9_999,
            lines_covered: lines,
            lines_total: lines,
            branches_covered: None,
            branches_total: None,
            functions_covered: None,
            functions_total: None,
            updated_at: Timestamp(1_500_000),
        }
    }

    fn of(shown: Vec<CurrentCoverage>) -> String {
        let read = Read {
            main: MainCoverage { shown, left_out: 3 },
            owners: None,
        };
        written(Answer(Some(read))).expect("a text")
    }

    #[test]
    fn a_label_value_is_escaped_as_the_format_requires() {
        let text = of(vec![row("a\"b\\c\nd", None)]);
        let labels = r#"org="acme",repo="a\"b\\c\nd",language="c++""#;
        assert!(
            text.contains(&format!("\ncoverage_ratio{{{labels}}} 0.9999\n")),
            "{text}"
        );
    }

    #[test]
    fn counts_missing_in_a_coverage_file_are_left_out() {
        let text = of(vec![row("a", None), row("b", Some(7))]);
        let lines = text
            .lines()
            .filter(|line| line.starts_with("coverage_lines_total{"));
        assert_eq!(lines.count(), 1);
        assert!(text.contains("coverage_repositories_left_out 3\n"));
    }

    #[test]
    fn only_the_failure_is_reported_if_the_database_is_down() {
        let text = written(Answer(None)).expect("a text");
        assert!(text.ends_with("database_up 0\n"), "{text}");
    }
}
