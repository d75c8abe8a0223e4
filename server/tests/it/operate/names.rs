//! Names of repositories and orgs, which are compared without case, and the commands that change them.

use crate::harness::{Archive, COMMIT, Reachable, TestServer, Upload, cobertura};
use clap::Parser;
use serde_json::json;
use server::commands::{Cli, Command, names};
use std::{process::Stdio, sync::Arc};
use store::HowNamesChange;

fn upload(org: &str, repo: &str, commit: &str, covered: u32) -> Upload {
    Upload::of(Archive::report("<h1>", &cobertura(covered, 100)).tar_gz())
        .with("org_name", org)
        .with("repo_name", repo)
        .with("commit_hash", commit)
}

/// Runs a command on the database of a running server and returns whether it succeeded, its output and its messages.
fn run(server: &TestServer, arguments: &[&str]) -> (bool, String, String) {
    let output = server
        .command(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn done(server: &TestServer, arguments: &[&str]) -> (String, String) {
    let (is_done, printed, messages) = run(server, arguments);
    assert!(is_done, "{arguments:?}: {messages}");
    (printed, messages)
}

#[tokio::test]
async fn every_way_of_naming_a_repository_ignores_case() {
    let server = TestServer::start().await;
    upload("acme", "payments", "c1", 70).accepted(&server).await;
    let answer = upload("ACME", "Payments", "c2", 75).accepted(&server).await;
    assert_eq!(answer["coverage"]["org_name"], "acme");
    assert_eq!(answer["coverage"]["repo_name"], "payments");
    assert_eq!(answer["data"].as_array().unwrap().len(), 1);

    for query in [
        "org_name=ACME",
        "org_name=Acme&repo_name=PAYMENTS",
        "repo_name=Payments",
        "keyword=ME/PAY",
        "org_name=ACME&repo_name=Payments&branch_name=main",
    ] {
        let listing = server
            .get_json(&format!("/coverages-api?full&{query}"))
            .await;
        let records = listing["data"]["acme/payments"].as_array();
        assert_eq!(records.map(Vec::len), Some(2), "{query}: {listing}");
    }
    for query in [
        "org_name=ACME&repo_name=PAYMENTS",
        "org_name=ACME&repo_name=acme/Payments",
    ] {
        let badge = server
            .get_json(&format!("/coverages-api/badge.json?{query}"))
            .await;
        assert_eq!(badge["message"], "75.00%", "{query}");
    }
    for path in [
        "/coverages-api/badge?org_name=Acme&repo_name=Payments",
        "/coverages-api/trend.svg?org_name=Acme&repo_name=Payments&range=all",
        "/coverages-api/trend.svg?org_name=ACME&range=all",
        "/repos/ACME/Payments",
        "/orgs/ACME",
        "/compare?base=ACME/Payments@main&head=1",
        "/?org_name=ACME",
        "/authors/Kim?repo=ACME/Payments",
        "/coverages-api/orgs/trend.csv?org_name=ACME",
        "/coverages-api/orgs/movements.csv?org_name=ACME",
    ] {
        let text = server.get_text(path).await;
        assert!(text.contains("75"), "{path}: {text}");
    }
    for (path, name) in [
        ("/repos/ACME/Payments", ">payments<"),
        ("/orgs/ACME", ">acme<"),
    ] {
        let page = server.get_text(path).await;
        assert!(page.contains(name), "{path}: {page}");
        assert!(
            !page.contains(">ACME<") && !page.contains(">Payments<"),
            "{path}: {page}"
        );
    }
    let link = "/coverages-api/assets/ACME/PAYMENTS/main/archive/";
    assert!(server.get(link).await.status().is_success());

    let body = json!({
        "org_name": "ACME", "repo_name": "PAYMENTS", "commit_hash": COMMIT, "active_branches": ["main"],
    });
    upload("acme", "payments", "c3", 76)
        .with("branch_name", "fix")
        .accepted(&server)
        .await;
    let request = server.client.put(server.url("/coverages-api")).json(&body);
    let request = request.header("authorization", crate::harness::TOKEN);
    assert_eq!(request.send().await.unwrap().status(), 200);
    let listing = server.get_json("/coverages-api").await;
    assert_eq!(
        listing["data"]["acme/payments"].as_array().unwrap().len(),
        1
    );

    let (branch, messages) = done(&server, &["main-branch", "ACME/PAYMENTS", "main"]);
    assert_eq!(branch, "main\n");
    assert!(
        messages.contains("of acme/payments is configured"),
        "{messages}"
    );
    let export = ["export", "--org", "ACME", "--repo", "Payments"];
    assert_eq!(done(&server, &export).0.lines().count(), 3);
    assert_eq!(
        done(&server, &["export", "--org", "ACME"])
            .0
            .lines()
            .count(),
        3
    );
}

#[tokio::test]
async fn an_import_in_another_case_adds_to_the_same_repository() {
    let server = TestServer::start().await;
    upload("acme", "payments", "c1", 70).accepted(&server).await;
    let (file, _) = done(&server, &["export"]);
    let other = TestServer::start().await;
    upload("ACME", "Payments", "c1", 70).accepted(&other).await;
    let path = other.folder.path().join("history.ndjson");
    let more = file.replace("\"c1\"", "\"c2\"");
    std::fs::write(&path, format!("{file}{more}")).unwrap();
    let (_, messages) = done(&other, &["import", path.to_str().unwrap()]);
    assert!(
        messages.ends_with("\n1 records added, 1 existed already\n"),
        "{messages}"
    );
    for record in other.records().await {
        assert_eq!(
            (&record["org_name"], &record["repo_name"]),
            (&json!("ACME"), &json!("Payments"))
        );
    }
}

#[tokio::test]
async fn a_token_matches_its_repository_in_any_case() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let create = [
        "token", "create", "--name", "ci", "--org", "acme", "--repo", "payments",
    ];
    let token = done(&server, &create).0.trim().to_owned();
    let by_token = |org: &str, repo: &str| {
        upload(org, repo, "c1", 70).authorization(Some(&format!("Bearer {token}")))
    };
    by_token("ACME", "Payments").accepted(&server).await;
    by_token("acme", "payments").accepted(&server).await;
    assert_eq!(
        server.records().await.len(),
        1,
        "the token covers one repository"
    );
    assert_eq!(by_token("acme", "payment").refused(&server).await.0, 403);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_spellings_uploaded_at_once_are_one_repository() {
    let server = Arc::new(TestServer::start().await);
    let spellings = [
        ("acme/Sub", "payments"),
        ("ACME/sub", "Payments"),
        ("Acme/SUB", "PAYMENTS"),
    ];
    let uploads = (0..24).map(|n| {
        let server = server.clone();
        let (org, repo) = spellings[n % 3];
        tokio::spawn(async move {
            let upload = upload(org, repo, &format!("c{n}"), n as u32);
            upload.accepted(&*server).await["coverage"].clone()
        })
    });
    let mut names = Vec::new();
    for upload in uploads.collect::<Vec<_>>() {
        let record = upload.await.unwrap();
        names.push((record["org_name"].clone(), record["repo_name"].clone()));
    }
    names.dedup();
    assert_eq!(names.len(), 1, "{names:?}");
    assert_eq!(server.records().await.len(), 24);
    assert_eq!(server.current_records().await.len(), 1);
}

#[tokio::test]
async fn attempts_are_found_in_any_case_of_the_repository() {
    let server = TestServer::start().await;
    upload("ACME", "Payments", "c1", 70)
        .authorization(Some("Bearer wrong"))
        .refused(&server)
        .await;
    let store = server.store().await;
    let repository = "acme/PAYMENTS".parse().unwrap();
    let arrivals = store
        .everything()
        .arrivals(Some(&repository))
        .await
        .unwrap();
    assert_eq!(arrivals.attempts.len(), 1);
}

#[tokio::test]
async fn a_repository_is_renamed_while_the_service_runs() {
    let server = TestServer::start().await;
    let answer = upload("acme", "old", "c1", 70).accepted(&server).await;
    let id = &answer["coverage"]["id"];
    let create = [
        "token", "create", "--name", "ci", "--org", "acme", "--repo", "old",
    ];
    let token = done(&server, &create).0.trim().to_owned();
    let listing = server.get_json("/coverages-api").await;
    assert!(listing["data"].get("acme/old").is_some(), "{listing}");

    let rename = ["rename", "acme/old", "labs/new"];
    let (is_done, _, messages) = run(&server, &rename);
    assert!(!is_done && messages.contains("add --yes"), "{messages}");
    let (_, messages) = done(&server, &[&rename[..], &["--dry-run"]].concat());
    assert!(
        messages.contains("acme/old would be called labs/new"),
        "{messages}"
    );
    let listing = server.get_json("/coverages-api").await;
    assert!(listing["data"].get("acme/old").is_some(), "{listing}");
    let (_, messages) = done(&server, &[&rename[..], &["--yes"]].concat());
    assert!(
        messages.contains("acme/old is called labs/new"),
        "{messages}"
    );
    assert!(
        messages.contains("The token ci is for the new name"),
        "{messages}"
    );

    let listing = server.get_json("/coverages-api").await;
    let names: Vec<_> = listing["data"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["labs/new"]);
    assert!(
        server
            .get_text(&format!("/records/{id}"))
            .await
            .contains("labs")
    );
    assert!(
        server
            .get_text(&format!("/reports/{id}/index.html"))
            .await
            .contains("<h1>")
    );
    assert!(server.get_text("/").await.contains("labs"));
    assert_eq!(server.get("/repos/acme/old").await.status(), 404);
    let upload = upload("labs", "new", "c1", 71);
    let again = upload
        .authorization(Some(&format!("Bearer {token}")))
        .accepted(&server)
        .await;
    assert_eq!(&again["coverage"]["id"], id);
    for (arguments, message) in [
        (
            ["rename", "acme/old", "acme/x"],
            "nothing was ever uploaded to acme/old",
        ),
        (["rename", "labs/new", "labs/a b"], "must be"),
        (
            ["merge", "labs/new", "labs/other"],
            "there is no labs/other to merge into",
        ),
        (
            ["rename", "labs", "labs/other"],
            "two repositories or two orgs",
        ),
    ] {
        let (is_done, _, messages) = run(&server, &[&arguments[..], &["--yes"]].concat());
        assert!(
            !is_done && messages.contains(message),
            "{arguments:?}: {messages}"
        );
    }
}

#[tokio::test]
async fn a_rename_on_a_terminal_needs_a_yes() {
    let server = TestServer::start().await;
    upload("acme", "old", "c1", 70).accepted(&server).await;
    for (answer, is_done) in [("", false), ("\n", false), ("no\n", false), ("y\n", true)] {
        let database = server.database_url();
        let line = [
            "coverage-dashboard",
            "rename",
            "acme/old",
            "acme/new",
            "--database-url",
            &database,
        ];
        let Command::Rename(arguments) = Cli::parse_from(line).command else {
            unreachable!("the command is `rename`");
        };
        let (how, mut messages) = (HowNamesChange::Rename, Vec::new());
        let done = names::run(arguments, how, true, &mut answer.as_bytes(), &mut messages).await;
        assert_eq!(done.is_ok(), is_done, "{answer:?}: {done:?}");
        let messages = String::from_utf8(messages).unwrap();
        assert!(
            messages.contains("acme/old would be called acme/new.\nChange this?"),
            "{messages}"
        );
        let listing = server.get_json("/coverages-api").await;
        assert_eq!(
            listing["data"].get("acme/new").is_some(),
            is_done,
            "{answer:?}"
        );
    }
}

#[tokio::test]
async fn repositories_are_merged_while_the_service_runs() {
    let server = TestServer::start().await;
    upload("acme", "one", "c1", 10).accepted(&server).await;
    let kept = upload("acme", "two", "c1", 20).accepted(&server).await;
    upload("acme", "one", "c2", 30).accepted(&server).await;
    assert_eq!(server.current_records().await.len(), 2);
    let (_, messages) = done(&server, &["merge", "acme/one", "ACME/Two", "--yes"]);
    assert!(
        messages.contains("acme/one is merged into acme/two: 1 records; 1 commits are in both"),
        "{messages}"
    );
    let current = server.current_records().await;
    assert_eq!(current.len(), 1);
    assert_eq!(current[0]["commit_hash"], "c2");
    let mut ids: Vec<_> = server
        .records()
        .await
        .iter()
        .map(|record| record["id"].clone())
        .collect();
    ids.sort_by_key(|id| id.as_i64());
    assert_eq!(
        ids,
        [kept["coverage"]["id"].clone(), current[0]["id"].clone()]
    );
    assert_eq!(server.stored_files().len(), 3);
    let reports = server.command(&["prune", "--now"]).output().unwrap();
    assert!(reports.status.success(), "{reports:?}");
    assert_eq!(
        server.stored_files().len(),
        2,
        "one report of the common commit is removed"
    );
    assert!(server.get_text("/repos/acme/two").await.contains("30.00"));
}
