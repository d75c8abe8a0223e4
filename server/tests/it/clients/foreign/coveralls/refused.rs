//! What is refused, and the sentence that the client prints.

use super::{FORM, JOBS, answer, job, refused, send, server, with};
use crate::harness::{COMMIT, Reachable, TestServer, gzip};
use serde_json::{Value, json};

async fn refused_body(server: &TestServer, kind: &str, body: Vec<u8>) -> (u16, String) {
    let request = server.client().post(server.url(JOBS)).body(body);
    let response = request.header("content-type", kind).send().await.unwrap();
    let (status, answer) = answer(response).await;
    assert_eq!(answer["error"], true, "{status}: {answer}");
    (status, answer["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn nothing_is_accepted_unless_the_operator_accepts_these_clients() {
    let server = TestServer::start().await;
    let response = send(&server, &job()).await;
    assert!([404, 405].contains(&response.status().as_u16()));
    assert!(server.records().await.is_empty());
}

#[tokio::test]
async fn a_job_without_a_good_token_stores_nothing() {
    let server = server().await;
    let none = with(job(), &json!({"repo_token": null}));
    let (status, sentence) = refused(&server, &none).await;
    assert_eq!(status, 401);
    assert!(sentence.contains("repo_token"), "{sentence}");
    for token in ["wrong", "a\nb"] {
        let wrong = with(job(), &json!({"repo_token": token}));
        assert_eq!(refused(&server, &wrong).await.0, 401, "{token:?}");
    }
    assert!(server.records().await.is_empty());
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn a_job_that_lacks_a_name_says_which() {
    let server = server().await;
    let git = |branch: &str, id: Value, remotes: Value| {
        let head = json!({"id": id, "author_name": "Kim"});
        json!({"git": {"branch": branch, "head": head, "remotes": remotes}})
    };
    let remotes = job()["git"]["remotes"].clone();
    for (members, word) in [
        (git("main", json!(COMMIT), json!([])), "COVERALLS_REPO_NAME"),
        (git("HEAD", json!(COMMIT), remotes.clone()), "CI_BRANCH"),
        (git("main", json!(null), remotes), "git.head.id"),
        (json!({"source_files": "none"}), "The job"),
        (json!({"repo_name": "payments"}), "repo_name"),
    ] {
        let (status, sentence) = refused(&server, &with(job(), &members)).await;
        assert_eq!(status, 422, "{sentence}");
        assert!(sentence.contains(word), "{sentence}");
    }
    let nameless = git("main", json!(COMMIT), json!([]));
    let guessed = with(with(job(), &nameless), &json!({"repo_token": "wrong"}));
    assert_eq!(refused(&server, &guessed).await.0, 401);
    assert!(server.records().await.is_empty());
}

#[tokio::test]
async fn a_body_that_is_no_job_is_refused_with_a_sentence() {
    let server = server().await;
    let multipart = "multipart/form-data; boundary=xyz";
    let packed = gzip(job().to_string().as_bytes());
    let head = "--xyz\r\nContent-Disposition: form-data; name=\"json_file\"\r\n\r\n";
    let cut = [head.as_bytes(), &packed[..40], b"\r\n--xyz--\r\n"].concat();
    for (kind, body) in [
        ("application/json", b"[]".to_vec()),
        ("application/json", Vec::new()),
        ("application/json", b"{\"repo_token\": ".to_vec()),
        (FORM, b"other=1".to_vec()),
        (multipart, b"--xyz--\r\n".to_vec()),
        (multipart, b"no form".to_vec()),
        ("multipart/form-data", b"no boundary".to_vec()),
        (multipart, cut),
    ] {
        let (status, sentence) = refused_body(&server, kind, body).await;
        assert!([400, 401, 422].contains(&status), "{status}: {sentence}");
    }
    assert!(server.records().await.is_empty());
}

#[tokio::test]
async fn a_gzip_bomb_and_a_huge_body_are_refused_before_the_token() {
    let server = server().await;
    let lines = "0,".repeat(8 << 20);
    let files: String = (0..5).map(|_| lines.as_str()).collect();
    let bomb = format!("{{\"source_files\":[{{\"name\":\"a\",\"coverage\":[{files}0]}}]}}");
    let packed = gzip(bomb.as_bytes());
    // As Coveralls' own reporter sends it.
    let head = "--xyz\r\nContent-Disposition: form-data; name=\"json_file\"; filename=\"json_file\"\r\nContent-Type: application/gzip\r\n\r\n";
    let form = [head.as_bytes(), &packed, b"\r\n--xyz--\r\n"].concat();
    for (kind, body) in [
        ("application/json", packed),
        ("multipart/form-data; boundary=xyz", form),
    ] {
        let (status, sentence) = refused_body(&server, kind, body).await;
        assert_eq!(status, 413, "{sentence}");
        assert!(sentence.contains("67108864 bytes"), "{sentence}");
    }
    let huge = vec![b' '; 100 << 20];
    let (status, sentence) = refused_body(&server, "application/json", huge).await;
    assert_eq!(status, 413, "{sentence}");
    assert!(server.records().await.is_empty());
}
