//! Turns for work that needs the memory of several records: unions of parts, and analyses of lines.

use super::{
    IngestError,
    fair_queue::{FairQueue, Permit, QueueLimits, Rank},
};
use domain::Repository;
use std::{
    collections::BTreeSet,
    mem,
    sync::{
        Arc, Mutex as StdMutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use store::{RecordNames, slots::Slots, topmost};
use tokio::{
    sync::{Mutex, OwnedMutexGuard},
    time::timeout,
};

const LONGEST: Duration = Duration::from_secs(60);

/// The most work that may wait. One org may have half of it, and so may one repository. Analyses count once for each repository.
const WAITING: usize = 1_024;

/// One turn at a time. The next turn goes to the org that had one longest ago, and in it to the repository that had one longest
/// ago. Unions go before analyses. Clones share the turns.
#[derive(Clone, Debug)]
pub struct Turns {
    queue: FairQueue,
    /// One analysis of each repository waits in the queue. The others wait for this one.
    analyses: Slots<String, Mutex<()>>,
    /// The searches of a branch and language.
    searches: Slots<String, Searches>,
    /// The histories of lines of each repository.
    histories: Slots<String, Histories>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _permit: Permit,
    _of_repository: Option<OwnedMutexGuard<()>>,
}

#[derive(Debug, Default)]
struct Searches {
    turn: Mutex<()>,
    asked: AtomicU64,
}

/// The records of a repository whose histories are asked for. One task computes them all.
#[derive(Debug, Default)]
pub(super) struct Histories(StdMutex<Asked>);

#[derive(Debug, Default)]
struct Asked {
    ids: BTreeSet<i64>,
    has_task: bool,
}

impl Histories {
    /// Asks for the history of a record. Returns whether the caller becomes the task that computes it.
    pub(super) fn ask(&self, record_id: i64) -> bool {
        let mut asked = self.lock();
        asked.ids.insert(record_id);
        !mem::replace(&mut asked.has_task, true)
    }

    /// Takes the records that were asked for. `None` if there are none and the task has nothing else to do: then it must end.
    pub(super) fn take(&self, has_finished: bool) -> Option<BTreeSet<i64>> {
        let mut asked = self.lock();
        asked.has_task = !(has_finished && asked.ids.is_empty());
        asked.has_task.then(|| mem::take(&mut asked.ids))
    }

    fn lock(&self) -> MutexGuard<'_, Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            queue: FairQueue::new(QueueLimits {
                running: 1,
                waiting: WAITING,
                running_share: 100,
                waiting_share: 50,
                wait: LONGEST,
            }),
            analyses: Slots::default(),
            searches: Slots::default(),
            histories: Slots::default(),
        }
    }
}

impl Turns {
    /// Waits until parts of a record of this repository can be united.
    ///
    /// # Errors
    ///
    /// [`IngestError::Busy`] if too many wait already, or if the wait takes too long.
    pub(super) async fn unite(&self, repository: &Repository) -> Result<Turn, IngestError> {
        let permit = self.queue.enter(keys(repository)).await;
        Ok(Turn {
            _permit: permit.ok_or(IngestError::Busy)?,
            _of_repository: None,
        })
    }

    /// Waits until a record of this repository can be analysed. `None` if the wait takes too long.
    pub(super) async fn analyse(&self, repository: &Repository) -> Option<Turn> {
        let others = self.analyses.get(repository.key());
        let waiting = async {
            let of_repository = others.lock_owned().await;
            let permit = self.queue.enter_as(keys(repository), Rank::Later).await?;
            Some(Turn {
                _permit: permit,
                _of_repository: Some(of_repository),
            })
        };
        timeout(LONGEST, waiting).await.ok()?
    }

    pub(super) fn histories(&self, repository: &Repository) -> Arc<Histories> {
        self.histories.get(repository.key())
    }

    /// Runs a search of the newest records of a branch and language. Skipped if a later search waits, because it finds the same.
    pub(super) async fn search(&self, names: &RecordNames, search: impl Future<Output = ()>) {
        let (repository, branch, language) = (&names.repository, &names.branch, &names.language);
        // No name of a repository or language contains a space.
        let key = format!("{} {language} {branch}", repository.key());
        let searches = self.searches.get(key);
        let mine = searches.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let Ok(_search) = timeout(LONGEST, searches.turn.lock()).await else {
            return;
        };
        if searches.asked.load(Ordering::SeqCst) > mine {
            return;
        }
        if let Some(_turn) = self.analyse(repository).await {
            search.await;
        }
    }
}

/// The org comes first, because it can have any number of repositories.
fn keys(repository: &Repository) -> Vec<String> {
    vec![
        format!("org {}", topmost(repository).to_ascii_lowercase()),
        format!("repository {}", repository.key()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use tokio::task::yield_now;

    fn repository(name: &str) -> Repository {
        name.parse().expect("a repository")
    }

    /// Waits until this many are in the queue.
    async fn waiting(turns: &Turns, count: usize) {
        while turns.queue.waiting() != count {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn an_analysis_of_each_repository_waits_and_the_others_behind_it() {
        let turns = Turns::default();
        let first = turns.unite(&repository("a/one")).await.expect("a turn");
        let analyses: Vec<_> = ["a/one", "a/one", "a/one", "b/two", "b/two"]
            .into_iter()
            .map(|name| {
                let turns = turns.clone();
                tokio::spawn(async move { turns.analyse(&repository(name)).await.is_some() })
            })
            .collect();
        waiting(&turns, 2).await;
        for _ in 0..100 {
            yield_now().await;
        }
        assert_eq!(turns.queue.waiting(), 2);
        drop(first);
        for analysis in analyses {
            assert!(analysis.await.expect("it ends"));
        }
    }

    #[test]
    fn one_task_takes_all_records_that_are_asked_for() {
        let asked = Histories::default();
        assert!(asked.ask(1));
        assert!(!asked.ask(2) && !asked.ask(1));
        assert_eq!(asked.take(true), Some([1, 2].into()));
        assert!(!asked.ask(3), "the task still works");
        assert_eq!(asked.take(false), Some([3].into()));
        assert_eq!(asked.take(false), Some([].into()));
        assert_eq!(asked.take(true), None);
        assert!(asked.ask(4), "the task has ended");
    }

    #[tokio::test]
    async fn searches_of_a_branch_that_wait_become_one() {
        let turns = Turns::default();
        let names = RecordNames {
            repository: repository("a/one"),
            branch: "main".parse().expect("a branch"),
            commit: "c0ffee".parse().expect("a commit"),
            language: "c".parse().expect("a language"),
        };
        let first = turns.unite(&names.repository).await.expect("a turn");
        let searched = Arc::new(AtomicUsize::new(0));
        let searches: Vec<_> = (0..10)
            .map(|_| {
                let (turns, names, searched) = (turns.clone(), names.clone(), searched.clone());
                tokio::spawn(async move {
                    let search = async {
                        searched.fetch_add(1, Ordering::SeqCst);
                    };
                    turns.search(&names, search).await;
                })
            })
            .collect();
        waiting(&turns, 1).await;
        for _ in 0..100 {
            yield_now().await;
        }
        drop(first);
        for search in searches {
            search.await.expect("it ends");
        }
        // The search that waited for the turn, and the last one.
        assert_eq!(searched.load(Ordering::SeqCst), 2);
    }
}
