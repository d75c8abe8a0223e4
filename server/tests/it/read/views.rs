//! Views over HTTP: folders, owners and views of the settings, with their counts.

use super::{line_history::with_history, lines::refused};
use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, database_url};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};
use std::time::Duration;
use store::Store;
use tokio::time::sleep;

pub(super) const ONE: &str = "1111111111111111111111111111111111111111";
pub(super) const TWO: &str = "2222222222222222222222222222222222222222";

const OWNERS: &str = "src/ @acme/core\nsrc/pay/ @acme/payments @acme/core\nREADME.md\n";
const SETTINGS: &str = r#"
[views]
api = ["src/**", "!**/gen/**"]
empty = ["nothing/**"]
"#;
const VIEWS: &str = "/coverages-api/views?org_name=acme&repo_name=payments";

fn file(path: &str, hits: &str) -> String {
    let lines = hits.chars().zip(1..);
    let lines = lines.map(|(hits, line)| format!("DA:{line},{hits}\n"));
    format!("SF:{path}\n{}end_of_record\n", lines.collect::<String>())
}

pub(super) fn upload(commit: &str, files: &[(&str, &str)]) -> Upload {
    let lcov: String = files.iter().map(|(path, hits)| file(path, hits)).collect();
    let archive = Archive::new().file("coverage.xml", &lcov).tar_gz();
    Upload::of(archive).with("commit_hash", commit)
}

/// A record of two commits, whose second one adds a file to `src/pay`.
pub(super) async fn two_records(server: &TestServer) {
    let first = [
        ("src/fee.c", "1100"),
        ("src/gen/a.c", "00"),
        ("main.c", "1"),
    ];
    let first = upload(ONE, &first).before("owners", OWNERS.as_bytes());
    first.accepted(server).await;
    with_history(server, 1).await;
    let second = [
        ("src/fee.c", "1110"),
        ("src/gen/a.c", "00"),
        ("src/pay/b.c", "10"),
        ("main.c", "1"),
    ];
    let diff = "diff --git a/src/pay/b.c b/src/pay/b.c\nnew file mode 100644\n--- /dev/null\n+++ b/src/pay/b.c\n@@ -0,0 +1,2 @@\n";
    let second = upload(TWO, &second)
        .with("base_commit", ONE)
        .before("changes", diff.as_bytes())
        .before("owners", OWNERS.as_bytes())
        .before("settings", SETTINGS.as_bytes());
    second.accepted(server).await;
    with_history(server, 2).await;
}

/// The views of an answer: name, covered and all lines, and files.
fn shown(answer: &Value) -> Vec<(String, u64, u64, u64)> {
    let views = answer["views"].as_array().expect("views").iter();
    let number = |value: &Value| value.as_u64().expect("a number");
    let view = |view: &Value| {
        (
            view["view"].as_str().expect("a name").to_owned(),
            number(&view["covered"]),
            number(&view["total"]),
            number(&view["files"]),
        )
    };
    views.map(view).collect()
}

fn views(of: &[(&str, u64, u64, u64)]) -> Vec<(String, u64, u64, u64)> {
    let views = of.iter();
    views
        .map(|(name, covered, total, files)| ((*name).to_owned(), *covered, *total, *files))
        .collect()
}

#[tokio::test]
async fn folders_add_up_to_the_whole_and_owners_count_each_file_for_each() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let folders = server.get_json(&format!("{VIEWS}&kind=folder")).await;
    assert_eq!(shown(&folders), views(&[("folder:src", 4, 8, 3)]));
    let (direct, whole) = (&folders["direct"], &folders["whole"]);
    assert_eq!(
        (&direct["covered"], &direct["total"]),
        (&json!(1), &json!(1))
    );
    assert_eq!((&whole["covered"], &whole["total"]), (&json!(5), &json!(9)));
    assert_eq!(folders["other"], json!({"covered": 0, "total": 0}));
    assert_eq!(whole["percentage"], json!(55.56));
    // Three of seven lines ran in the first record.
    assert_eq!(whole["delta"], json!(12.70));
    assert_eq!(
        whole["new"],
        json!({"covered": 1, "coverable": 2, "percentage": 50.0, "unknown": 7})
    );
    let below = server
        .get_json(&format!("{VIEWS}&kind=folder&under=src"))
        .await;
    let expected = [("folder:src/gen", 0, 2, 1), ("folder:src/pay", 1, 2, 1)];
    assert_eq!(shown(&below), views(&expected));
    assert_eq!(below["direct"]["total"], 4);
    let owners = server.get_json(&format!("{VIEWS}&kind=owner")).await;
    let expected = [
        ("owner:@acme/core", 4, 8, 3),
        ("owner:@acme/payments", 1, 2, 1),
        ("owner:none", 1, 1, 1),
    ];
    assert_eq!(shown(&owners), views(&expected));
    let named = server.get_json(&format!("{VIEWS}&kind=view")).await;
    assert_eq!(
        shown(&named),
        views(&[("view:api", 4, 6, 2), ("view:empty", 0, 0, 0)])
    );
    let all = server.get_json(VIEWS).await;
    assert_eq!(all["views"].as_array().expect("views").len(), 6);
    assert_eq!(all["notices"], json!([]));
    let of_org = server.get_json("/coverages-api/owners?org_name=ACME").await;
    assert_eq!(
        (&of_org["repositories"], &of_org["undefined"]),
        (&json!(1), &json!(0))
    );
    let owner = &of_org["owners"][1];
    assert_eq!(
        (&owner["owner"], &owner["total"]),
        (&json!("@acme/payments"), &json!(2))
    );
    assert_eq!(of_org["whole"]["total"], 9);
    let again = server.get_json("/coverages-api/owners?org_name=acme").await;
    assert_eq!(again, of_org, "from the counts that are kept");
    let found = server.get_json("/coverages-api/search?q=payments").await;
    let expected = json!([{"org_name": "acme", "owner": "@acme/payments"}]);
    assert_eq!(found["owners"], expected);
}

#[tokio::test]
async fn the_tables_of_views_and_owners_are_csv_without_formulas() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let counts = "percentage,change,lines_covered,lines_total,files,new_lines_covered,new_lines_total,new_lines_unknown";
    for (path, expected) in [
        (
            "views.csv?org_name=acme&repo_name=payments&kind=owner",
            format!(
                "view,{counts}\r\nowner:@acme/core,50.00,16.67,4,8,3,1,2,6\r\nowner:@acme/payments,50.00,,1,2,1,1,2,0\r\n\
                 owner:none,100.00,0.00,1,1,1,0,0,1\r\n"
            ),
        ),
        (
            "owners.csv?org_name=acme",
            format!(
                "owner,repositories,{counts}\r\n'@acme/core,1,50.00,16.67,4,8,3,1,2,6\r\n'@acme/payments,1,50.00,,1,2,1,1,2,0\r\n\
                 none,1,100.00,0.00,1,1,1,0,0,1\r\n"
            ),
        ),
    ] {
        let table = server.get_text(&format!("/coverages-api/{path}")).await;
        assert_eq!(table, expected, "{path}");
    }
}

#[tokio::test]
async fn an_owner_of_several_repositories_is_the_same_in_any_case() {
    let server = TestServer::start().await;
    for (repository, owner) in [("payments", "@acme/core"), ("shop", "@ACME/Core")] {
        let owners = format!("* {owner}\n");
        let upload = upload(ONE, &[("a.c", "10")]).before("owners", owners.as_bytes());
        upload.with("repo_name", repository).accepted(&server).await;
    }
    let owners = server.get_json("/coverages-api/owners?org_name=acme").await;
    let rows = owners["owners"].as_array().expect("owners");
    let counts = rows.iter().map(|row| (&row["repositories"], &row["total"]));
    assert_eq!(counts.collect::<Vec<_>>(), [(&json!(2), &json!(4))]);
    let found = server.get_json("/coverages-api/search?q=core").await;
    assert_eq!(found["owners"].as_array().map(Vec::len), Some(1), "{found}");
}

/// A CODEOWNERS file whose rules no file matches, but each file may have the owners of all sections.
fn costly_owners() -> String {
    let digit = |number: u32| char::from_digit(number % 36, 36).expect("a digit");
    let owner = |number: u32| {
        let digits = [number / 1_296, number / 36, number].map(digit);
        format!(" @{}", digits.iter().collect::<String>())
    };
    let owners: String = (0..5_000).map(owner).collect();
    let section = |number: u32| format!("[s{number}]\n/none/{owners}\n");
    (0..110).map(section).collect()
}

#[tokio::test]
async fn a_view_that_is_too_costly_is_refused_by_every_route() {
    let server = TestServer::start().await;
    let owners = costly_owners();
    for (commit, hits) in [(ONE, "10"), (TWO, "11")] {
        let names: Vec<String> = (0..2_000).map(|file| format!("f{file}.c")).collect();
        let files: Vec<_> = names.iter().map(|name| (name.as_str(), hits)).collect();
        let upload = upload(commit, &files).before("owners", owners.as_bytes());
        let upload = upload.before("settings", b"owners_of = \"gitlab\"\n");
        let upload = match commit {
            ONE => upload,
            _ => upload.with("base_commit", ONE).before(
                "changes",
                b"diff --git a/f0.c b/f0.c\n--- a/f0.c\n+++ b/f0.c\n@@ -1 +1 @@\n",
            ),
        };
        upload.accepted(&server).await;
    }
    with_history(&server, 2).await;
    let notices = server.get_json(&format!("{VIEWS}&kind=owner")).await["notices"].to_string();
    assert!(
        notices.contains("takes more than 1000000000 steps"),
        "{notices}"
    );
    for route in [
        "records/2/new?since=record:1",
        "records/2/changes?",
        "records/2/explanation?",
        "cold?org_name=acme&repo_name=payments&language=rust",
        "trend?org_name=acme&repo_name=payments",
    ] {
        let path = format!("/coverages-api/{route}&view=owner:none");
        let expected = (404, json!("no_view"));
        assert_eq!(refused(&server, &path).await, expected, "{path}");
    }
    let of = "org_name=acme&repo_name=payments&view=owner:none";
    // Images have a sentence.
    let badge = server
        .get_json(&format!("/coverages-api/badge.json?{of}"))
        .await;
    assert_eq!(badge["message"], "unknown");
    for image in ["badge", "trend.svg"] {
        let svg = server
            .get_text(&format!("/coverages-api/{image}?{of}"))
            .await;
        let says = ["unknown", "takes too many steps"].map(|text| svg.contains(text));
        assert!(says.contains(&true), "{svg}");
    }
}

#[tokio::test]
async fn a_gate_judges_the_files_of_a_view() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let rules = "[gate.views.\"owner:@acme/payments\"]\nfloor = 60\n[gate.views.\"view:api\"]\nfloor = 60\n\
                 [gate.views.\"view:other\"]\nfloor = 60\n";
    let settings = format!("{SETTINGS}{rules}");
    let third = upload(
        &"3".repeat(40),
        &[("src/pay/b.c", "10"), ("src/fee.c", "11")],
    );
    let third = third.before("owners", OWNERS.as_bytes());
    third
        .before("settings", settings.as_bytes())
        .accepted(&server)
        .await;
    let gate = || async { server.get_json("/coverages-api/records/3").await["gate"].clone() };
    let expected = json!({
        "verdict": "failed",
        "reasons": [
            "owner:@acme/payments: 1 of 2 lines are covered, 60 % needs 2; the base failed too, with 1 of 2"
        ],
        "skipped": ["view:other: the main branch defines no such view, or its lines are not known"],
    });
    assert_eq!(gate().await, expected);
    // Another owner file on the main branch counts at once.
    let owners = "src/fee.c @acme/payments\n";
    let fourth =
        upload(&"4".repeat(40), &[("src/fee.c", "11")]).before("owners", owners.as_bytes());
    fourth
        .before("settings", settings.as_bytes())
        .accepted(&server)
        .await;
    assert_eq!(gate().await["verdict"], "passed");
}

#[tokio::test]
async fn a_trend_counts_a_view_as_it_is_defined_now() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let trend = "/coverages-api/trend?org_name=acme&repo_name=payments&compare=-";
    for (query, expected) in [
        ("view=view:api", json!([[2, 4, 0], [4, 6, 0]])),
        ("view=owner:@ACME/core", json!([[2, 6, 0], [4, 8, 0]])),
        ("view=folder:src/pay", json!([[1, 2, 0]])),
        ("metric=new&since=record:1", json!([[1, 2, 0]])),
        (
            "metric=new&since=record:1&view=folder:src/pay",
            json!([[1, 2, 0]]),
        ),
        ("metric=branches", json!(null)),
    ] {
        let answer = server.get_json(&format!("{trend}&{query}")).await;
        assert_eq!(answer["series"][0]["counted"], expected, "{query}");
        let again = server.get_json(&format!("{trend}&{query}")).await;
        assert_eq!(again, answer, "{query}");
    }
    let picture = "/coverages-api/trend.svg?org_name=acme&repo_name=payments&view=";
    for (view, sentence) in [
        ("view:api", "Coverage of acme/payments, view:api, main"),
        ("view:nothing", "No such view is defined here."),
        (
            "nonsense",
            "an invalid branch, language, range, view or metric",
        ),
    ] {
        let svg = server.get_text(&format!("{picture}{view}")).await;
        assert!(svg.contains(sentence), "{svg}");
    }
    let last = server.get_json(&format!("{trend}&view=view:api")).await;
    assert_eq!(last["series"][0]["points"][1][1], 6667);
}

#[tokio::test]
async fn a_rename_across_the_border_of_a_view_is_a_group_of_its_own() {
    let server = TestServer::start().await;
    let first = [("src/a.c", "11"), ("src/b.c", "10"), ("lib/c.c", "1111")];
    upload(ONE, &first).accepted(&server).await;
    let second = [("lib/b.c", "10"), ("src/a.c", "10"), ("src/c.c", "1111")];
    let rename = |from: &str, to: &str| {
        format!(
            "diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n"
        )
    };
    let diff = rename("src/b.c", "lib/b.c") + &rename("lib/c.c", "src/c.c");
    let second = upload(TWO, &second).with("base_commit", ONE);
    second
        .before("changes", diff.as_bytes())
        .accepted(&server)
        .await;
    let explanation = "/coverages-api/records/2/explanation?view=folder:src";
    let answer = server.get_json(explanation).await;
    let groups = answer["groups"].as_array().expect("groups").iter();
    let groups = groups.map(|group| {
        json!([
            group["cause"],
            group["path"],
            group["covered_change"],
            group["total_change"]
        ])
    });
    let mut groups: Vec<_> = groups.collect();
    groups.sort_by_key(Value::to_string);
    let expected = [
        json!(["lost", "src/a.c", -1, 0]),
        json!(["moved", "src/b.c", -1, -2]),
        json!(["moved", "src/c.c", 4, 4]),
    ];
    assert_eq!(groups, expected);
    // Three of four lines ran, and now five of six.
    assert_eq!(answer["delta"], json!(8.33));
}

#[tokio::test]
async fn new_and_cold_code_and_changed_lines_of_a_view_are_of_its_files_alone() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let new = "/coverages-api/records/2/new?since=record:1";
    for (view, coverable) in [
        ("folder:src/pay", 2),
        ("folder:src/gen", 0),
        ("owner:none", 0),
    ] {
        let answer = server.get_json(&format!("{new}&view={view}")).await;
        assert_eq!(answer["coverable"], coverable, "{view}");
    }
    let changes = "/coverages-api/records/2/changes?view=";
    for (view, coverable) in [("owner:@acme/payments", 2), ("owner:none", 0)] {
        let answer = server.get_json(&format!("{changes}{view}")).await;
        assert_eq!(answer["coverable"], coverable, "{view}");
    }
    let badge = "/coverages-api/badge.json?org_name=acme&repo_name=payments&view=";
    for (view, message) in [
        ("folder:src/pay", "50.00%"),
        ("owner:@acme/core", "50.00%"),
        ("owner:@acme/nobody", "unknown"),
        ("nonsense", "unknown"),
    ] {
        let answer = server.get_json(&format!("{badge}{view}")).await;
        assert_eq!(answer["message"], message, "{view}");
    }
    let cold = "/coverages-api/cold?org_name=acme&repo_name=payments&language=rust";
    for (path, status, code) in [
        (format!("{new}&view=view:nothing"), 404, "no_view"),
        (format!("{new}&view=folder:lib"), 404, "no_view"),
        (format!("{new}&view=team"), 422, "invalid_parameter"),
        (format!("{cold}&view=owner:@acme/nobody"), 404, "no_view"),
        (format!("{VIEWS}&kind=team"), 422, "invalid_parameter"),
        (
            "/coverages-api/owners?org_name=nobody".to_owned(),
            404,
            "not_found",
        ),
    ] {
        assert_eq!(
            refused(&server, &path).await,
            (status, json!(code)),
            "{path}"
        );
    }
}

#[tokio::test]
async fn owners_are_counted_before_the_first_reader_of_a_day() {
    let server = TestServer::start().await;
    two_records(&server).await;
    for attempt in 0.. {
        // The task of the last upload counts its new code last.
        if server.get_text("/").await.contains("New code 50.00") {
            break;
        }
        assert!(attempt < 600, "not within a minute");
        sleep(Duration::from_millis(100)).await;
    }
    // A running service counts too: when it starts, and every quarter of an hour.
    let folder = server.stop().await;
    let url = database_url(folder.path());
    let store = Store::open(&url).await.unwrap();
    let mut database = AnyConnection::connect(&url).await.unwrap();
    for (as_if, statement) in [
        ("new", "delete from repository_owners"),
        (
            "the next day",
            "update repository_owners set state = '2026-01-01 ' || state",
        ),
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
        assert_eq!(store.writer().count_owners().await.unwrap(), 1, "{as_if}");
        assert_eq!(store.writer().count_owners().await.unwrap(), 0, "{as_if}");
    }
    let mut state = async || -> String {
        let state = sqlx::query_scalar("select state from repository_owners");
        state.fetch_one(&mut database).await.unwrap()
    };
    let counted = state().await;
    let server = TestServer::start_in(folder, &["--upload-token", TOKEN]).await;
    let owners = server.get_json("/coverages-api/owners?org_name=acme").await;
    assert_eq!(owners["owners"].as_array().unwrap().len(), 3);
    assert_eq!(state().await, counted, "the reader counts nothing");
}

#[tokio::test]
async fn a_codeowners_file_that_is_too_large_does_not_count_and_a_notice_says_so() {
    let server = TestServer::start().await;
    let owners: String = (0..5_001).map(|owner| format!(" @acme/t{owner}")).collect();
    let many = format!("*{owners}\n");
    let first = upload(ONE, &[("a.c", "1")]).before("owners", many.as_bytes());
    first.accepted(&server).await;
    let views = server.get_json(&format!("{VIEWS}&kind=owner")).await;
    assert_eq!(views["views"], json!([]));
    let notice = "CODEOWNERS names 5001 owners, more than 5000, so no file has owners.";
    assert_eq!(views["notices"], json!([notice]));
    // A file over 3 MiB is left out, a malformed line is skipped.
    let long = "#".repeat((3 << 20) + 1);
    for (commit, owners, notice) in [
        (TWO, long.as_str(), "has more than 3 MiB"),
        (
            &"3".repeat(40),
            "* @acme/all\n[a] @acme/set\n",
            "ine 2 of CODEOWNERS",
        ),
    ] {
        let upload = upload(commit, &[("a.c", "1")]).with("summary", "1");
        let answer = upload
            .before("owners", owners.as_bytes())
            .accepted(&server)
            .await;
        let notices = answer["summary"]["notices"].to_string();
        assert!(notices.contains(notice), "{notices}");
    }
    let views = server.get_json(&format!("{VIEWS}&kind=owner")).await;
    assert_eq!(shown(&views), self::views(&[("owner:@acme/all", 1, 1, 1)]));
}

#[tokio::test]
async fn totals_that_differ_from_the_files_are_stated_beside() {
    let server = TestServer::start().await;
    for (commit, covered) in [(ONE, 2), (TWO, 3)] {
        let xml = format!(
            r#"<coverage lines-covered="{covered}" lines-valid="5" line-rate="0.5"><packages><package><classes>
               <class filename="a.c"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>
               </classes></package></packages></coverage>"#
        );
        let archive = Archive::new().file("coverage.xml", &xml).tar_gz();
        let upload = Upload::of(archive).with("commit_hash", commit);
        upload.accepted(&server).await;
    }
    let answer = server.get_json(&format!("{VIEWS}&kind=folder")).await;
    assert_eq!(answer["other"], json!({"covered": 2, "total": 3}));
    let whole = &answer["whole"];
    assert_eq!((&whole["covered"], &whole["total"]), (&json!(3), &json!(5)));
    // Both percentages are of the stated totals.
    assert_eq!(whole["delta"], json!(20.0));
    assert_eq!(answer["direct"]["delta"], json!(0.0));
}
