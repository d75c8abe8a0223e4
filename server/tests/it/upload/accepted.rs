//! `POST /coverages-api` with valid uploads.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use serde_json::Value;

fn archive(covered: u32) -> Vec<u8> {
    Archive::report(&format!("<h1>{covered}</h1>"), &cobertura(covered, 200)).tar_gz()
}

fn ids(records: &Value) -> Vec<i64> {
    records
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["id"].as_i64().unwrap())
        .collect()
}

#[tokio::test]
async fn an_upload_is_answered_with_its_record_and_those_of_all_branches() {
    let server = TestServer::start().await;
    let other = Upload::of(archive(100))
        .with("branch_name", "feature/ü 🚀")
        .accepted(&server)
        .await;
    let response = Upload::of(archive(169)).send(&server).await;
    assert_eq!(response.status(), 201);
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    let answer: Value = response.json().await.unwrap();
    let record = &answer["coverage"];
    assert_eq!(location, format!("/records/{}", record["id"]));
    assert!(
        server.get_text(&location).await.contains("84.50"),
        "the address leads to what was uploaded"
    );
    let expected = serde_json::json!({
        "id": record["id"], "org_name": "acme", "repo_name": "payments", "branch_name": "main", "commit_hash": "c1",
        "commit_author": "Kim", "language": "rust", "percentage": 84.5,
        "created_at": record["created_at"], "updated_at": record["created_at"],
    });
    assert_eq!(*record, expected);
    assert_eq!(
        ids(&answer["data"]),
        [
            record["id"].as_i64().unwrap(),
            other["coverage"]["id"].as_i64().unwrap()
        ]
    );
    assert_eq!(other["coverage"]["branch_name"], "feature/ü 🚀");
}

#[tokio::test]
async fn times_have_microseconds_and_a_numeric_offset() {
    let server = TestServer::start().await;
    let answer = Upload::of(archive(1)).accepted(&server).await;
    let created_at = answer["coverage"]["created_at"].as_str().unwrap();
    assert_eq!(
        (created_at.len(), &created_at[19..20], &created_at[26..]),
        (32, ".", "+00:00"),
        "{created_at}"
    );
}

#[tokio::test]
async fn a_retry_of_a_commit_keeps_its_id_and_stores_the_new_numbers() {
    let server = TestServer::start_without_grace().await;
    let first = Upload::of(archive(100)).accepted(&server).await;
    let response = Upload::of(archive(150)).send(&server).await;
    assert_eq!(response.status(), 200);
    let second: Value = response.json().await.unwrap();
    assert_eq!(second["coverage"]["id"], first["coverage"]["id"]);
    assert_eq!(
        second["coverage"]["created_at"],
        first["coverage"]["created_at"]
    );
    assert!(second["coverage"]["updated_at"].as_str() > first["coverage"]["updated_at"].as_str());
    assert_eq!(second["coverage"]["percentage"], 75.0);
    assert_eq!(server.records().await.len(), 1);
    let id = &second["coverage"]["id"];
    assert_eq!(
        server.get_text(&format!("/reports/{id}/index.html")).await,
        "<h1>150</h1>"
    );
    assert_eq!(
        server.stored_files().len(),
        1,
        "the report that was replaced is still there"
    );
}

#[tokio::test]
async fn another_commit_branch_or_language_is_another_record() {
    let server = TestServer::start().await;
    Upload::of(archive(1)).accepted(&server).await;
    Upload::of(archive(2))
        .with("language", "c++")
        .accepted(&server)
        .await;
    Upload::of(archive(3))
        .with("branch_name", "dev")
        .accepted(&server)
        .await;
    let last = Upload::of(archive(4))
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    assert_eq!(
        last["data"].as_array().unwrap().len(),
        3,
        "one current record for each branch and language"
    );
    assert_eq!(server.records().await.len(), 4);
}

#[tokio::test]
async fn the_last_upload_is_current_even_if_its_commit_is_older() {
    let server = TestServer::start().await;
    let old = Upload::of(archive(10)).accepted(&server).await;
    Upload::of(archive(20))
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    let again = Upload::of(archive(30)).accepted(&server).await;
    assert_eq!(
        ids(&again["data"]),
        ids(&serde_json::json!([old["coverage"]]))
    );
}

#[tokio::test]
async fn every_way_of_sending_the_token_works() {
    let server = TestServer::start().await;
    for value in ["t0ken", "Bearer t0ken", "token t0ken"] {
        Upload::of(archive(1))
            .authorization(Some(value))
            .accepted(&server)
            .await;
    }
}

#[tokio::test]
async fn an_upload_token_is_enough_even_if_a_forge_is_named() {
    let server = TestServer::start().await;
    Upload::of(archive(1))
        .with("vcs_api_url", "https://vcs.example.com/api")
        .accepted(&server)
        .await;
    Upload::of(archive(1))
        .with("github_api_url", "https://vcs.example.com/api")
        .accepted(&server)
        .await;
}

#[tokio::test]
async fn the_compression_of_an_archive_is_detected_by_its_content() {
    let server = TestServer::start().await;
    let plain = Archive::report("<p>", &cobertura(1, 2)).tar();
    Upload::of(plain).accepted(&server).await;
    let with_folders = Archive::new()
        .entry(tar::EntryType::Directory, b"./build/", b"")
        .file("./build/html/index.html", "<p>")
        .file("./build/coverage.xml", cobertura(1, 2));
    let answer = Upload::of(with_folders.tar_gz())
        .with("coverage_xml_file_name", "build/coverage.xml")
        .accepted(&server)
        .await;
    assert_eq!(answer["coverage"]["percentage"], 50.0);
}

#[tokio::test]
async fn a_file_packed_twice_by_tar_is_accepted_once() {
    let server = TestServer::start().await;
    let archive =
        Archive::report("<p>", &cobertura(1, 2)).hard_link("./coverage.xml", "coverage.xml");
    Upload::of(archive.tar_gz()).accepted(&server).await;
}

#[tokio::test]
async fn the_shallowest_of_two_coverage_files_of_one_name_counts() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("a/b/coverage.xml", "broken")
        .file("z/coverage.xml", cobertura(1, 4))
        .file("y/coverage.xml", cobertura(1, 2))
        .file("z/coverage.xml.bak", "broken");
    let answer = Upload::of(archive.tar_gz()).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 50.0);
}

#[tokio::test]
async fn html_is_optional() {
    let server = TestServer::start().await;
    let answer = Upload::of(
        Archive::new()
            .file("coverage.xml", cobertura(1, 2))
            .tar_gz(),
    )
    .accepted(&server)
    .await;
    let id = &answer["coverage"]["id"];
    assert_eq!(server.get(&format!("/reports/{id}/")).await.status(), 404);
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn zero_covered_and_zero_total_are_valid() {
    let server = TestServer::start().await;
    for (covered, total) in [(0, 100), (0, 0)] {
        let upload = Upload::of(Archive::report("", &cobertura(covered, total)).tar_gz());
        assert_eq!(
            upload.accepted(&server).await["coverage"]["percentage"],
            0.0
        );
    }
}

#[tokio::test]
async fn an_upload_is_answered_even_if_a_large_part_follows() {
    let server = TestServer::start().await;
    let form = reqwest::multipart::Form::new()
        .part("file", reqwest::multipart::Part::bytes(archive(1)))
        .part(
            "log",
            reqwest::multipart::Part::bytes(vec![b'x'; 30_000_000]),
        );
    let url = "/coverages-api?org_name=a&repo_name=b&branch_name=c&commit_hash=d&commit_author=e&language=f&coverage_xml_file_name=coverage.xml";
    let request = server
        .client
        .post(server.url(url))
        .header("authorization", "t0ken");
    assert_eq!(request.multipart(form).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn a_stored_upload_is_never_answered_as_a_failure() {
    let server = TestServer::start().await;
    Upload::of(archive(1))
        .with("branch_name", "other")
        .accepted(&server)
        .await;
    // A name that this version refuses makes the list of current records unreadable.
    sqlx::query("update branches set name = $1")
        .bind("\u{1}")
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let answer = Upload::of(archive(2)).accepted(&server).await;
    assert_eq!(answer["data"], serde_json::json!([answer["coverage"]]));
}

#[tokio::test]
async fn client_names_never_become_paths() {
    let server = TestServer::start().await;
    let names = [
        ("org_name", "acme/platform/..."),
        ("repo_name", "re.po"),
        ("branch_name", "../../etc"),
        ("commit_hash", "..."),
    ];
    let upload = names
        .iter()
        .fold(Upload::of(archive(1)), |upload, (name, value)| {
            upload.with(name, value)
        });
    upload.accepted(&server).await;
    let stored = server.stored_files();
    let name = stored[0].file_name().unwrap().to_str().unwrap();
    assert!(
        stored.len() == 1 && name.len() == 36 && name.ends_with(".zip"),
        "{stored:?}"
    );
}
