//! The tests of several parts: united, replaced, deleted and carried.

use super::*;
use serde_json::json;

/// LCOV with these tests, each with the lines of `a.c` that it ran.
fn tested(tests: &[(&str, &[u32])]) -> String {
    let records = tests.iter().map(|(test, lines)| {
        let lines: String = lines.iter().map(|line| format!("DA:{line},1\n")).collect();
        format!("TN:{test}\nSF:a.c\nDA:9,0\n{lines}end_of_record\n")
    });
    records.collect()
}

async fn of_line(server: &TestServer, id: i64, line: u32) -> Value {
    let path = format!("/coverages-api/records/{id}/tests?path=a.c&line={line}");
    server.get_json(&path).await
}

#[tokio::test]
async fn the_tests_of_all_parts_are_united_and_follow_the_parts() {
    let server = TestServer::start().await;
    let unit = tested(&[("one", &[1, 2]), ("two", &[2])]);
    part("unit", &unit).accepted(&server).await;
    assert_eq!(of_line(&server, 1, 2).await["tests"], json!(["one", "two"]));
    let web = tested(&[("one", &[3]), ("web", &[2, 3])]);
    part("web", &web).accepted(&server).await;
    part("e2e", &tested(&[("", &[4])])).accepted(&server).await;
    let expected = json!({"tests": ["one", "two", "web"], "of": 3, "parts_without_tests": ["e2e"], "former": null});
    assert_eq!(of_line(&server, 1, 2).await, expected);
    assert_eq!(of_line(&server, 1, 3).await["tests"], json!(["one", "web"]));
    assert_eq!(of_line(&server, 1, 4).await["tests"], json!([]));
    let page = "/coverages-api/records/1/tests?per_page=2";
    let first = server.get_json(page).await;
    let one = json!({"test": "one", "lines": 3, "only": 1});
    let web = json!({"test": "web", "lines": 2, "only": 0});
    assert_eq!(first["tests"], json!([one, web]));
    assert_eq!(first["of"], 3);
    let second = server.get_json(&format!("{page}&p=2")).await;
    assert_eq!(
        second["tests"],
        json!([{"test": "two", "lines": 1, "only": 0}])
    );
    let html = server.get_text("/records/1/tests").await;
    assert!(
        html.contains("3 tests ran lines") && html.contains("run the same lines: e2e."),
        "{html}"
    );
    // The test `one` alone runs line 1, and `two` runs line 2 like others.
    for lines in [
        "a.c&amp;line=1#L1\" class=\"link\">1</a> </div>",
        "<span class=\"muted\">none</span>",
    ] {
        assert!(html.contains(lines), "{lines} in {html}");
    }
    let html = server.get_text("/records/1/tests?find=ON").await;
    assert!(html.contains("1 of 3 tests found"), "{html}");
    let html = server.get_text("/records/1/tests?test=one").await;
    assert!(
        html.contains("3 lines in 1 file, 1 run by no other test"),
        "{html}"
    );
    let other = server.get("/records/1/tests?test=On").await;
    assert_eq!(other.status(), 404);
    assert!(
        server
            .get_text("/records/1")
            .await
            .contains("/records/1/tests")
    );
    // A retry of a part, and parts that are deleted until one is left.
    part("unit", &tested(&[("uno", &[1]), ("due", &[1])]))
        .accepted(&server)
        .await;
    assert_eq!(of_line(&server, 1, 2).await["tests"], json!(["web"]));
    let admin = admin(&server).await;
    for name in ["e2e", "web"] {
        let path = format!("/coverages-api/records/1/parts/{name}");
        let request = ask(&server, Method::DELETE, &path).bearer_auth(&admin);
        assert_eq!(request.send().await.unwrap().status(), 204);
    }
    let expected =
        json!({"tests": ["due", "uno"], "of": 2, "parts_without_tests": [], "former": null});
    assert_eq!(of_line(&server, 1, 1).await, expected);
    assert_well(&server);
}

#[tokio::test]
async fn tests_of_a_carried_part_follow_its_lines() {
    let server = TestServer::start().await;
    let unit = part("unit", &tested(&[("one", &[1]), ("two", &[1])]));
    unit.before("settings", &b"carry = [\"e2e\", \"load\"]\n"[..])
        .accepted(&server)
        .await;
    part("e2e", &tested(&[("buys", &[1, 2]), ("sells", &[2])]))
        .accepted(&server)
        .await;
    part("load", &lcov("a.c", &[(1, 1)]))
        .accepted(&server)
        .await;
    let later = part("unit", &tested(&[("one", &[2]), ("two", &[1])]))
        .with("branch_name", "next")
        .with("commit_hash", "c2")
        .with("base_commit", "c1");
    let diff = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -0,0 +1 @@\n";
    let id = id(&later
        .before("changes", diff.as_bytes())
        .accepted(&server)
        .await);
    let expected =
        json!({"tests": ["buys", "one"], "of": 4, "parts_without_tests": ["load"], "former": null});
    assert_eq!(of_line(&server, id, 2).await, expected);
    assert_eq!(
        of_line(&server, id, 3).await["tests"],
        json!(["buys", "sells"])
    );
    assert_well(&server);
}
