//! `coverage-dashboard delete`, on the database and the reports of a running service.

use super::*;
use clap::Parser;
use server::commands::{Cli, Command as Parsed};

#[tokio::test]
async fn the_next_request_no_longer_sees_what_a_command_deleted() {
    let server = TestServer::start().await;
    let mut pages = Vec::new();
    for (branch, commit) in [
        ("main", "c1"),
        ("main", "c2"),
        ("next", "c1"),
        ("next", "c2"),
    ] {
        let id = upload(&server, branch, commit, 50).await;
        let page = versioned(&server, id).await;
        assert_eq!(server.get(&page).await.status(), 200, "the report is open");
        pages.push((id, page));
    }
    let gone = async |ids: &[i64]| {
        for (id, page) in &pages {
            let expected = if ids.contains(id) { 404 } else { 200 };
            assert_eq!(server.get(page).await.status(), expected, "{page}");
            let record = server.get(&format!("/records/{id}")).await;
            assert_eq!(record.status(), expected);
        }
        assert_eq!(server.records().await.len(), pages.len() - ids.len());
        let reports = server.stored_files().into_iter();
        assert_eq!(reports.count(), pages.len() - ids.len());
    };
    gone(&[]).await;
    let second = pages[1].0;
    let (_, notes) = done(&server, &["delete", "record", &second.to_string(), "--yes"]);
    assert!(notes.contains("Record 1 is now current."), "{notes}");
    gone(&[2]).await;
    done(
        &server,
        &["delete", "branch", "acme/payments", "next", "--yes"],
    );
    gone(&[2, 3, 4]).await;
    let of_it = ["--org", "acme", "--repo", "payments"];
    token(&server, "ci of payments", "upload", &of_it);
    let of_it = ["--org", "ACME", "--repo", "Payments"];
    token(&server, "ci in capitals", "upload", &of_it);
    let (_, notes) = done(&server, &["delete", "repository", "acme/payments", "--yes"]);
    assert!(
        notes.contains("has no records left and was removed"),
        "{notes}"
    );
    assert!(notes.contains("The token ci of payments is for"), "{notes}");
    assert!(notes.contains("The token ci in capitals is for"), "{notes}");
    gone(&[1, 2, 3, 4]).await;
    assert_eq!(server.get("/repos/acme/payments").await.status(), 404);
    let rows = audit(&server, &["--org", "acme"]);
    let expected = [
        "record_deleted",
        "branch_deleted",
        "token_created",
        "token_created",
        "repository_deleted",
    ];
    assert_eq!(actions(&rows), expected);
    for row in &rows {
        assert_eq!(row["actor_kind"], "command");
        assert!(!row["actor"].as_str().unwrap().is_empty());
        let source = row["source"].as_str().unwrap();
        assert!(source.starts_with("command line on "), "{source}");
    }
    upload(&server, "main", "c1", 60).await;
    assert_eq!(server.get("/repos/acme/payments").await.status(), 200);
}

#[tokio::test]
async fn nothing_is_deleted_without_a_yes() {
    let server = TestServer::start().await;
    let id = upload(&server, "main", "c1", 50).await.to_string();
    let output = run(&server, &["delete", "record", &id]);
    let notes = text(output.stderr);
    assert!(
        !output.status.success() && notes.contains("add --yes"),
        "{notes}"
    );
    assert!(notes.contains("record 1: main, rust, c1"), "{notes}");
    let url = server.database_url();
    let folder = server.folder.path().join("reports").display().to_string();
    for (answer, left) in [("", 1), ("no\n", 1), ("y\n", 1), ("yes\n", 0)] {
        let arguments = [
            "coverage-dashboard",
            "delete",
            "author",
            "Kim",
            "--replace-with",
            "Somebody",
            "--database-url",
            &url,
            "--reports-url",
            &folder,
        ];
        let Parsed::Delete(arguments) = Cli::parse_from(arguments).command else {
            unreachable!("the command is `delete`");
        };
        let (mut answers, mut notes) = (answer.as_bytes(), Vec::new());
        let done = server::commands::delete::run(arguments, true, &mut answers, &mut notes).await;
        let notes = text(notes);
        assert_eq!(done.is_ok(), left == 0, "{answer:?}: {notes}");
        assert!(notes.contains("Type yes to continue:"), "{notes}");
        let records = server.listed("/coverages-api?commit_author=Kim").await;
        assert_eq!(records.len(), left, "{answer:?}");
    }
}

#[tokio::test]
async fn deleting_something_unknown_is_an_error() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", 50).await;
    for (arguments, sentence) in [
        (&["record", "99"][..], "there is no record 99"),
        (&["branch", "acme/payments", "next"], "has no branch next"),
        (&["branch", "acme/other", "main"], "has no branch main"),
        (
            &["repository", "acme/other"],
            "nothing was ever uploaded to acme/other",
        ),
        (
            &["author", "Lee", "--replace-with", "X"],
            "no record has the author Lee",
        ),
        (&["author", "Kim"], "--replace-with"),
    ] {
        let output = run(&server, &[&["delete", "--yes"], arguments].concat());
        let notes = text(output.stderr);
        assert!(
            !output.status.success() && notes.contains(sentence),
            "{notes}"
        );
    }
    let elsewhere = [
        "delete",
        "record",
        "1",
        "--yes",
        "--reports-url",
        "/nothing/here",
    ];
    let output = run(&server, &elsewhere);
    let notes = text(output.stderr);
    assert!(
        !output.status.success() && notes.contains("check REPORTS_URL"),
        "{notes}"
    );
    assert_eq!(server.records().await.len(), 1);
}

#[tokio::test]
async fn prompts_escape_bidirectional_control_characters_in_names() {
    let server = TestServer::start().await;
    let branch = "x\u{202e}niam";
    upload(&server, branch, "c1", 50).await;
    for arguments in [
        &["delete", "record", "1"][..],
        &["delete", "branch", "acme/payments", branch],
    ] {
        let notes = text(run(&server, arguments).stderr);
        assert!(notes.contains("x\u{fffd}niam"), "{notes}");
        assert!(!notes.contains('\u{202e}'), "{notes}");
    }
}
