//! `kill -9` during many uploads.

use super::{
    assert_no_orphans, assert_nothing_left, assert_whole, let_time_pass, number_of, upload,
};
use crate::harness::{NO_GRACE, Reachable, ServerProcess, TestServer};
use reqwest::Client;
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};
use tempfile::TempDir;
use tokio::time::sleep;

const KILLS: usize = 24;
const ACKNOWLEDGED: u32 = 300;
/// The maximum number of acknowledged uploads between two kills.
const BETWEEN_KILLS: u32 = 24;
const UPLOADERS: usize = 8;
/// The commits of each uploader. They repeat, so uploads replace earlier ones.
const COMMITS: u32 = 20;

/// The results of the uploads of one commit.
#[derive(Clone, Default)]
pub(super) struct Commit {
    /// The id of its record, and the number of the last acknowledged upload.
    pub(super) acknowledged: Option<(Value, u32)>,
    /// Uploads sent after it that were never answered. Each may have been stored or not.
    pub(super) unanswered: Vec<u32>,
}

#[derive(Default)]
struct World {
    url: Mutex<String>,
    stopping: AtomicBool,
    next_number: AtomicU32,
    acknowledged: AtomicU32,
    commits: Mutex<HashMap<(String, String), Commit>>,
}

impl World {
    /// Waits for this many further acknowledgements.
    async fn progress(&self, by: u32) {
        let wanted = self.acknowledged.load(Ordering::Relaxed) + by;
        while self.acknowledged.load(Ordering::Relaxed) < wanted {
            sleep(Duration::from_millis(1)).await;
        }
    }

    /// Uploads until it is stopped. Each uploader has its own commits, so their order is known. Two uploaders share each branch.
    async fn upload(self: Arc<Self>, uploader: usize) {
        let (client, branch) = (Client::new(), format!("b{}", uploader / 2));
        for turn in 0.. {
            if self.stopping.load(Ordering::Relaxed) {
                return;
            }
            let commit = format!("u{uploader}c{}", turn % COMMITS);
            let number = self.next_number.fetch_add(1, Ordering::Relaxed) % 10_000;
            let upload = upload(number)
                .with("branch_name", &branch)
                .with("commit_hash", &commit);
            let url = self.url.lock().unwrap().clone();
            let answer = async {
                let response = upload.try_send(&client, &url).await?;
                let status = response.status();
                let text = response.text().await?;
                assert!(status.is_success(), "{status}: {text}");
                Ok::<Value, reqwest::Error>(serde_json::from_str(&text).unwrap())
            };
            let answer = answer.await;
            let mut commits = self.commits.lock().unwrap();
            let known = commits.entry((branch.clone(), commit)).or_default();
            match answer {
                Ok(answer) => {
                    self.acknowledged.fetch_add(1, Ordering::Relaxed);
                    *known = Commit {
                        acknowledged: Some((answer["coverage"]["id"].clone(), number)),
                        unanswered: Vec::new(),
                    }
                }
                Err(_) => known.unanswered.push(number),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn killing_the_process_at_any_time_loses_or_halves_no_upload() {
    let folder = TempDir::new().unwrap();
    let world = Arc::new(World::default());
    let mut server = ServerProcess::start(folder.path(), &NO_GRACE);
    *world.url.lock().unwrap() = server.url("");
    let uploaders: Vec<_> = (0..UPLOADERS)
        .map(|uploader| tokio::spawn(world.clone().upload(uploader)))
        .collect();
    for _ in 0..KILLS {
        world.progress(rand::random_range(0..BETWEEN_KILLS)).await;
        sleep(Duration::from_millis(rand::random_range(0..50))).await;
        server.kill();
        server = ServerProcess::start(folder.path(), &NO_GRACE);
        *world.url.lock().unwrap() = server.url("");
    }
    let acknowledged = world.acknowledged.load(Ordering::Relaxed);
    world
        .progress(ACKNOWLEDGED.saturating_sub(acknowledged))
        .await;
    world.stopping.store(true, Ordering::Relaxed);
    for uploader in uploaders {
        uploader.await.unwrap();
    }
    server.kill();
    let_time_pass(folder.path()).await;
    let server = TestServer::start_in(folder, &NO_GRACE).await;
    let commits = world.commits.lock().unwrap().clone();
    assert_commits(&server, &commits).await;
}

/// Checks that the server has every acknowledged upload and nothing that was not sent.
pub(super) async fn assert_commits(
    server: &TestServer,
    commits: &HashMap<(String, String), Commit>,
) {
    let records = server.records().await;
    let stored: BTreeMap<(String, String), &Value> = records
        .iter()
        .map(|record| {
            let text = |name: &str| record[name].as_str().unwrap().to_owned();
            ((text("branch_name"), text("commit_hash")), record)
        })
        .collect();
    assert_eq!(stored.len(), records.len(), "a commit has one record");
    for (key, commit) in commits {
        let record = stored.get(key);
        let Some((id, number)) = &commit.acknowledged else {
            continue;
        };
        let record = record.unwrap_or_else(|| panic!("{key:?} was acknowledged and is lost"));
        assert_eq!(record["id"], *id);
        assert!(
            number_of(record) == *number || commit.unanswered.contains(&number_of(record)),
            "{key:?} has an older upload than the one that was acknowledged: {record}"
        );
    }
    for (key, record) in &stored {
        let commit = &commits[key];
        let sent = commit.acknowledged.iter().map(|(_, number)| *number);
        assert!(
            sent.chain(commit.unanswered.iter().copied())
                .any(|number| number == number_of(record)),
            "{record} was never sent"
        );
        assert_whole(server, record).await;
    }
    let current = server.current_records().await;
    let branches: std::collections::HashSet<_> = records
        .iter()
        .map(|record| record["branch_name"].to_string())
        .collect();
    assert_eq!(
        current.len(),
        branches.len(),
        "one current record per branch"
    );
    assert_no_orphans(server, records.len());
    assert_nothing_left(server).await;
}
