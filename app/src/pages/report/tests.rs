use super::{super::views::tests::counts, *};
use crate::{
    pages::org::tests::{history, part, series, text},
    testing::{FakeModel, render},
};
use domain::{
    Count, OrgHistory, OrgOwners, OwnedRepository, OwnerRow, Period, RecordsInPeriod,
    ReportSources, RepositoryGate, Timestamp, ViewCounts,
};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

/// A report over one repository with an owner and one without.
fn report() -> PeriodReport {
    let to = Day::of(NOW);
    let period = Period {
        from: to.days_before(6),
        to,
    };
    let repository = |name: &str| name.parse().expect("a repository");
    let moved = ViewCounts {
        before: Some(Count {
            covered: 4,
            total: 4,
        }),
        ..counts(1, 1, 4)
    };
    let owners = OrgOwners {
        owners: vec![OwnerRow {
            owner: ViewName::Owner("@acme/<b>".to_owned()),
            counts: moved,
            repositories: vec![(repository("acme/api"), moved)],
        }],
        by_repository: [("acme/api", Some(moved)), ("acme/web", None)]
            .map(|(name, counts)| OwnedRepository {
                repository: repository(name),
                has_owners: counts.is_some(),
                is_new: false,
                counts,
            })
            .into(),
        ..OrgOwners::empty(NOW)
    };
    let history = OrgHistory {
        org: "acme".parse().ok(),
        now: NOW,
        first: period.from,
        period: None,
        interval: domain::Interval::DAY,
        series: Vec::new(),
        new_code: None,
        sums: None,
        is_cut: false,
    };
    let gate = RepositoryGate {
        repository: repository("acme/web"),
        failed: 2,
        judged: 3,
    };
    let parts = ReportSources {
        period,
        history,
        owners: Some(owners),
        records: vec![RecordsInPeriod { records: 5, gate }],
    };
    PeriodReport::of(parts, None).expect("a report")
}

async fn page(found: Option<PeriodReport>, path: &str) -> (u16, String) {
    let model = FakeModel {
        report: Some(found),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn a_report_names_owners_and_what_is_unknown() {
    let (status, html) = page(Some(report()), "/report?org_name=acme").await;
    assert_eq!(status, 200);
    for expected in [
        "In the last 7 days, the coverage of acme is not known.",
        "3 of 5 records had a gate: 2 failed, all in web.",
        "5 records of all branches",
        "unknown in 1 repository",
        "href=\"/report?org_name=acme&amp;owner=%40acme%2F%3Cb%3E&amp;from=2026-11-03&amp;to=2026-11-09\"",
        "@acme/&lt;b&gt;",
        "Without CODEOWNERS",
        "title=\"unknown\"",
        "Every repository had an upload",
        "aria-current=\"true\">Last 7 days",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn an_unknown_org_or_owner_is_not_found() {
    for path in ["/report", "/report?org_name=acme&owner=nobody"] {
        let (status, html) = page(None, path).await;
        assert_eq!(status, 404, "{html}");
    }
}

#[tokio::test]
async fn a_period_before_the_first_record_has_no_silence() {
    let mut empty = report();
    empty.owners.rows.clear();
    empty.repositories.rows.clear();
    let (_, html) = page(Some(empty), "/report?org_name=acme").await;
    assert!(!html.contains("Every repository had an upload"), "{html}");
    assert_eq!(html.matches("No repository had a record").count(), 1);
    assert!(!html.contains("nothing to compare with"), "{html}");
}

/// A small repository from the beginning, two large ones since the fifth day, and a new one.
fn growing() -> PeriodReport {
    let history = history(
        Some("acme"),
        vec![
            series("acme/small", &[(0, 8_000, Some(100))]),
            series(
                "acme/a",
                &[(5, 8_000, Some(1_000)), (20, 8_200, Some(1_000))],
            ),
            series("acme/b", &[(5, 9_000, Some(1_000))]),
            series("acme/new", &[(25, 1_000, Some(500))]),
        ],
    );
    let days = history.period.expect("a period");
    let parts = ReportSources {
        period: Period {
            from: domain::Day(days.from.0 + 1),
            ..days
        },
        history,
        owners: None,
        records: Vec::new(),
    };
    PeriodReport::of(parts, None).expect("a report")
}

#[tokio::test]
async fn a_change_begins_when_half_of_the_repositories_had_a_record() {
    let report = growing();
    assert_eq!(report.ends.change, None, "100 of 2,600 lines are too few");
    let (_, html) = page(Some(report), "/report?org_name=acme").await;
    let summary = text(part(&html, "summary"));
    for shown in [
        "the coverage of acme rose from 84.76 to 85.71\u{202f}% (+0.95), over the same 3 repositories since 27 Oct 2026.",
        "All 4 repositories now: 71.15\u{202f}%.",
        "Largest effects in points: a +0.95.",
        "new is new since 16 Nov 2026.",
        ": 2 repositories have no earlier record.",
    ] {
        assert!(html.contains(shown), "{shown} is not in {summary}");
    }
    let moved = text(part(&html, "movements"));
    for shown in [
        "The same 3 repositories since 27 Oct 2026",
        "first record on 16 Nov 2026",
    ] {
        assert!(moved.contains(shown), "{shown} is not in {moved}");
    }
    for line in [
        "all 4 repositories",
        "the same 3 repositories since 27 Oct 2026",
    ] {
        assert!(html.contains(&format!("<bdi>{line}</bdi>")), "{html}");
    }
}
