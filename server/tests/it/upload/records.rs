//! `/records/{id}`: the page of a record, from uploads to HTML.

mod compare;
mod of_commit;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use store::Store;

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/formats/testdata");

/// A Cobertura file with these covered and total lines of each file.
fn of_files(files: &[(&str, u32, u32)]) -> String {
    let classes: String = files
        .iter()
        .map(|(path, covered, total)| {
            let lines: String = (1..=*total)
                .map(|line| {
                    format!(
                        "<line number=\"{line}\" hits=\"{}\"/>",
                        u8::from(line <= *covered)
                    )
                })
                .collect();
            format!("<class filename=\"{path}\"><lines>{lines}</lines></class>")
        })
        .collect();
    format!(
        "<coverage version=\"7.6.1\"><packages><package><classes>{classes}</classes></package></packages></coverage>"
    )
}

async fn upload(server: &TestServer, names: &[(&'static str, &str)], xml: &str) -> i64 {
    let upload = Upload::of(Archive::report("<p>the tool's page", xml).tar_gz());
    let upload = names
        .iter()
        .fold(upload, |upload, (name, value)| upload.with(name, value));
    upload.accepted(server).await["coverage"]["id"]
        .as_i64()
        .unwrap()
}

fn assert_shows(page: &str, all: &[&str]) {
    for shown in all {
        assert!(page.contains(shown), "{shown} is not on the page: {page}");
    }
}

/// Removes the stored files of a record, as in a record of an earlier release.
async fn forget_details(server: &TestServer) {
    sqlx::query("delete from record_details")
        .execute(&mut server.database().await)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_record_page_shows_the_changes_since_the_record_before() {
    let server = TestServer::start().await;
    let files = [
        ("/w/src/a.py", 5, 10),
        ("/w/src/b/tax.py", 40, 40),
        ("/w/src/b/old.py", 0, 10),
    ];
    let before = upload(&server, &[("commit_hash", "c1")], &of_files(&files)).await;
    let files = [
        ("/w/src/a.py", 5, 10),
        ("/w/src/b/tax.py", 10, 40),
        ("/w/src/new.py", 10, 10),
    ];
    let after = upload(&server, &[("commit_hash", "c2")], &of_files(&files)).await;
    let page = server.get_text(&format!("/records/{after}")).await;
    // 45 of 60 was 75.00 %; 25 of 60 is 41.67 %.
    assert_shows(
        &page,
        &[
            "41.67",
            "−33.33: 30 unchanged lines of b/tax.py are no longer run (−50.00), b/old.py is no longer measured (+12.50), new.py is now measured (+4.17).",
            "b/tax.py",
            "unchanged lines, no longer run",
            "7.6.1",
            "All paths are relative to ",
            "/w/src/",
            "created this record",
            &format!("href=\"/records/{before}\""),
        ],
    );
    let page = server.get_text(&format!("/records/{before}")).await;
    assert_shows(
        &page,
        &["its current record", &format!("href=\"/records/{after}\"")],
    );
}

#[tokio::test]
async fn a_branch_is_compared_with_the_main_record_of_that_time() {
    let server = TestServer::start().await;
    let main = upload(
        &server,
        &[("commit_hash", "m1")],
        &of_files(&[("a", 8, 10)]),
    )
    .await;
    let branch = [("branch_name", "x"), ("commit_hash", "b1")];
    let first = upload(&server, &branch, &of_files(&[("a", 9, 10)])).await;
    upload(
        &server,
        &[("commit_hash", "m2")],
        &of_files(&[("a", 1, 10)]),
    )
    .await;
    let page = server.get_text(&format!("/records/{first}")).await;
    let link = format!("href=\"/records/{main}\" class=\"link mono\">commit m1");
    assert_shows(
        &page,
        &[
            "its base, the record that main had at that time",
            "+10.00",
            &link,
        ],
    );
    assert_shows(
        &page,
        &["+10.00: 1 unchanged line of a is now run (+10.00)"],
    );
    let other = [
        ("branch_name", "x"),
        ("commit_hash", "g1"),
        ("language", "go"),
    ];
    let alone = upload(&server, &other, &of_files(&[("a", 9, 10)])).await;
    let page = server.get_text(&format!("/records/{alone}")).await;
    assert_shows(&page, &["there is nothing to compare it with"]);
}

#[tokio::test]
async fn a_retry_of_a_commit_replaces_its_stored_files() {
    let server = TestServer::start().await;
    let id = upload(&server, &[], &of_files(&[("one.py", 1, 2)])).await;
    assert_eq!(
        upload(&server, &[], &of_files(&[("other.py", 2, 2)])).await,
        id
    );
    let page = server.get_text(&format!("/records/{id}")).await;
    assert_shows(&page, &["other.py", "replaced an earlier upload"]);
    assert!(!page.contains("one.py"), "{page}");
}

#[tokio::test]
async fn the_address_searches_sorts_and_opens_files() {
    let server = TestServer::start().await;
    let files = [
        ("src/auth/login.rs", 1, 10),
        ("src/auth/token.rs", 9, 10),
        ("lib.rs", 4, 4),
    ];
    let id = upload(&server, &[], &of_files(&files)).await;
    let page = async |query: &str| {
        let page = server.get_text(&format!("/records/{id}?{query}")).await;
        page[page.find("data-testid=\"files\"").unwrap()..].to_owned()
    };
    let top = page("").await;
    assert_shows(&top, &["src/auth/", "lib.rs"]);
    assert!(!top.contains("login.rs"), "{top}");
    let folder = page("dir=src/auth").await;
    assert!(folder.find("login.rs") < folder.find("token.rs") && !folder.contains("lib.rs"));
    let flat = page("view=flat&sort=name").await;
    assert!(flat.find("lib.rs") < flat.find("src/auth/login.rs"));
    let found = page("file=TOKEN").await;
    assert!(
        found.contains("src/auth/token.rs") && !found.contains("login.rs"),
        "{found}"
    );
    for query in [
        "dir=%00",
        "dir=..%2F..",
        "p=0",
        "p=-1",
        "p=99999999999",
        "sort=x&view=y",
        "file=%25%27",
    ] {
        let response = server.get(&format!("/records/{id}?{query}")).await;
        assert_eq!(response.status(), 200, "{query}");
    }
}

#[tokio::test]
async fn a_record_without_stored_files_says_so_and_shows_its_numbers() {
    let server = TestServer::start().await;
    let id = upload(&server, &[], &cobertura(8_414, 10_000)).await;
    forget_details(&server).await;
    let page = server.get_text(&format!("/records/{id}")).await;
    assert_shows(
        &page,
        &[
            "uploaded before the service stored files",
            "8,414 of 10,000 lines covered",
        ],
    );
}

#[tokio::test]
async fn the_page_of_an_unknown_record_is_404_in_html() {
    let server = TestServer::start().await;
    for id in ["1", "-1", "x", "99999999999999999999"] {
        let response = server.get(&format!("/records/{id}")).await;
        assert_eq!(response.status(), 404, "{id}");
        let page = response.text().await.unwrap();
        assert_shows(&page, &["Not found", "There is no record"]);
    }
}

#[tokio::test]
async fn the_location_of_an_upload_is_the_page_of_its_record() {
    let server = TestServer::start().await;
    let archive = Archive::report("<p>", &cobertura(1, 2)).tar_gz();
    let response = Upload::of(archive).send(&server).await;
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    let page = server.get_text(&location).await;
    assert_shows(&page, &["<h1>Commit ", "50.00"]);
}

#[tokio::test]
async fn every_coverage_format_has_a_page_whose_files_add_up() {
    let server = TestServer::start().await;
    let store: Store = server.store().await;
    let mut with_files = 0;
    for format in [
        "cobertura",
        "jacoco",
        "clover",
        "lcov",
        "opencover",
        "go",
        "istanbul",
    ] {
        for entry in std::fs::read_dir(format!("{TESTDATA}/{format}")).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_none_or(|extension| extension == "expected")
            {
                continue;
            }
            let name = path.file_name().unwrap().to_str().unwrap();
            let archive = Archive::new().file(name, std::fs::read(&path).unwrap());
            let answer = Upload::of(archive.tar_gz())
                .with("coverage_xml_file_name", name)
                .with("repo_name", format)
                .with("commit_hash", name)
                .accepted(&server)
                .await;
            let id = answer["coverage"]["id"].as_i64().unwrap();
            let page = server.get_text(&format!("/records/{id}?view=flat")).await;
            assert_shows(
                &page,
                &["<h1>Commit ", "No HTML report was uploaded", format],
            );
            let details = store.writer().record_details(id).await.unwrap().unwrap();
            if details.files.encoded.is_some() && details.files.count > 0 {
                with_files += 1;
                assert_shows(&page, &["data-testid=\"files\""]);
            }
        }
    }
    assert!(with_files > 40, "{with_files}");
}
