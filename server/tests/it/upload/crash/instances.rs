//! Two services that share a database and a folder or bucket of reports, behind a load balancer, with `kill -9` of each
//! in turn.

use super::{
    html,
    killed::{Commit, assert_commits},
    let_time_pass, name, number_of, upload,
};
use crate::harness::{
    Balancer, NO_GRACE, ObjectStorage, Reachable, ServerProcess, TestServer, is_postgres,
};
use rand::seq::IteratorRandom;
use serde_json::Value;
use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};
use tempfile::TempDir;
use tokio::time::{Duration, sleep};

const KILLS: usize = 6;
/// Uploads that are acknowledged between two kills: two of each uploader, so that each is again somewhere in the middle of one.
const BETWEEN_KILLS: u32 = 12;
const UPLOADERS: usize = 6;
const READERS: usize = 4;
/// The commits of each uploader. They repeat, so uploads replace earlier ones on either service.
const COMMITS: u32 = 10;
/// The prefix in the bucket.
const PREFIX: &str = "shared";

struct World {
    balancer: Balancer,
    stopping: AtomicBool,
    /// Incremented before and after each kill: odd while a service is going down.
    kills: AtomicU32,
    next_number: AtomicU32,
    acknowledged: AtomicU32,
    commits: Mutex<HashMap<(String, String), Commit>>,
    failures: Mutex<Vec<String>>,
}

impl World {
    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Whether a request that began at this value of `kills` may have been running in a killed service.
    fn may_have_been_cut_off(&self, kills: u32) -> bool {
        kills % 2 == 1 || kills != self.kills.load(Ordering::SeqCst)
    }

    fn fail(&self, failure: String) {
        self.failures.lock().unwrap().push(failure);
    }

    async fn progress(&self, by: u32) {
        let wanted = self.acknowledged.load(Ordering::SeqCst) + by;
        while self.acknowledged.load(Ordering::SeqCst) < wanted {
            sleep(Duration::from_millis(1)).await;
        }
    }

    async fn upload(self: Arc<Self>, uploader: usize) {
        let branch = format!("b{}", uploader / 2);
        for turn in 0.. {
            if self.is_stopping() {
                return;
            }
            let commit = format!("u{uploader}c{}", turn % COMMITS);
            let number = self.next_number.fetch_add(1, Ordering::SeqCst);
            let kills = self.kills.load(Ordering::SeqCst);
            let upload = upload(number)
                .with("branch_name", &branch)
                .with("commit_hash", &commit);
            let answer = async {
                let (client, url) = (self.balancer.client(), self.balancer.url(""));
                let response = upload.try_send(client, &url).await?;
                Ok::<_, reqwest::Error>((response.status(), response.text().await?))
            };
            let answer = answer.await;
            let mut commits = self.commits.lock().unwrap();
            let known = commits.entry((branch.clone(), commit)).or_default();
            match answer {
                Ok((status, text)) if status.is_success() => {
                    let answer: Value = serde_json::from_str(&text).unwrap();
                    self.acknowledged.fetch_add(1, Ordering::SeqCst);
                    *known = Commit {
                        acknowledged: Some((answer["coverage"]["id"].clone(), number)),
                        unanswered: Vec::new(),
                    }
                }
                Ok((status, text)) => self.fail(format!("an upload: {status} {text}")),
                Err(_) if self.may_have_been_cut_off(kills) => known.unanswered.push(number),
                Err(error) => self.fail(format!("an upload: {error}")),
            }
        }
    }

    /// Reads acknowledged uploads through either service. A result must never be older.
    async fn read(self: Arc<Self>) {
        while !self.is_stopping() {
            let known = self.commits.lock().unwrap().clone();
            let acknowledged = known
                .values()
                .filter_map(|commit| commit.acknowledged.clone());
            let Some((id, number)) = acknowledged.choose(&mut rand::rng()) else {
                sleep(Duration::from_millis(10)).await;
                continue;
            };
            let kills = self.kills.load(Ordering::SeqCst);
            for path in [
                format!("/reports/{id}/{}", name(0)),
                "/coverages-api?full&per_page=1000".to_owned(),
            ] {
                let answer = async {
                    let url = self.balancer.url(&path);
                    let response = self.balancer.client().get(url).send().await?;
                    Ok::<_, reqwest::Error>((response.status(), response.text().await?))
                };
                match answer.await {
                    Ok((status, text)) if status.is_success() => {
                        let found = if path.starts_with("/reports") {
                            number_of_page(&text)
                        } else {
                            number_in_listing(&text, &id)
                        };
                        if found.is_none_or(|found| found < number) {
                            self.fail(format!("{path}: {found:?} instead of {number}"));
                        }
                    }
                    Ok((status, text)) => self.fail(format!("{path}: {status} {text}")),
                    Err(_) if self.may_have_been_cut_off(kills) => {}
                    Err(error) => self.fail(format!("{path}: {error}")),
                }
            }
        }
    }
}

/// The upload that a page belongs to, if the page is complete.
fn number_of_page(text: &str) -> Option<u32> {
    let number = text.strip_prefix("<h1>")?.split(' ').next()?.parse().ok()?;
    (text == html(number, 0)).then_some(number)
}

fn number_in_listing(text: &str, id: &Value) -> Option<u32> {
    let listing: Value = serde_json::from_str(text).ok()?;
    let mut records = listing["data"]
        .as_object()?
        .values()
        .flat_map(Value::as_array);
    let record = records.find_map(|records| records.iter().find(|record| record["id"] == *id));
    record.map(number_of)
}

fn start(folder: &Path, storage: Option<&ObjectStorage>) -> (ServerProcess, String) {
    let server = match storage {
        Some(storage) => {
            let reports = storage.url(PREFIX);
            let arguments = [&["--reports-url", &reports], &NO_GRACE[..]].concat();
            ServerProcess::start_by(storage.command(), folder, &arguments)
        }
        None => ServerProcess::start(folder, &NO_GRACE),
    };
    let address = server.url("").replace("http://", "");
    (server, address)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_instances_share_their_data_and_killing_one_loses_nothing() {
    if is_postgres() {
        assert_shared(None).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_instances_share_a_bucket_and_killing_one_loses_nothing() {
    if is_postgres()
        && let Some(storage) = ObjectStorage::start()
    {
        assert_shared(Some(&storage)).await;
    }
}

async fn assert_shared(storage: Option<&ObjectStorage>) {
    let folder = TempDir::new().unwrap();
    let start = || start(folder.path(), storage);
    let ((mut one, first), (mut other, second)) = (start(), start());
    let world = Arc::new(World {
        balancer: Balancer::start(vec![first, second]).await,
        stopping: AtomicBool::new(false),
        kills: AtomicU32::new(0),
        next_number: AtomicU32::new(1),
        acknowledged: AtomicU32::new(0),
        commits: Mutex::default(),
        failures: Mutex::default(),
    });
    let uploading = (0..UPLOADERS).map(|uploader| tokio::spawn(world.clone().upload(uploader)));
    let reading = (0..READERS).map(|_| tokio::spawn(world.clone().read()));
    let working: Vec<_> = uploading.chain(reading).collect();
    for kill in 0..KILLS {
        world.progress(rand::random_range(1..BETWEEN_KILLS)).await;
        world.kills.fetch_add(1, Ordering::SeqCst);
        let (place, server) = match kill % 2 {
            0 => (0, &mut one),
            _ => (1, &mut other),
        };
        server.kill_now();
        world.kills.fetch_add(1, Ordering::SeqCst);
        // The other service does all the work for a while.
        world.progress(BETWEEN_KILLS).await;
        let (again, address) = start();
        *server = again;
        world.balancer.replace(place, address);
    }
    world.progress(BETWEEN_KILLS).await;
    world.stopping.store(true, Ordering::SeqCst);
    for task in working {
        task.await.unwrap();
    }
    let failures = world.failures.lock().unwrap().clone();
    assert!(failures.is_empty(), "{failures:#?}");
    one.kill();
    other.kill();
    let_time_pass(folder.path()).await;
    let place = storage.map(|storage| (storage, PREFIX));
    let server = TestServer::start_at(folder, place, &NO_GRACE).await;
    let commits = world.commits.lock().unwrap().clone();
    assert_commits(&server, &commits).await;
}
