//! Parts that the head lacks.

use super::*;

fn part(name: &str, upload: Upload) -> Upload {
    upload.with("part", name)
}

#[tokio::test]
async fn lines_that_only_an_absent_part_ran_are_attributed_to_it() {
    let server = TestServer::start().await;
    let unit = [("a.c", "+-+-")];
    let e2e = [("a.c", "++--"), ("web.c", "+")];
    part("unit", upload("m1", &unit)).accepted(&server).await;
    part("e2e", upload("m1", &e2e)).accepted(&server).await;
    let head = || part("unit", on_branch("f1", &[("a.c", "+---")], "m1", ""));
    let answer = head().with("parts", "unit,e2e").accepted(&server).await;
    let waiting = explanation(&server, &answer, "").await;
    assert_eq!(
        groups(&waiting),
        [
            json!(["lost", "a.c", -1, 0]),
            json!(["part_absent", "a.c", -1, 0]),
            json!(["part_absent", "web.c", -1, -1]),
        ]
    );
    assert_eq!(waiting["groups"][1]["part"], "e2e");
    assert_adds_up(&waiting);
    let summary = &answer["summary"];
    assert_eq!(summary["lost_lines"], 1);
    let sentence = summary["explanation"].as_str().unwrap();
    assert!(
        sentence.contains("e2e has not reported (−30.00)"),
        "{sentence}"
    );
    let closed = head().with("finish", "1").accepted(&server).await;
    let sentence = closed["summary"]["explanation"].as_str().unwrap();
    assert!(
        sentence.contains("e2e did not report (−30.00)"),
        "{sentence}"
    );
}
