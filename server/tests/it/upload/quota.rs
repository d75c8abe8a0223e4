//! Quotas for the reports of an org and of a repository.

use crate::{
    harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, noise},
    upload::bad_input::QUERY,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A report of some ten kilobytes once stored.
fn upload(repository: &str, commit: &str) -> Upload {
    let (org, repo) = repository.rsplit_once('/').unwrap();
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(10_000));
    Upload::of(archive.tar_gz())
        .with("org_name", org)
        .with("repo_name", repo)
        .with("commit_hash", commit)
}

async fn start(quota: &[&str]) -> TestServer {
    TestServer::start_with(&[&["--upload-token", TOKEN][..], quota].concat()).await
}

async fn assert_refused(server: &TestServer, upload: Upload, setting: &str) {
    let stored = server.stored_files().len();
    let records = server.records().await.len();
    let (status, problem) = upload.refused(server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (507, Some("quota_exceeded"))
    );
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains(setting), "{detail}");
    assert_eq!(server.stored_files().len(), stored);
    assert_eq!(server.records().await.len(), records);
}

#[tokio::test]
async fn a_repository_cannot_exceed_its_quota() {
    let server = start(&["--quota-bytes-per-repository", "15000"]).await;
    upload("acme/one", "c1").accepted(&server).await;
    assert_refused(
        &server,
        upload("acme/one", "c2"),
        "QUOTA_BYTES_PER_REPOSITORY",
    )
    .await;
    upload("acme/two", "c1").accepted(&server).await;
    // Numbers alone take little space in a quota.
    let numbers = Archive::new().file("coverage.xml", cobertura(1, 2));
    let numbers = Upload::of(numbers.tar_gz()).with("repo_name", "one");
    numbers.with("commit_hash", "c3").accepted(&server).await;
}

/// A coverage file that takes about forty kilobytes in the database.
fn lines(repository: &str, commit: &str) -> Upload {
    let hits = noise(40_000).into_iter().enumerate();
    let hits = hits.map(|(line, hits)| format!("DA:{},{}\n", line + 1, u32::from(hits) + 1));
    let lcov = format!("SF:a.c\n{}end_of_record\n", hits.collect::<String>());
    Upload::of(Archive::new().file("lcov.info", lcov).tar_gz())
        .with("coverage_xml_file_name", "lcov.info")
        .with("repo_name", repository)
        .with("commit_hash", commit)
}

#[tokio::test]
async fn lines_in_the_database_count_in_a_quota() {
    let server = start(&["--quota-bytes-per-repository", "60000"]).await;
    lines("one", "c1").accepted(&server).await;
    assert_refused(&server, lines("one", "c2"), "QUOTA_BYTES_PER_REPOSITORY").await;
    lines("two", "c1").accepted(&server).await;
    // Replaced lines do not count.
    lines("one", "c1").accepted(&server).await;
    // The page needs a report.
    upload("acme/three", "c1").accepted(&server).await;
    let storage = server.get_text("/storage").await;
    let quotas = storage.split("data-testid=\"quotas\"").nth(1).unwrap();
    assert!(
        quotas.contains("acme/one") && quotas.contains("kB"),
        "{quotas}"
    );
}

/// An upload with a source text that takes about twenty kilobytes in the database.
fn text(repository: &str, commit: &str, first_line: &str) -> Upload {
    let noise: String = noise(20_000)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let text = format!("{first_line}\n{noise}");
    let lcov = Archive::new().file("lcov.info", "SF:a.c\nDA:1,1\nend_of_record\n");
    Upload::of(lcov.tar_gz())
        .with("coverage_xml_file_name", "lcov.info")
        .with("repo_name", repository)
        .with("commit_hash", commit)
        .before("sources", &Archive::new().file("a.c", text).tar())
}

async fn with_room_for_one_text() -> TestServer {
    let quota = ["--quota-bytes-per-repository", "30000"];
    start(&[&["--sources", "accept"], &quota[..]].concat()).await
}

async fn stored_texts(server: &TestServer) -> i64 {
    let texts = sqlx::query_scalar("select count(*) from source_texts");
    texts.fetch_one(&mut server.database().await).await.unwrap()
}

/// The notices of an upload, and the first line of the text that its record then has.
async fn kept(server: &TestServer, upload: Upload) -> (Vec<String>, Option<String>) {
    let answer = upload.with("summary", "1").accepted(server).await;
    let notices = answer["summary"]["notices"].as_array().unwrap();
    let notices = notices.iter().map(|notice| notice.as_str().unwrap());
    let id = &answer["coverage"]["id"];
    let text = format!("/coverages-api/records/{id}/source?path=a.c");
    let text = server.get(&text).await;
    let is_there = text.status() == 200;
    let text = text.text().await.unwrap();
    let line = text.lines().next().filter(|_| is_there);
    (
        notices.map(str::to_owned).collect(),
        line.map(str::to_owned),
    )
}

fn some(line: &str) -> Option<String> {
    Some(line.to_owned())
}

#[tokio::test]
async fn text_that_does_not_fit_is_left_out_and_a_notice_says_so() {
    let server = with_room_for_one_text().await;
    for commit in ["c1", "c2"] {
        let (notices, text) = kept(&server, text("one", commit, "same")).await;
        assert_eq!(
            (notices, text),
            (Vec::new(), some("same")),
            "it is there once"
        );
    }
    let (notices, left_out) = kept(&server, text("one", "c3", "other")).await;
    let [notice] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert!(
        notice.starts_with("Left out of the source text: all files whose text is not stored yet")
            && notice
                .contains("acme/one would use more than 30000 bytes (QUOTA_BYTES_PER_REPOSITORY)"),
        "{notice}"
    );
    assert_eq!(left_out, None);
    let lines = server.get("/coverages-api/records/3/lines?path=a.c").await;
    assert_eq!(lines.status(), 200, "numbers and lines are stored");
    assert_eq!(stored_texts(&server).await, 1);
    let (notices, other) = kept(&server, text("two", "c3", "other")).await;
    assert_eq!((notices, other), (Vec::new(), some("other")));
}

#[tokio::test]
async fn a_text_takes_the_room_of_the_text_that_it_replaces() {
    let server = with_room_for_one_text().await;
    for line in ["first", "second", "third"] {
        let (notices, text) = kept(&server, text("one", "c1", line)).await;
        assert_eq!((notices, text), (Vec::new(), some(line)));
        assert_eq!(stored_texts(&server).await, 1);
    }
    let (_, left_out) = kept(&server, text("one", "c2", "other")).await;
    assert_eq!(left_out, None, "the text of another commit stays");
}

#[tokio::test]
async fn a_retry_frees_the_space_it_replaces() {
    let server = start(&[]).await;
    upload("acme/one", "c1").accepted(&server).await;
    let stored = server.stored_files();
    let [report] = stored.as_slice() else {
        panic!("{stored:?}");
    };
    let in_database: i64 = sqlx::query_scalar("select database_bytes from records")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    let bytes = std::fs::metadata(report).unwrap().len() + u64::try_from(in_database).unwrap();
    let bytes = bytes.to_string();
    let quota = ["--quota-bytes-per-repository", &bytes];
    let arguments = [&["--upload-token", TOKEN][..], &quota].concat();
    let server = TestServer::start_in(server.stop().await, &arguments).await;
    for _ in 0..2 {
        upload("acme/one", "c1").accepted(&server).await;
        assert_eq!(
            server.stored_files().len(),
            1,
            "the quota ends the grace period"
        );
    }
    assert_refused(
        &server,
        upload("acme/one", "c2"),
        "QUOTA_BYTES_PER_REPOSITORY",
    )
    .await;
}

#[tokio::test]
async fn replaced_reports_stay_only_while_the_quota_has_room() {
    let server = start(&["--quota-bytes-per-org", "35000"]).await;
    upload("acme/group/two", "c1").accepted(&server).await;
    upload("beta/one", "c1").accepted(&server).await;
    for _ in 0..5 {
        upload("acme/one", "c1").accepted(&server).await;
        upload("beta/one", "c1").accepted(&server).await;
    }
    // `acme` keeps two records and its newest replaced report, `beta` one record and two replaced reports.
    assert_eq!(server.stored_files().len(), 6);
    let released: i64 = sqlx::query_scalar("select count(*) from orphaned_reports")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(released, 3, "removed reports are no longer listed");
    upload("acme/one", "c2").accepted(&server).await;
    assert_eq!(
        server.stored_files().len(),
        6,
        "records come before replaced reports"
    );
    assert_refused(&server, upload("acme/one", "c3"), "QUOTA_BYTES_PER_ORG").await;
}

#[tokio::test]
async fn an_org_shares_its_quota_with_its_groups() {
    let server = start(&["--quota-bytes-per-org", "25000"]).await;
    upload("acme/one", "c1").accepted(&server).await;
    upload("acme/group/two", "c1").accepted(&server).await;
    for repository in ["acme/one", "acme/three", "acme/other/four"] {
        assert_refused(&server, upload(repository, "c2"), "QUOTA_BYTES_PER_ORG").await;
    }
    upload("acme-2/one", "c1").accepted(&server).await;
}

#[tokio::test]
async fn an_upload_to_an_exhausted_quota_is_refused_before_its_body() {
    let folder = {
        let server = start(&[]).await;
        upload("a/b", "c1").accepted(&server).await;
        server.stop().await
    };
    let quota = ["--quota-bytes-per-repository", "1000"];
    let server =
        TestServer::start_in(folder, &[&["--upload-token", TOKEN][..], &quota].concat()).await;
    let address = server.url("").replace("http://", "");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /coverages-api?{QUERY} HTTP/1.1\r\nhost: x\r\nauthorization: {TOKEN}\r\nexpect: 100-continue\r\n\
         connection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 507") && answer.contains("quota_exceeded"),
        "{answer}"
    );
}

#[tokio::test]
async fn racing_uploads_never_exceed_a_quota() {
    let server = start(&["--quota-bytes-per-repository", "25000"]).await;
    assert_eq!(accepted_of_six(&server, |_| "acme/one".to_owned()).await, 2);
}

#[tokio::test]
async fn racing_uploads_to_several_repositories_never_exceed_the_org_quota() {
    let all = ["max_upload_share", "100"];
    let server = start(&[&all[..], &["--quota-bytes-per-org", "25000"]].concat()).await;
    let of_groups = |number| format!("acme/group-{number}/one");
    assert_eq!(accepted_of_six(&server, of_groups).await, 2);
}

/// Sends six uploads at once to the repositories with these numbers, and returns how many are accepted.
async fn accepted_of_six(server: &TestServer, repository: impl Fn(usize) -> String) -> usize {
    let uploads = (0..6).map(|number| {
        let upload = upload(&repository(number), &format!("c{number}"));
        let (client, url) = (server.client.clone(), server.url(""));
        tokio::spawn(async move { upload.try_send(&client, &url).await.unwrap().status() })
    });
    let mut accepted = 0;
    for upload in uploads.collect::<Vec<_>>() {
        accepted += usize::from(upload.await.unwrap().is_success());
    }
    accepted
}
