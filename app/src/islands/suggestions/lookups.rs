//! What a field fetches: the names of all orgs and repositories once, and what the service finds for each text.

use super::{
    Scope,
    choice::{Choice, Names, found},
};
use crate::{
    api::{RepositoriesAnswer, SearchAnswer},
    browser::Timer,
    islands::{
        fetch::{Loading, fetched},
        host,
    },
    links::{self, PullRequestAddress},
};
use domain::{Repository, Words};
use std::{
    cell::{Cell, RefCell},
    ops::RangeInclusive,
    rc::Rc,
    time::Duration,
};
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

/// The time after the last key: long enough for a word, short enough to feel immediate.
const PAUSE: Duration = Duration::from_millis(150);

/// The lengths of texts that the service searches, in bytes.
pub(super) const SEARCHED: RangeInclusive<usize> = 2..=200;

thread_local! {
    /// The names, for all fields of the page.
    static NAMES: RefCell<Rc<Names>> = RefCell::default();
}

#[derive(Default)]
pub(super) struct Lookups {
    pub(super) names: Cell<Loading>,
    pub(super) search: Cell<Loading>,
    found: RefCell<Vec<Choice>>,
    pause: Timer,
    abort: Cell<Option<AbortController>>,
    /// Counts the searches: the answer to an earlier search is ignored.
    latest: Cell<u32>,
}

/// The names that were fetched last.
pub(super) fn names() -> Rc<Names> {
    NAMES.with_borrow(Rc::clone)
}

impl Lookups {
    pub(super) fn found(&self) -> Vec<Choice> {
        self.found.borrow().clone()
    }

    /// Fetches the names, and then calls `then`. The browser's cache has the names if they have not changed.
    pub(super) fn load_names(self: &Rc<Self>, then: impl FnOnce() + 'static) {
        if self.names.get() == Loading::UnderWay {
            return;
        }
        self.names.set(Loading::UnderWay);
        let lookups = self.clone();
        spawn_local(async move {
            let answer: Option<RepositoriesAnswer> = fetched(links::REPOSITORY_NAMES, None).await;
            lookups.names.set(match answer {
                Some(answer) => {
                    NAMES.set(Rc::new(Names::from(answer)));
                    Loading::Done
                }
                None => Loading::Failed,
            });
            then();
        });
    }

    /// Searches `text` after a pause, and then calls `then`.
    pub(super) fn search(self: &Rc<Self>, scope: Scope, text: &str, then: impl FnOnce() + 'static) {
        self.stop();
        let text = text.trim().to_owned();
        if Words::of(&text).is_empty() || !SEARCHED.contains(&text.len()) {
            self.found.borrow_mut().clear();
            return;
        }
        self.search.set(Loading::UnderWay);
        let lookups = self.clone();
        let search = move || {
            let number = lookups.latest.get();
            let abort = AbortController::new().ok();
            let signal = abort.as_ref().map(AbortController::signal);
            lookups.abort.set(abort);
            spawn_local(async move {
                let near = near(scope, &text);
                let address = links::search(&text, near.as_ref());
                let answer: Option<SearchAnswer> = fetched(&address, signal.as_ref()).await;
                if lookups.latest.get() != number {
                    return;
                }
                lookups.search.set(match answer {
                    Some(answer) => {
                        lookups.found.replace(found(answer, scope));
                        Loading::Done
                    }
                    None => Loading::Failed,
                });
                then();
            });
        };
        self.pause.start(PAUSE, search);
    }

    pub(super) fn stop(&self) {
        self.latest.set(self.latest.get().wrapping_add(1));
        self.search.set(Loading::Done);
        self.pause.stop();
        if let Some(abort) = self.abort.take() {
            abort.abort();
        }
    }
}

impl Drop for Lookups {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The repository whose results come first: the repository before `@`, or the repository of the page.
fn near(scope: Scope, text: &str) -> Option<Repository> {
    let named = text.split_once('@').and_then(|(name, _)| name.parse().ok());
    named.filter(|_| scope == Scope::Records).or_else(|| {
        let here = host().here()?;
        let path = here.split('?').next()?;
        let name = path.strip_prefix(links::REPOSITORIES)?;
        match PullRequestAddress::of(name) {
            Some(PullRequestAddress::All(of) | PullRequestAddress::One(of, _)) => Some(of),
            None => name.parse().ok(),
        }
    })
}
