//! The pages of a record and of a comparison for the files of a view, and by a metric.

use super::views::{ONE, TWO, two_records};
use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::json;

async fn not_found(server: &TestServer, path: &str) -> String {
    let answer = server.get(path).await;
    assert_eq!(answer.status(), 404, "{path}");
    answer.text().await.expect("a page")
}

#[tokio::test]
async fn the_page_of_a_record_counts_only_the_files_of_a_view() {
    let server = TestServer::start().await;
    two_records(&server).await;
    for (view, whole) in [
        ("owner%3A%40ACME%2Fcore", "folder:src"),
        ("folder%3Asrc", "owner:@acme/core"),
    ] {
        let page = server
            .get_text(&format!("/records/2?view={view}&as=flat"))
            .await;
        // Two of six lines ran in the first record, four of eight in the second.
        for shown in [
            "50.00<small>",
            "4 of 8 lines covered",
            "+16.67",
            "with 33.33 % in this view",
            "The whole record: 55.56 %, 5 of 9 lines covered.",
            "New code since",
            "1 of 2 changed lines are covered: 50.00 %.",
            "src/fee.c",
            "src/pay/b.c",
            "3 files",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(!page.contains("main.c"), "{whole}: {page}");
    }
    let none = server.get_text("/records/2?view=owner:none").await;
    let shown = ["100.00<small>", "No coverable line changed.", "1 file"];
    assert!(shown.iter().all(|shown| none.contains(shown)), "{none}");
    // The base has no files in this view, so there is no change of it.
    let new = server.get_text("/records/2?view=folder:src/pay").await;
    let shown = ["50.00<small>", "has no lines in this view"];
    assert!(shown.iter().all(|shown| new.contains(shown)), "{new}");
    assert!(!new.contains("Why the coverage changed"), "{new}");
}

#[tokio::test]
async fn a_view_without_files_in_the_record_is_a_page_that_is_not_found() {
    let server = TestServer::start().await;
    two_records(&server).await;
    for view in [
        "view:nothing",
        "view:empty",
        "folder:lib",
        "owner:@acme/nobody",
    ] {
        let sentence = format!("The main branch defines no {view}, none of its files was measured");
        for path in ["/records/2?", "/compare?base=1&head=2&"] {
            let page = not_found(&server, &format!("{path}view={view}")).await;
            assert!(page.contains(&sentence), "{page}");
        }
    }
    let page = not_found(&server, "/records/9?view=folder:src").await;
    assert!(page.contains("There is no record 9."), "{page}");
    // An address that names no view is as one without a view.
    server.get_text("/records/2?view=nonsense").await;
    server.get_text("/compare?view=view:nothing").await;
}

#[tokio::test]
async fn a_comparison_counts_only_the_files_of_a_view() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let page = server
        .get_text("/compare?base=1&head=2&view=view:api")
        .await;
    for shown in [
        "+16.67",
        "from 50.00",
        "66.67",
        "in view:api",
        "src/fee.c",
        "src/pay/b.c",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    // A folder that only one of both has is compared with nothing.
    let page = server
        .get_text("/compare?base=1&head=2&view=folder:src/pay")
        .await;
    let sentence = "The base has no lines in this view.";
    assert!(page.contains(sentence), "{page}");
    assert!(!page.contains("Why the coverage changed"), "{page}");
}

/// A file with one line and two branches; `None` names no branch.
fn branches(path: &str, taken: Option<[u8; 2]>) -> String {
    let named = taken.map(|[one, other]| format!("BRDA:1,0,0,{one}\nBRDA:1,0,1,{other}\n"));
    format!(
        "SF:{path}\nDA:1,1\n{}end_of_record\n",
        named.unwrap_or_default()
    )
}

fn lcov(commit: &str, files: &[String]) -> Upload {
    let archive = Archive::new().file("coverage.xml", files.concat()).tar_gz();
    Upload::of(archive).with("commit_hash", commit)
}

#[tokio::test]
async fn a_comparison_by_branches_never_counts_an_unknown_number_as_zero() {
    let server = TestServer::start().await;
    let first = [
        branches("a.c", Some([1, 0])),
        branches("b.c", None),
        branches("lib/c.c", Some([1, 1])),
    ];
    lcov(ONE, &first).accepted(&server).await;
    let second = [
        branches("a.c", Some([0, 0])),
        branches("b.c", None),
        branches("lib/c.c", Some([1, 1])),
    ];
    lcov(TWO, &second).accepted(&server).await;
    let page = server
        .get_text("/compare?base=1&head=2&metric=branches")
        .await;
    for shown in ["−25.00", "from 75.00", "50.00", "1/2 → 0/2"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("source?path=b.c"), "{page}");
    let of_view = "/compare?base=1&head=2&metric=branches&view=folder:lib";
    let page = server.get_text(of_view).await;
    assert!(page.contains("from 100.00"), "{page}");
    // Lines were all hit.
    let page = server.get_text("/compare?base=1&head=2&metric=new").await;
    assert!(page.contains("percentage points, from 100.00"), "{page}");
    let functions = server
        .get_text("/compare?base=1&head=2&metric=functions")
        .await;
    let why = "The functions of the base are not known: the coverage file does not state the number of functions.";
    assert!(functions.contains(why), "{functions}");
    let summary = server.get_json("/coverages-api/records/2").await;
    assert_eq!(
        summary["branches"],
        json!({"covered": 2, "total": 4, "percentage": 50.0})
    );
    assert_eq!(summary["no_branches"], json!(null));
    assert_eq!(summary["functions"], json!(null));
    assert_eq!(
        summary["no_functions"],
        "the coverage file does not state the number of functions"
    );
}

#[tokio::test]
async fn branches_that_are_stated_only_in_total_are_unknown_in_a_view() {
    let server = TestServer::start().await;
    for commit in [ONE, TWO] {
        let xml = r#"<coverage branches-covered="3" branches-valid="5" branch-rate="0.6"><packages><package><classes>
               <class filename="src/a.c"><lines><line number="1" hits="1"/></lines></class>
               </classes></package></packages></coverage>"#;
        let archive = Archive::new().file("coverage.xml", xml).tar_gz();
        Upload::of(archive)
            .with("commit_hash", commit)
            .accepted(&server)
            .await;
    }
    let by_branches = "/compare?base=1&head=2&metric=branches";
    let whole = server.get_text(by_branches).await;
    assert!(whole.contains("from 60.00"), "{whole}");
    let of_view = server
        .get_text(&format!("{by_branches}&view=folder:src"))
        .await;
    let why = "The branches of the head are not known: its coverage file does not state them for each file.";
    assert!(of_view.contains(why), "{of_view}");
}

#[tokio::test]
async fn views_lead_to_the_files_of_the_record() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let page = server
        .get_text("/views?repo=acme/payments&kind=owner")
        .await;
    let href = "href=\"/records/2?view=owner%3A%40acme%2Fpayments\"";
    assert!(page.contains(href), "{page}");
    let page = server
        .get_text("/repos/acme/payments?view=owner:@acme/payments")
        .await;
    assert!(page.contains(href), "{page}");
    let record = server
        .get_text("/records/2?view=owner:@acme/payments")
        .await;
    assert!(
        record.contains("/records/2/source?path=src%2Fpay%2Fb.c"),
        "{record}"
    );
}
