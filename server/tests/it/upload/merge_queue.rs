//! Merge queues: uploads for commits that a branch does not contain yet.

use crate::harness::{
    Archive, ForgeStandIn, GOOD, KINDS, Kind, Reachable, TOKEN, TestServer, Upload, within_deadline,
};
use domain::RepositoryQuery;
use serde_json::{Value, json};
use std::time::Duration;

/// A commit whose name is this character.
fn sha(name: char) -> String {
    name.to_string().repeat(40)
}

/// The branch on which the queue of GitHub tests a commit.
fn entry(target: &str, number: u32) -> String {
    format!("gh-readonly-queue/{target}/pr-{number}-{}", sha('0'))
}

fn own(branch: &str, commit: char, covered: u32) -> Upload {
    let lines = (1..=100).map(|line| format!("DA:{line},{}\n", u32::from(line <= covered)));
    let lines: String = lines.collect();
    let lcov = format!("SF:src/fee.c\n{lines}end_of_record\n");
    Upload::of(Archive::new().file("coverage.xml", &lcov).tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", &sha(commit))
        .with("summary", "1")
}

fn of_forge(forge: &ForgeStandIn, branch: &str, commit: char, covered: u32) -> Upload {
    own(branch, commit, covered)
        .with("vcs_api_url", &forge.api())
        .authorization(Some(&format!("Bearer {GOOD}")))
}

async fn server_of(forge: &ForgeStandIn) -> TestServer {
    let listed = forge.listed();
    let arguments = [
        "--vcs-api-urls",
        &listed,
        "--upload-token",
        TOKEN,
        "--queue-branches",
        "auto=main,bots/*=main",
        "vcs_queue_seconds",
        "0",
    ];
    TestServer::start_with(&arguments).await
}

/// The percentages in the trend of a branch.
async fn trend(server: &TestServer, branch: &str) -> Vec<u16> {
    let query = RepositoryQuery {
        branch: Some(branch.parse().unwrap()),
        ..RepositoryQuery::default()
    };
    let repository = "acme/payments".parse().unwrap();
    let store = server.store().await;
    let found = store.everything().trend(&repository, &query).await.unwrap();
    let series = found.map(|(_, trend)| trend.series).unwrap_or_default();
    // The trend of the main branch is beside it.
    let points = series.into_iter().take(1).flat_map(|series| series.points);
    points
        .map(|point| point.percentage.basis_points() / 100)
        .collect()
}

/// Waits until the trend of a branch has these percentages.
async fn becomes(server: &TestServer, branch: &str, expected: &[u16]) {
    within_deadline(async {
        while trend(server, branch).await != expected {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// What people read about the repository.
async fn shown(server: &TestServer) -> Vec<String> {
    let mut pages = Vec::new();
    for path in [
        "/repos/acme/payments?tab=branches",
        "/repos/acme/payments?tab=history",
        "/coverages-api/badge?org_name=acme&repo_name=payments&language=rust",
    ] {
        pages.push(server.get(path).await.text().await.unwrap());
    }
    pages
}

#[tokio::test]
async fn an_entry_of_a_queue_becomes_a_record_of_main_without_a_job_there() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_of(&forge).await;
        of_forge(&forge, "main", 'a', 80).accepted(&server).await;
        for commit in ['b', 'c'] {
            forge.leave_out("main", &sha(commit));
        }
        let (queue, train) = (entry("main", 7), "refs/merge-requests/8/train");
        let upload = of_forge(&forge, &queue, 'b', 81);
        let response = upload.send(&server).await;
        let notice = response.headers()["x-coverage-notice"].clone();
        assert!(notice.to_str().unwrap().contains("merge queue"));
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["coverage"]["branch_name"], "main");
        assert_eq!(answer["data"].as_array().unwrap().len(), 1);
        let status = forge.calls().pop().unwrap();
        let description = status.body["description"].as_str().unwrap();
        assert!(description.starts_with("81.00 %"), "{description}");
        assert!(!description.contains("not current"), "{description}");
        let train = of_forge(&forge, train, 'c', 82).with("target_branch", "main");
        train.accepted(&server).await;
        assert_eq!(trend(&server, "main").await, [80]);
        let pages = shown(&server).await;
        for page in &pages {
            let has = |text: &str| page.contains(text);
            assert!(!has("81.00") && !has("82.00") && !has("queue"), "{page}");
        }
        // The first entry was thrown out, the second one lands.
        forge.let_in("main", &sha('c'));
        of_forge(&forge, "fix", 'f', 50).accepted(&server).await;
        becomes(&server, "main", &[80, 82]).await;
        let badge = shown(&server).await.pop().unwrap();
        assert!(badge.contains("82"), "{badge}");
    }
}

#[tokio::test]
async fn only_an_upload_with_the_right_to_the_branch_shows_that_a_commit_landed() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_of(&forge).await;
    own("main", 'a', 80).accepted(&server).await;
    own(&entry("main", 1), 'b', 81).accepted(&server).await;
    own("auto", 'c', 82)
        .with("base_commit", &sha('b'))
        .accepted(&server)
        .await;
    own("feature", 'd', 83)
        .with("base_commit", &sha('c'))
        .accepted(&server)
        .await;
    // Without the right, the stored record of the queue stays as it is.
    forge.leave_out("main", &sha('b'));
    forge.leave_out("main", &sha('c'));
    let denied = of_forge(&forge, "main", 'c', 1).with("base_commit", &sha('b'));
    let answer = denied.accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 82.0);
    assert_eq!(trend(&server, "main").await, [80]);
    let base =
        "/coverages-api/base?org_name=acme&repo_name=payments&language=rust&branch_name=main";
    let url = server.url(&format!(
        "{base}&commit_hash={}&ancestors={},{}",
        sha('e'),
        sha('c'),
        sha('a')
    ));
    let asked = server.client.get(url).bearer_auth(TOKEN).send();
    let base: Value = asked.await.unwrap().json().await.unwrap();
    assert_eq!(base["commit_hash"], json!(sha('c')), "{base}");
    let main = own("main", 'e', 84).with("base_commit", &sha('c'));
    let answer = main.accepted(&server).await;
    assert_eq!(trend(&server, "main").await, [80, 82, 84], "in their order");
    assert_eq!(answer["data"][0]["percentage"], 84.0, "a newer one stays");
}

#[tokio::test]
async fn an_upload_to_the_branch_counts_instead_of_the_queues() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_of(&forge).await;
    let target = "release/1.0";
    own("main", 'a', 80).accepted(&server).await;
    own(target, 'a', 70).accepted(&server).await;
    let part = |branch: &str, part: &str, covered| own(branch, 'b', covered).with("part", part);
    part(&entry(target, 3), "unit", 10).accepted(&server).await;
    part(&entry(target, 3), "web", 90).accepted(&server).await;
    assert_eq!(trend(&server, target).await, [70]);
    own(target, 'b', 71).accepted(&server).await;
    assert_eq!(trend(&server, target).await, [70, 71]);
    // A token of a forge proves nothing about the base of another branch than the main one.
    own(&entry(target, 4), 'e', 90).accepted(&server).await;
    forge.leave_out(target, &sha('e'));
    let names_it = of_forge(&forge, target, 'f', 72).with("base_commit", &sha('e'));
    names_it.accepted(&server).await;
    assert_eq!(trend(&server, target).await, [70, 71, 72]);
    // A branch of this name is a person's unless the operator lists it.
    own("staging", 'c', 60).accepted(&server).await;
    own("bots/1f", 'd', 61).accepted(&server).await;
    assert_eq!(trend(&server, "staging").await, [60]);
    assert_eq!(trend(&server, "main").await, [80]);
}

#[tokio::test]
async fn entries_on_entries_land_together_and_a_rebuilt_one_lands_instead_of_its_former_commit() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_of(&forge).await;
        of_forge(&forge, "main", 'a', 80).accepted(&server).await;
        for commit in ['b', 'c', 'd', 'e'] {
            forge.leave_out("main", &sha(commit));
        }
        let entry_on = async |base: char, commit: char, covered: u32, number: u32| {
            let queue = format!("gh-readonly-queue/main/pr-{number}-{}", sha(base));
            let upload = of_forge(&forge, &queue, commit, covered);
            let upload = upload.with("base_commit", &sha(base));
            let summary = upload.accepted(&server).await["summary"].clone();
            assert_eq!(summary["base"]["commit_hash"], sha(base), "{summary}");
            summary["change"].clone()
        };
        entry_on('a', 'b', 81, 1).await;
        // It is compared with the entry before, although that has not landed.
        entry_on('b', 'c', 82, 2).await;
        // The first one is thrown out, so the second one is built again, and a third one on it.
        entry_on('a', 'd', 83, 2).await;
        entry_on('d', 'e', 84, 3).await;
        assert_eq!(trend(&server, "main").await, [80]);
        for commit in ['d', 'e'] {
            forge.let_in("main", &sha(commit));
        }
        of_forge(&forge, "fix", 'f', 50).accepted(&server).await;
        becomes(&server, "main", &[80, 83, 84]).await;
        let current = server.current_records().await;
        let main = current
            .iter()
            .find(|record| record["branch_name"] == "main");
        assert_eq!(main.unwrap()["commit_hash"], json!(sha('e')));
    }
}
