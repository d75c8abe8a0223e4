use super::*;
use serde_json::json;

async fn lines(server: &TestServer, id: i64, path: &str) -> Value {
    let address = format!("/coverages-api/records/{id}/lines?path={path}");
    server.get_json(&address).await
}

#[tokio::test]
async fn a_record_is_the_union_of_its_parts_in_any_order() {
    let unit = || part("unit", &lcov("a.c", &[(1, 1), (2, 0), (3, 0), (4, 0)]));
    let web = || part("web", &lcov("a.c", &[(2, 5), (3, 0)]));
    let plain = || part("", &lcov("b.c", &[(1, 0)]));
    let expected = json!({"path": "a.c", "covered": 2, "coverable": 4, "hit": [[1, 2]], "partial": [], "missed": [[3, 4]]});
    for order in [[unit, web, plain], [plain, web, unit], [web, plain, unit]] {
        let server = TestServer::start().await;
        let mut ids = Vec::new();
        let mut last = Value::Null;
        for upload in order {
            last = upload().accepted(&server).await;
            ids.push(id(&last));
        }
        assert!(ids.iter().all(|id| *id == ids[0]), "the id stays: {ids:?}");
        assert_eq!(last["coverage"]["percentage"], json!(40.0));
        let parts = &last["summary"]["parts"];
        assert_eq!(parts["arrived"], json!(["", "unit", "web"]));
        assert_eq!(parts["expected"], json!([]));
        assert_eq!(parts["complete"], json!(true));
        assert_eq!(lines(&server, ids[0], "a.c").await, expected);
        assert_eq!(current(&server).await, [ids[0]]);
    }
}

#[tokio::test]
async fn the_same_part_again_replaces_only_itself() {
    let server = TestServer::start().await;
    part("unit", &lcov("a.c", &[(1, 1), (2, 0)]))
        .accepted(&server)
        .await;
    part("web", &lcov("a.c", &[(2, 1), (3, 0)]))
        .accepted(&server)
        .await;
    let again = part("unit", &lcov("a.c", &[(1, 0), (2, 0)])).with("commit_author", "Zoë");
    let answer = again.accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(33.33));
    assert_eq!(answer["coverage"]["commit_author"], "Zoë");
    let file = lines(&server, id(&answer), "a.c").await;
    assert_eq!(
        (&file["hit"], &file["missed"]),
        (&json!([[2, 2]]), &json!([[1, 1], [3, 3]]))
    );
}

#[tokio::test]
async fn two_partial_states_are_a_hit_if_no_branch_is_missed_in_both() {
    let server = TestServer::start().await;
    let coverage = |taken: [u8; 2]| {
        let [one, other] = taken;
        format!("SF:a.c\nDA:4,1\nBRDA:4,0,0,{one}\nBRDA:4,0,1,{other}\nend_of_record\n")
    };
    let answer = part("unit", &coverage([1, 0])).accepted(&server).await;
    let id = id(&answer);
    assert_eq!(lines(&server, id, "a.c").await["partial"], json!([[4, 4]]));
    part("web", &coverage([1, 0])).accepted(&server).await;
    assert_eq!(lines(&server, id, "a.c").await["partial"], json!([[4, 4]]));
    part("e2e", &coverage([0, 1])).accepted(&server).await;
    assert_eq!(lines(&server, id, "a.c").await["hit"], json!([[4, 4]]));
}

#[tokio::test]
async fn one_part_has_the_total_of_its_tool_and_several_have_that_of_their_lines() {
    let server = TestServer::start().await;
    let answer = part("unit", STATED).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(90.0));
    let notices = answer["summary"]["notices"].to_string();
    assert!(notices.contains("The lines add up to 50.00 %"), "{notices}");
    let answer = part("web", &lcov("a.c", &[(2, 1)])).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
    assert_eq!(answer["summary"]["notices"], json!([]));
}

#[tokio::test]
async fn parts_of_other_languages_branches_and_commits_are_not_united() {
    let server = TestServer::start().await;
    let upload =
        |name: &'static str, value: &str| part("unit", &lcov("a.c", &[(1, 1)])).with(name, value);
    let first = part("web", &lcov("a.c", &[(1, 0)])).accepted(&server).await;
    for (name, value) in [
        ("language", "c"),
        ("branch_name", "next"),
        ("commit_hash", "c2"),
    ] {
        let answer = upload(name, value).accepted(&server).await;
        assert_ne!(id(&answer), id(&first), "{name}");
        assert_eq!(answer["coverage"]["percentage"], json!(100.0), "{name}");
    }
    assert_eq!(
        summary(&server, id(&first)).await["record"]["percentage"],
        json!(0.0)
    );
}

#[tokio::test]
async fn the_exports_of_a_record_are_those_of_its_union() {
    let server = TestServer::start().await;
    let answer = part("unit", &lcov("a.c", &[(1, 1), (2, 0)]))
        .accepted(&server)
        .await;
    let address = format!("/coverages-api/records/{}/report.lcov", id(&answer));
    let first = server.get(&address).await;
    let tag = first.headers()["etag"].to_str().unwrap().to_owned();
    part("web", &lcov("b.c", &[(7, 3)])).accepted(&server).await;
    let again = server
        .client()
        .get(server.url(&address))
        .header("if-none-match", tag)
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), 200);
    let text = again.text().await.unwrap();
    assert!(
        text.contains("SF:a.c\n") && text.contains("SF:b.c\n"),
        "{text}"
    );
}

#[tokio::test]
async fn a_part_without_lines_is_fine_alone_and_cannot_be_united() {
    let server = TestServer::start().await;
    let without = "SF:a.c\nLF:10\nLH:5\nend_of_record\n";
    let with = lcov("a.c", &[(1, 1)]);
    let alone = part("jvm", without).accepted(&server).await;
    assert_eq!(alone["coverage"]["percentage"], json!(50.0));
    let (status, problem) = part("unit", &with).refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (422, Some("part_without_lines"))
    );
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("the part jvm has no lines")
    );
    // It may be replaced by one with lines.
    part("jvm", &with).accepted(&server).await;
    part("unit", &with).accepted(&server).await;
    let (status, problem) = part("e2e", without).refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (422, Some("part_without_lines"))
    );
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("the part e2e has no lines")
    );
    let parts = summary(&server, id(&alone)).await["parts"]["arrived"].clone();
    assert_eq!(parts, json!(["jvm", "unit"]));
}

#[tokio::test]
async fn an_empty_coverage_file_is_united_and_adds_nothing() {
    let server = TestServer::start().await;
    let empty = "<coverage line-rate='0' lines-covered='0' lines-valid='0'><packages/></coverage>";
    part("shard-1", empty).accepted(&server).await;
    let answer = part("shard-2", &lcov("a.c", &[(1, 1), (2, 0)]))
        .accepted(&server)
        .await;
    assert_eq!(answer["coverage"]["percentage"], json!(50.0));
    let answer = part("shard-3", empty).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(50.0));
}

#[tokio::test]
async fn stated_sources_of_two_machines_are_removed_in_any_order() {
    let with_source = |source: &str| {
        STATED.replace(
            "<packages>",
            &format!("<sources><source>{source}</source></sources><packages>"),
        )
    };
    for (first, second) in [("", "web"), ("web", "")] {
        let server = TestServer::start().await;
        let of = |name: &'static str| match name {
            "" => part("", &with_source("/home/runner/work/x")),
            name => part(name, &with_source("/app")),
        };
        of(first).accepted(&server).await;
        let answer = of(second).accepted(&server).await;
        let file = lines(&server, id(&answer), "a.c").await;
        assert_eq!(file["coverable"], json!(2), "{first}");
        assert_eq!(answer["coverage"]["percentage"], json!(50.0));
    }
}

/// An LCOV file with two branches of line 4.
fn two_branches(taken: [u8; 2]) -> String {
    let [one, other] = taken;
    format!("SF:a.c\nDA:4,1\nBRDA:4,0,0,{one}\nBRDA:4,0,1,{other}\nend_of_record\n")
}

#[tokio::test]
async fn branches_of_parts_are_united_if_all_parts_name_them() {
    let server = TestServer::start().await;
    let admin = admin(&server).await;
    let rules = ["gate", "set", "--org=acme", "--branches-floor=100"];
    assert!(server.command(&rules).status().unwrap().success());
    let judged = |answer: Value| {
        let gate = &answer["gate"];
        (gate["verdict"].clone(), gate["reasons"][0].clone())
    };
    let failed = |reason: &str| (json!("failed"), json!(reason));
    let passed = (json!("passed"), Value::Null);
    let half = failed("1 of 2 branches are covered, 100 % needs 2");
    let unnamed = part("", &two_branches([1, 0])).accepted(&server).await;
    let id = id(&unnamed);
    assert_eq!(judged(summary(&server, id).await), half);
    part("web", &two_branches([1, 0])).accepted(&server).await;
    assert_eq!(judged(summary(&server, id).await), half);
    part("e2e", &two_branches([0, 1])).accepted(&server).await;
    assert_eq!(judged(summary(&server, id).await), passed);
    // Its format only counts branches.
    let counted = "<coverage><packages><package><classes><class filename='a.c'><lines>\
        <line number='4' hits='1' branch='true' condition-coverage='50% (1/2)'/>\
        </lines></class></classes></package></packages></coverage>";
    part("old", counted).accepted(&server).await;
    let unknown =
        "branches_floor: the parts do not all name their branches, or not in the same way";
    let expected = (json!("unknown"), json!(unknown));
    let united = summary(&server, id).await;
    assert_eq!(united["branches"], Value::Null);
    assert_eq!(
        unknown,
        format!(
            "branches_floor: {}",
            united["no_branches"].as_str().unwrap()
        )
    );
    assert_eq!(
        united["no_functions"],
        "the functions of several parts are not counted"
    );
    assert_eq!(judged(united), expected);
    let delete = async |part: &str| {
        let path = format!("/coverages-api/records/{id}/parts/{part}");
        let request = ask(&server, Method::DELETE, &path).bearer_auth(&admin);
        assert_eq!(request.send().await.unwrap().status(), 204);
        judged(summary(&server, id).await)
    };
    assert_eq!(delete("old").await, passed);
    assert_eq!(delete("e2e").await, half);
    assert_eq!(delete("web").await, half);
    // The branches of the last part stay.
    part("e2e", &two_branches([0, 1])).accepted(&server).await;
    assert_eq!(judged(summary(&server, id).await), passed);
    assert_well(&server);
}
