//! Lines that are known to flicker.

use super::*;

/// Waits until the records that have arrived are searched.
async fn searched(server: &TestServer, records: i64) {
    for _ in 0..600 {
        let found: Option<i64> = sqlx::query_scalar("select records from flickering_lines")
            .fetch_optional(&mut server.database().await)
            .await
            .unwrap();
        if found == Some(records) {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("{records} records are not searched within a minute");
}

#[tokio::test]
async fn lines_known_to_flicker_are_not_lost_and_are_named() {
    let server = TestServer::start().await;
    for (commit, states) in [("m0", "-++"), ("m1", "+++"), ("m2", "-++"), ("m3", "+++")] {
        upload(commit, &[("a.c", states)]).accepted(&server).await;
    }
    searched(&server, 4).await;
    let head = on_branch("f1", &[("a.c", "-+-")], "m3", "");
    let answer = head.accepted(&server).await;
    assert_eq!(answer["summary"]["lost_lines"], 1);
    let explanation = explanation(&server, &answer, "").await;
    assert_eq!(groups(&explanation), [json!(["lost", "a.c", -2, 0])]);
    let sentence = explanation["sentence"].as_str().unwrap();
    for expected in [
        "1 unchanged line of a.c is no longer run (−33.33)",
        "1 line known to flicker did not run (−33.33)",
    ] {
        assert!(sentence.contains(expected), "{sentence}");
    }
}

#[tokio::test]
async fn a_page_of_the_repository_lists_lines_that_flicker() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--sources", "accept"]).await;
    let sources = Archive::new().file("a.c", "first();\nsecond();\n").tar();
    for (commit, states) in [("m0", "-+"), ("m1", "++"), ("m2", "-+"), ("m3", "++")] {
        let upload = upload(commit, &[("a.c", states)]).before("sources", &sources);
        upload.accepted(&server).await;
    }
    searched(&server, 4).await;
    let page = server.get_text("/flicker?repo=ACME/payments").await;
    for expected in [
        "1 line flickers in",
        "searched 4 records",
        "source?path=a.c",
        "class=\"link mono\">m3</a>",
        "<code>first(<wbr>);<small>flickers</small></code>",
    ] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
    let repository = server.get_text("/repos/acme/payments").await;
    assert!(
        repository.contains("/flicker?repo=acme%2Fpayments"),
        "{repository}"
    );
    // The first record has nothing before it.
    assert!(!page.contains(">m0</a>"), "{page}");
    // The file changes, so nothing is known about its lines any more.
    let other = upload("m4", &[("a.c", "+++")]);
    other.accepted(&server).await;
    searched(&server, 2).await;
    let page = server.get_text("/flicker?repo=acme/payments").await;
    assert!(page.contains("No line flickers in"), "{page}");
}

#[tokio::test]
async fn a_line_with_both_states_in_two_uploads_of_a_commit_flickers() {
    let server = TestServer::start().await;
    for states in ["-+", "++"] {
        upload("m0", &[("a.c", states)]).accepted(&server).await;
    }
    let page = async || server.get_text("/flicker?repo=acme/payments").await;
    for _ in 0..600 {
        if page().await.contains("1 line flickers in") {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    let page = page().await;
    for expected in ["1 line flickers in", "searched 1 record", ">m0</a>"] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
}

#[tokio::test]
async fn a_part_that_broke_in_one_run_makes_no_line_flicker() {
    let server = TestServer::start().await;
    let large = "+".repeat(900);
    for (commit, states) in [("m0", "---"), ("m1", "+++"), ("m2", "---"), ("m3", "+++")] {
        upload(commit, &[("large.c", &large)])
            .accepted(&server)
            .await;
        let small = upload(commit, &[("small.c", states)]).with("part", "e2e");
        small.accepted(&server).await;
    }
    searched(&server, 4).await;
    let page = server.get_text("/flicker?repo=acme/payments").await;
    assert!(page.contains("No line flickers in"), "{page}");
}
