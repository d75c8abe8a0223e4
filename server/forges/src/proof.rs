//! A token that a forge accepted for a commit. It writes the upload's status to this commit.

use super::{
    Api, CommitStatus, State, Wanted,
    verdict::{Containment, Failure, LONGEST_WAIT, Verdict},
};
use config::{Secret, access::forge_of};
use domain::{
    BranchName, CommitAuthor, CommitHash,
    text::{chain, hexadecimal},
};
use sha2::{Digest, Sha256};
use std::{
    fmt,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use store::ForgeChanges;
use tokio::{
    runtime::Handle,
    time::{Instant, sleep, timeout_at},
};
use tokio_util::task::TaskTracker;

/// The pauses before each retry if the forge could not write a status.
const LATER: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// The maximum time that the response to an upload waits for writes to the forge.
const TOLD_WITHIN: Duration = Duration::from_secs(5);

/// A token that a forge accepted for a commit. It lives as long as its upload. If it is dropped without a conclusion, the status
/// becomes "The upload was interrupted".
#[derive(Debug)]
pub struct Proof {
    pub(super) writer: Writer,
    tasks: TaskTracker,
    is_concluded: AtomicBool,
    /// Why the forge last refused a status, or how long it wants no further one.
    refusal: Arc<Mutex<Option<String>>>,
    /// Whether the forge accepted the last status at the first attempt.
    is_taken: Arc<AtomicBool>,
    /// The moment until which the answer waits for writes to the forge.
    until: OnceLock<Instant>,
}

/// The reason why a status is not written yet, and when to retry.
#[derive(Default)]
struct Later {
    /// The least time to wait.
    wait: Duration,
    /// The reason, in one sentence.
    why: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Writer {
    pub(super) api: Arc<Api>,
    pub(super) token: Secret,
    /// The status of the upload that is in progress.
    pub(super) pending: CommitStatus,
    refused: Option<Refused>,
}

/// Called when the forge refuses the token.
#[derive(Clone)]
struct Refused(Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Refused")
    }
}

impl Proof {
    pub(super) fn new(
        api: Arc<Api>,
        token: &str,
        pending: CommitStatus,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            writer: Writer {
                api,
                token: Secret::from(token),
                pending,
                refused: None,
            },
            tasks,
            is_concluded: AtomicBool::new(false),
            refusal: Arc::default(),
            is_taken: Arc::default(),
            until: OnceLock::new(),
        }
    }

    /// Sets the function that is called whenever the forge refuses the token.
    pub(super) fn counted(mut self, refused: impl Fn() + Send + Sync + 'static) -> Self {
        self.writer.refused = Some(Refused(Arc::new(refused)));
        self
    }

    /// Returns the hash of the token, which identifies the token without revealing it.
    pub fn token_hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.writer.token.expose().as_bytes()))
    }

    /// Fetches the changes of a pull request of the repository.
    pub async fn changes(&self, wanted: Wanted<'_>) -> ForgeChanges {
        let (writer, token) = (&self.writer, self.writer.token.expose());
        writer
            .api
            .changes(token, &writer.pending.repository, wanted)
            .await
    }

    /// Returns the means to ask the forge about commits, also after the upload.
    pub fn asker(&self) -> Asker {
        Asker(self.writer.clone())
    }

    /// Returns the name of the forge.
    pub fn forge(&self) -> String {
        forge_of(self.writer.api.url())
    }

    /// Returns why the forge refused the last status, in one sentence.
    pub fn refusal(&self) -> Option<String> {
        let refusal = self.refusal.lock();
        refusal.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns whether the forge accepted the last status at the first attempt. `false` if it refused or failed, or has not answered
    /// yet.
    pub fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Relaxed)
    }

    /// Leaves the status pending, for the upload that follows.
    pub fn leave_pending(self) {
        self.is_concluded.store(true, Ordering::Relaxed);
    }

    /// Returns the pending status of the upload.
    pub fn pending(&self) -> &CommitStatus {
        &self.writer.pending
    }

    /// Writes a status of the commit; it replaces the pending status of the same name. If the forge refuses it, the result of the
    /// upload stays the same. If the forge is down or busy, the write is retried. Waits until [`Self::until`]; after that, the write
    /// continues in the background.
    pub async fn conclude(&self, status: CommitStatus) {
        if status.context == self.pending().context {
            self.is_concluded.store(true, Ordering::Relaxed);
        }
        let outcome = self.writer.api.next_outcome(&status);
        let (writer, tasks) = (self.writer.clone(), self.tasks.clone());
        let (last, is_taken) = (self.refusal.clone(), self.is_taken.clone());
        is_taken.store(false, Ordering::Relaxed);
        let telling = self.tasks.spawn(async move {
            match writer.write(&status).await {
                Ok(refusal) => {
                    is_taken.store(refusal.is_none(), Ordering::Relaxed);
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = refusal;
                }
                Err(Later { wait, why }) => {
                    if why.is_some() {
                        *last.lock().unwrap_or_else(PoisonError::into_inner) = why;
                    }
                    // A rate limit may last an hour, which is too long for a task.
                    if wait <= LONGEST_WAIT {
                        tasks.spawn(async move { writer.write_later(status, outcome, wait).await });
                    }
                }
            }
        });
        timeout_at(self.until(), telling).await.ok();
    }

    /// Writes the status of a refused upload, with the error sentence of the response.
    pub async fn conclude_refused(&self, detail: &str) {
        self.conclude(self.pending().with(State::Error, detail))
            .await;
    }

    /// Returns the moment until which the answer waits for writes to the forge: a few seconds after the first call.
    pub fn until(&self) -> Instant {
        *self.until.get_or_init(|| Instant::now() + TOLD_WITHIN)
    }
}

/// Asks a forge about the commits of a repository.
#[derive(Clone, Debug)]
pub struct Asker(Writer);

impl Asker {
    /// Returns whether a branch contains a commit; `None` if the forge does not say, so that further questions are in vain.
    pub async fn contains(&self, branch: &BranchName, commit: &CommitHash) -> Option<bool> {
        let Writer { api, token, .. } = &self.0;
        let status = CommitStatus {
            commit: commit.clone(),
            ..self.0.pending.clone()
        };
        match api.compare(token.expose(), &status, branch).await.ok()? {
            Containment::Contained => Some(true),
            Containment::Missing => Some(false),
            Containment::Withheld | Containment::Failed(_) => None,
        }
    }

    /// Returns the author of the commit of the upload; `None` if the forge does not say.
    pub async fn author(&self) -> Option<CommitAuthor> {
        let Writer {
            api,
            token,
            pending,
            ..
        } = &self.0;
        let token = token.expose();
        api.author(token, &pending.repository, &pending.commit)
            .await
    }
}

impl Drop for Proof {
    fn drop(&mut self) {
        if self.is_concluded.load(Ordering::Relaxed) {
            return;
        }
        let status = self
            .pending()
            .with(State::Error, "The upload was interrupted");
        let (writer, outcome) = (self.writer.clone(), self.writer.api.next_outcome(&status));
        let later = async move { writer.write_later(status, outcome, Duration::ZERO).await };
        // Without a runtime, the process is about to end.
        if let Ok(runtime) = Handle::try_current() {
            self.tasks.spawn_on(later, &runtime);
        }
    }
}

impl Writer {
    async fn write_later(&self, status: CommitStatus, outcome: u64, mut wait: Duration) {
        for pause in LATER {
            sleep(pause.max(wait)).await;
            // Never overwrite the outcome of a later upload.
            if !self.api.is_latest(&status, outcome) {
                break;
            }
            match self.write(&status).await {
                Ok(_) => break,
                Err(later) => wait = later.wait.min(LONGEST_WAIT),
            }
        }
    }

    /// Tries to write a status. Returns the reason if the forge refuses it. The error contains when to retry.
    async fn write(&self, status: &CommitStatus) -> Result<Option<String>, Later> {
        let (api, repository) = (&self.api, status.repository.to_string());
        let token = self.token.expose();
        match api.write(api.outbound(token), token, status).await {
            Ok(Verdict::Written) => Ok(None),
            Ok(verdict) => {
                tracing::warn!(
                    ?api,
                    repository,
                    ?verdict,
                    "the forge did not accept a commit status"
                );
                let judged = api.judge(&verdict, status);
                let why = judged.err().map(|refusal| refusal.detail);
                match (verdict, &self.refused) {
                    (Verdict::Failed(Failure::Busy(wait)), _) => Err(Later { wait, why }),
                    (Verdict::Failed(Failure::Down(_)), _) => Err(Later::default()),
                    (Verdict::BadToken | Verdict::NotAllowed, Some(Refused(refused))) => {
                        refused();
                        Ok(why)
                    }
                    _ => Ok(why),
                }
            }
            Err(error) => {
                let cause = chain(&error);
                tracing::warn!(?api, repository, cause, "a commit status was not written");
                Err(Later::default())
            }
        }
    }
}
