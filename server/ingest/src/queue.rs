//! Limits how many uploads are unpacked at a time and how many wait: in total, and per token and repository by a share.

use super::IngestError;
use crate::fair_queue::{FairQueue, Permit, QueueLimits};
use config::Limits;
use domain::Repository;
use std::time::Duration;

/// Creates the queue of uploads. An upload gets its permit before its body arrives, so a slow client holds a permit as long as
/// its connection lasts. Therefore no token and no repository may have all permits.
pub fn upload_queue(limits: &Limits) -> FairQueue {
    FairQueue::new(QueueLimits {
        running: limits.concurrent_uploads.into(),
        waiting: limits.waiting_uploads.into(),
        running_share: limits.max_upload_share,
        waiting_share: limits.max_upload_share,
        wait: Duration::from_secs(limits.upload_wait_seconds),
    })
}

/// Waits for a permit. Dropping the permit frees it. The next free permit goes to the upload whose token has the fewest
/// permits, then whose repository has the fewest, then whose token and repository got one longest ago. `credential` is a
/// token for several repositories, each of which is a separate sender: the share also limits all of them together. With a time of its
/// own, `wait`, an upload waits even if too many wait already.
///
/// # Errors
///
/// [`IngestError::Busy`] if too many uploads wait already, or if the wait takes too long.
pub(super) async fn enter(
    queue: &FairQueue,
    token: &str,
    repository: &Repository,
    credential: Option<&str>,
    wait: Option<Duration>,
) -> Result<Permit, IngestError> {
    let mut keys = vec![
        format!("token {token}"),
        format!("repository {}", repository.key()),
    ];
    keys.extend(credential.map(|credential| format!("credential {credential}")));
    let permit = match wait {
        Some(wait) => queue.enter_within(wait, keys).await,
        None => queue.enter(keys).await,
    };
    permit.ok_or(IngestError::Busy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn several_tokens_of_one_repository_leave_permits_for_another() {
        let queue = upload_queue(&Limits {
            concurrent_uploads: 2,
            waiting_uploads: 0,
            max_upload_share: 50,
            ..Limits::default()
        });
        let repository = |name: &str| name.parse::<Repository>().expect("a repository");
        let (one, other) = (repository("acme/one"), repository("acme/other"));
        let enter = async |token, repository| enter(&queue, token, repository, None, None).await;
        let _running = enter("first", &one).await.expect("a permit");
        let second = enter("second", &one).await;
        assert!(
            matches!(second, Err(IngestError::Busy)),
            "its share is used"
        );
        let third = enter("second", &other).await;
        assert!(third.is_ok());
    }
}
