//! The order of tasks, and refused tasks.

use super::*;

fn queue(running: usize, waiting: usize, share: u8) -> FairQueue {
    FairQueue::new(QueueLimits {
        running,
        waiting,
        running_share: share,
        waiting_share: share,
        wait: Duration::from_secs(60),
    })
}

type Joined = (Permit, oneshot::Receiver<()>);

/// Joins the queue. `None` if refused.
fn join(queue: &FairQueue, keys: &[&str]) -> Option<Joined> {
    join_as(queue, keys, Rank::First)
}

fn join_as(queue: &FairQueue, keys: &[&str], rank: Rank) -> Option<Joined> {
    queue.join(keys.iter().map(|key| (*key).to_owned()).collect(), rank)
}

fn runs(one: &mut Joined) -> bool {
    one.1.try_recv().is_ok()
}

/// Joins 20 times with one key, and returns how many run at once.
fn running_of(queue: &FairQueue, key: &str) -> (usize, Vec<Joined>) {
    let mut all: Vec<_> = (0..20).filter_map(|_| join(queue, &[key])).collect();
    let running = all.iter_mut().map(runs).filter(|runs| *runs).count();
    (running, all)
}

#[test]
fn each_key_gets_its_share_of_the_free_permits() {
    let queue = queue(8, 1_000, 50);
    let held: Vec<_> = ["a", "b", "c", "d", "e"]
        .map(|key| running_of(&queue, key))
        .into();
    let running: Vec<_> = held.iter().map(|(running, _)| *running).collect();
    assert_eq!(running, [4, 2, 1, 1, 0]);
    assert_eq!(queue.running(), 8);
}

#[test]
fn with_the_whole_share_one_key_may_have_everything() {
    let queue = queue(8, 0, 100);
    let (running, all) = running_of(&queue, "a");
    assert_eq!((running, all.len()), (8, 8));
}

#[test]
fn a_queue_of_one_permit_gives_it_to_any_key() {
    let queue = queue(1, 4, 50);
    let mut first = join(&queue, &["a"]).expect("a permit");
    let mut second = join(&queue, &["a"]).expect("a permit");
    assert!(runs(&mut first) && !runs(&mut second));
    drop(first);
    assert!(runs(&mut second));
}

#[test]
fn the_next_permit_goes_to_the_keys_with_fewest_then_in_order() {
    let queue = queue(4, 100, 100);
    let mut held: Vec<_> = ["a", "a", "a", "b"]
        .map(|key| join(&queue, &[key]).expect("a permit"))
        .into();
    let mut waiting: Vec<_> = ["a", "b", "c", "c"]
        .map(|key| join(&queue, &[key]).expect("a permit"))
        .into();
    let mut next = || {
        drop(held.remove(0));
        let running: Vec<_> = waiting.iter_mut().map(runs).collect();
        running.iter().position(|runs| *runs)
    };
    assert_eq!(next(), Some(2), "the first of a key that holds none");
    assert_eq!(next(), Some(0), "each holds one, so the first to arrive");
    assert_eq!(next(), Some(1), "`b` and `c` hold one");
    assert_eq!(next(), Some(3));
}

/// Ends each task as soon as it runs. Returns the names of the waiting tasks in the order in which they ran.
fn order(mut running: Joined, mut waiting: Vec<(&str, Joined)>) -> Vec<&str> {
    let mut order = Vec::new();
    while !waiting.is_empty() {
        drop(running);
        let next = waiting.iter_mut().position(|(_, one)| runs(one));
        let (name, next) = waiting.remove(next.expect("one runs"));
        order.push(name);
        running = next;
    }
    order
}

#[test]
fn keys_that_wait_all_the_time_take_turns() {
    let queue = queue(1, 100, 100);
    let running = join(&queue, &["a"]).expect("a permit");
    let waiting: Vec<_> = ["a", "a", "a", "a", "b", "c", "b"]
        .map(|key| (key, join(&queue, &[key]).expect("a place")))
        .into();
    let order = order(running, waiting);
    assert_eq!(order, ["b", "c", "a", "b", "a", "a", "a"]);
    assert!(queue.lock().served.is_empty());
}

#[test]
fn a_task_of_a_later_rank_lets_three_others_go_first() {
    let queue = queue(1, 100, 100);
    let running = join(&queue, &["a"]).expect("a permit");
    let mut waiting = vec![(
        "later",
        join_as(&queue, &["b"], Rank::Later).expect("a place"),
    )];
    waiting
        .extend(["a", "c", "a", "a", "a"].map(|key| (key, join(&queue, &[key]).expect("a place"))));
    let order = order(running, waiting);
    assert_eq!(order, ["c", "a", "a", "later", "a", "a"]);
}

#[test]
fn a_token_counts_before_a_repository_and_both_are_bounded() {
    let queue = queue(8, 100, 50);
    let mut by_many: Vec<_> = (0..8)
        .map(|number| join(&queue, &[&format!("token {number}"), "repository"]))
        .map(|one| one.expect("a permit"))
        .collect();
    let running = by_many.iter_mut().map(runs).filter(|runs| *runs).count();
    assert_eq!(running, 4, "one repository by many tokens");
    let mut other = join(&queue, &["token 0", "other"]).expect("a permit");
    assert!(runs(&mut other));
}

#[test]
fn one_key_cannot_fill_the_queue() {
    let queue = queue(2, 8, 50);
    let mut all: Vec<_> = (0..20).filter_map(|_| join(&queue, &["a"])).collect();
    let running = all.iter_mut().map(runs).filter(|runs| *runs).count();
    assert_eq!((running, queue.waiting()), (1, 4));
    let mut other = join(&queue, &["b"]).expect("a permit");
    assert!(runs(&mut other));
    assert!(join(&queue, &["b"]).is_some(), "one more may wait");
}

#[test]
fn a_cancelled_waiter_frees_its_slot_and_its_permit() {
    let queue = queue(1, 2, 100);
    let first = join(&queue, &["a"]).expect("a permit");
    let second = join(&queue, &["b"]).expect("a permit");
    let mut third = join(&queue, &["c"]).expect("a permit");
    assert!(join(&queue, &["d"]).is_none(), "it is full");
    // The permit is granted after the receiver is gone.
    let (permit, receiver) = second;
    drop(receiver);
    drop(first);
    assert!(!runs(&mut third));
    drop(permit);
    assert!(runs(&mut third));
    drop(third);
    assert_eq!((queue.running(), queue.waiting()), (0, 0));
}

#[tokio::test]
async fn a_waiter_that_times_out_is_refused_and_leaves_nothing() {
    let queue = FairQueue::new(QueueLimits {
        wait: Duration::ZERO,
        ..queue(1, 2, 50).limits
    });
    let held = queue.enter(vec!["a".to_owned()]).await;
    assert!(held.is_some());
    assert!(queue.enter(vec!["b".to_owned()]).await.is_none());
    assert_eq!((queue.running(), queue.waiting()), (1, 0));
}

#[tokio::test]
async fn a_patient_task_waits_although_too_many_wait() {
    let queue = queue(1, 0, 100);
    let keys = |key: &str| vec![key.to_owned()];
    let running = queue.enter(keys("a")).await.expect("a permit");
    assert!(queue.enter(keys("b")).await.is_none(), "nobody may wait");
    let soon = queue.enter_within(Duration::from_millis(1), keys("b"));
    assert!(soon.await.is_none(), "its time is over");
    let patient = queue.enter_within(Duration::from_secs(60), keys("b"));
    let (permit, ()) = tokio::join!(patient, async { drop(running) });
    assert!(permit.is_some());
    assert_eq!((queue.running(), queue.waiting()), (1, 0));
}
