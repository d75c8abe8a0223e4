use super::*;
use crate::harness::TOKEN;
use serde_json::json;

fn with_html(name: &str) -> Upload {
    let archive = Archive::new()
        .file("index.html", name.repeat(1_000))
        .file("coverage.xml", lcov("a.c", &[(1, 1)]));
    Upload::of(archive.tar_gz()).with("part", name)
}

#[tokio::test]
async fn html_reports_of_parts_go_with_their_record() {
    let server = TestServer::start_without_grace().await;
    let id = id(&with_html("unit").accepted(&server).await);
    with_html("web").accepted(&server).await;
    assert_eq!(server.stored_files().len(), 2);
    assert_well(&server);
    delete_record(&server, id).await;
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn verify_finds_a_missing_html_report_of_a_part() {
    let server = TestServer::start_without_grace().await;
    let id = id(&with_html("unit").accepted(&server).await);
    let of_unit = server.stored_files();
    with_html("web").accepted(&server).await;
    std::fs::remove_file(&of_unit[0]).unwrap();
    let verified = server.command(&["verify", "--all"]).output().unwrap();
    assert!(!verified.status.success(), "{verified:?}");
    let repair = ["verify", "--all", "--repair", "--yes"];
    let repaired = server.command(&repair).output().unwrap();
    let notes = String::from_utf8_lossy(&repaired.stderr).into_owned();
    assert!(notes.contains("1 findings were repaired"), "{notes}");
    assert_well(&server);
    let unit = server.get(&format!("/reports/{id}/parts/unit/")).await;
    assert_eq!(unit.status(), 404);
    assert_eq!(
        server.get_text(&format!("/reports/{id}/")).await,
        "web".repeat(1_000)
    );
}

#[tokio::test]
async fn a_quota_counts_the_html_reports_of_all_parts() {
    let arguments = [
        "--upload-token",
        TOKEN,
        "--quota-bytes-per-repository",
        "900",
    ];
    let server = TestServer::start_with(&arguments).await;
    let mut refused = 0;
    for name in ["a", "b", "c", "d", "e"] {
        let response = with_html(name).send(&server).await;
        refused += u32::from(response.status() == 507);
    }
    assert!(
        refused > 0,
        "{} reports are stored",
        server.stored_files().len()
    );
    assert!(server.stored_files().len() > 1);
}

#[tokio::test]
async fn an_upload_replaces_a_record_whose_lines_have_expired() {
    let server = TestServer::start_without_grace().await;
    let next = |upload: Upload| upload.with("branch_name", "next");
    let main = part("", &lcov("a.c", &[(1, 1)])).with("commit_hash", "c0");
    main.accepted(&server).await;
    let id = id(&next(with_html("unit")).accepted(&server).await);
    next(part("web", &lcov("b.c", &[(1, 0)])))
        .accepted(&server)
        .await;
    let store = server.store().await;
    let mut database = server.database().await;
    let long_ago = "update records set updated_at = updated_at - 8640000000000 where id = 2";
    sqlx::query(long_ago).execute(&mut database).await.unwrap();
    assert_eq!(store.writer().review_lines(90).await.unwrap().deleted, 1);
    let answer = next(part("e2e", &lcov("c.c", &[(1, 0)])))
        .accepted(&server)
        .await;
    assert_eq!(super::id(&answer), id);
    assert_eq!(answer["summary"]["parts"]["arrived"], json!(["e2e"]));
    assert_eq!(answer["coverage"]["percentage"], json!(0.0));
    assert!(
        server.stored_files().is_empty(),
        "the HTML report of unit was replaced"
    );
}

#[tokio::test]
async fn verify_finds_damaged_lines_of_a_part() {
    let server = TestServer::start().await;
    part("unit", &lcov("a.c", &[(1, 1)]))
        .accepted(&server)
        .await;
    part("web", &lcov("a.c", &[(1, 0)])).accepted(&server).await;
    assert_well(&server);
    let damage = "update record_parts set covered = 7 where part = 'web'";
    sqlx::query(damage)
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let verified = server.command(&["verify", "--all"]).output().unwrap();
    let found = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(found.contains("part web"), "{found}");
}

#[tokio::test]
async fn closing_a_record_whose_lines_have_expired_does_not_block_it() {
    let server = TestServer::start().await;
    let next = |upload: Upload| upload.with("branch_name", "next");
    part("", &lcov("a.c", &[(1, 1)])).accepted(&server).await;
    let old = next(part("", &lcov("a.c", &[(1, 1)])))
        .accepted(&server)
        .await;
    let expire = "delete from record_lines where record_id = 2";
    sqlx::query(expire)
        .execute(&mut server.database().await)
        .await
        .unwrap();
    next(notice("finish", "")).accepted(&server).await;
    let answer = next(part("unit", &lcov("b.c", &[(1, 0)])))
        .accepted(&server)
        .await;
    assert_eq!(super::id(&answer), super::id(&old));
    assert_eq!(answer["summary"]["parts"]["arrived"], json!(["unit"]));
}
