use super::*;
use crate::testing::{FakeModel, render};
use domain::{Count, DayPoint, FileSum, NewCount, NewSince, Percentage, Timestamp, ViewCounts};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

pub(crate) fn counts(files: u64, covered: u64, total: u64) -> ViewCounts {
    ViewCounts {
        now: FileSum {
            files,
            lines: Count { covered, total },
        },
        before: Some(Count {
            covered: 1,
            total: 2,
        }),
        new: Some(NewCount {
            lines: Count {
                covered: 1,
                total: 3,
            },
            unknown: 4,
        }),
    }
}

fn views(of: &[&str]) -> Views {
    let views = of
        .iter()
        .map(|view| (view.parse().expect("a view"), counts(3, 3, 4)));
    let views: Vec<(ViewName, ViewCounts)> = views.collect();
    let point = |at, percentage| DayPoint {
        at: Timestamp(NOW.0 - at),
        percentage: Percentage::from_basis_points(percentage),
    };
    let trend = vec![point(9_000_000_000, 5_000), point(0, 7_500)];
    Views {
        branch: "main".parse().expect("a branch"),
        until: NOW,
        under: String::new(),
        from: Timestamp(NOW.0 - 90 * domain::DAY),
        whole: Some(counts(4, 4, 6)),
        other: Some((0, 1)),
        direct: counts(1, 1, 1),
        record: Some(7),
        parents: views.iter().take(1).map(|(view, _)| view.clone()).collect(),
        points: views
            .iter()
            .take(1)
            .map(|(view, _)| (view.clone(), trend.clone()))
            .collect(),
        whole_points: trend,
        direct_points: Vec::new(),
        views,
        since: NewSince::default(),
        notices: vec!["line 3 of <CODEOWNERS> has no owner".to_owned()],
    }
}

async fn page(found: Option<Views>, path: &str) -> (u16, String) {
    let model = FakeModel {
        views: Some(found),
        similar: Some(Vec::new()),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn folders_lead_to_their_folders_and_every_view_to_its_trend() {
    let found = views(&["folder:src", "folder:lib"]);
    let (status, html) = page(Some(found), "/views?repo=acme/payments").await;
    assert_eq!(status, 200);
    for expected in [
        "href=\"/views?repo=acme%2Fpayments&amp;kind=folder&amp;under=src\"",
        "href=\"/repos/acme/payments?view=folder%3Alib\"",
        "Trend of src/",
        "class=\"spark\"",
        "files directly in this folder",
        "the whole repository",
        "+25.00",
        ">33.33\u{202f}%<",
        "new lines in the last 90 days",
        "; 4 more may be new",
        "The coverage files state 1 more lines than their files, 0 of them covered.",
        "line 3 of &lt;CODEOWNERS&gt; has no owner",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn owners_have_no_row_for_files_in_a_folder_and_nothing_is_said() {
    let found = views(&["owner:@acme/<b>", "owner:none"]);
    let (_, html) = page(Some(found), "/views?repo=acme/payments&kind=owner").await;
    for expected in [
        "@acme/&lt;b&gt;",
        "no owner",
        "?view=owner%3Anone",
        "counts in each",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
    assert!(!html.contains("directly in this folder"));
    let mut none = views(&[]);
    none.direct = ViewCounts::default();
    let (status, html) = page(Some(none), "/views?repo=acme/payments&kind=view").await;
    assert_eq!(status, 200);
    assert!(
        html.contains("The settings of the main branch define no views."),
        "{html}"
    );
    for unknown in ["/views?repo=acme/payments", "/views?repo=acme", "/views"] {
        assert_eq!(page(None, unknown).await.0, 404, "{unknown}");
    }
}
