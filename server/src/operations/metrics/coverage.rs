//! The coverage of main branches as gauges, read at a request and cached for some seconds.

use config::Operations;
use domain::text::chain;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeGaugeValue, text::encode_registry},
    metrics::MetricType,
    registry::Registry,
};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{CurrentCoverage, MainCoverage, Store};
use tokio::{sync::Mutex, time::timeout};

/// How long the database may take. The other metrics must not wait longer for it.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Reads the coverage from the database and caches it.
#[derive(Debug)]
pub(super) struct Coverage {
    store: Store,
    most: u32,
    lasting: Duration,
    /// Held during the query, so that concurrent scrapers cause only one.
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    since: Instant,
    text: Arc<str>,
}

impl Coverage {
    pub(super) fn new(operations: &Operations, store: Store) -> Self {
        Self {
            store,
            most: operations.metrics_repositories,
            lasting: Duration::from_secs(operations.metrics_cache_seconds),
            kept: Mutex::default(),
        }
    }

    pub(super) async fn text(&self) -> Result<Arc<str>, fmt::Error> {
        let mut kept = self.kept.lock().await;
        if let Some(kept) = kept
            .as_ref()
            .filter(|kept| kept.since.elapsed() < self.lasting)
        {
            return Ok(kept.text.clone());
        }
        let text: Arc<str> = written(Answer(self.query().await))?.into();
        *kept = Some(Kept {
            since: Instant::now(),
            text: text.clone(),
        });
        Ok(text)
    }

    /// Returns `None` if the database does not answer.
    async fn query(&self) -> Option<MainCoverage> {
        match timeout(TIMEOUT, self.store.operator().main_coverage(self.most)).await {
            Ok(Ok(coverage)) => Some(coverage),
            Ok(Err(error)) => {
                tracing::warn!(cause = chain(&error), "metrics lack the coverage");
                None
            }
            Err(_) => {
                tracing::warn!("metrics lack the coverage: the database is slow");
                None
            }
        }
    }
}

fn written(answer: Answer) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(answer));
    let mut text = String::new();
    encode_registry(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Answer(Option<MainCoverage>);

impl Collector for Answer {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let answers = i64::from(self.0.is_some());
        let about = "Whether the database answered the query for these metrics.";
        encoder
            .encode_descriptor("database_up", about, None, MetricType::Gauge)?
            .encode_gauge(&answers)?;
        let Some(coverage) = &self.0 else {
            return Ok(());
        };
        let about = "Repositories, counted once for each language, without coverage metrics.";
        encoder
            .encode_descriptor(
                "coverage_repositories_left_out",
                about,
                None,
                MetricType::Gauge,
            )?
            .encode_gauge(&coverage.left_out)?;
        let all = &coverage.shown;
        gauges(
            &mut encoder,
            "coverage_lines_covered",
            "Lines that tests of the main branch cover.",
            all,
            |row| row.lines_covered,
        )?;
        gauges(
            &mut encoder,
            "coverage_lines_total",
            "Lines of the main branch that tests can cover.",
            all,
            |row| row.lines_total,
        )?;
        gauges(
            &mut encoder,
            "coverage_ratio",
            "Coverage of the main branch, from 0 to 1.",
            all,
            |row| Some(row.basis_points as f64 / 10_000.0),
        )?;
        gauges(
            &mut encoder,
            "coverage_last_upload_timestamp_seconds",
            "Time of the last upload of the main branch, in seconds since 1970.",
            all,
            |row| Some(row.updated_at.0 as f64 / 1e6),
        )
    }
}

/// Writes a gauge with the value of every row that has it.
fn gauges<N: EncodeGaugeValue>(
    encoder: &mut DescriptorEncoder,
    name: &str,
    about: &str,
    rows: &[CurrentCoverage],
    value: impl Fn(&CurrentCoverage) -> Option<N>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, about, None, MetricType::Gauge)?;
    for row in rows {
        if let Some(value) = value(row) {
            let labels = [
                ("org", row.org.as_str()),
                ("repo", row.repo.as_str()),
                ("language", row.language.as_str()),
            ];
            family.encode_family(&labels)?.encode_gauge(&value)?;
        }
    }
    Ok(())
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
            updated_at: Timestamp(1_500_000),
        }
    }

    fn of(shown: Vec<CurrentCoverage>) -> String {
        let coverage = MainCoverage { shown, left_out: 3 };
        written(Answer(Some(coverage))).expect("a text")
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
