//! The files of one view.

use super::definitions::Definitions;
use crate::record_details::DecodeError;
use domain::{PathGlobs, ViewKind, ViewName, text::chain};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Recognises the files of a view. Each path is matched once, also by clones.
#[derive(Clone, Debug)]
pub struct ViewFiles(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    view: ViewName,
    definitions: Arc<Definitions>,
    matched: Mutex<Matched>,
}

#[derive(Debug, Default)]
struct Matched {
    paths: HashMap<Box<str>, bool>,
    steps: u64,
}

impl ViewFiles {
    /// `None` if the owner or the view is not defined.
    pub(crate) fn of(definitions: Arc<Definitions>, view: &ViewName) -> Option<Self> {
        let view = match view.kind() {
            ViewKind::Folder => view.clone(),
            kind => {
                let mut all = definitions.all(kind).into_iter();
                // Owners are equal without regard to case.
                all.find(|defined| defined.name().eq_ignore_ascii_case(view.name()))?
            }
        };
        Some(Self(Arc::new(Shared {
            view,
            definitions,
            matched: Mutex::default(),
        })))
    }

    /// The name of the view, as it is defined.
    pub fn name(&self) -> &ViewName {
        &self.0.view
    }

    /// Identifies the view and its definition.
    pub(super) fn digest(&self) -> [u8; 32] {
        let digest = Sha256::new().chain_update(self.0.view.to_string());
        let digest = match self.0.view.kind() {
            ViewKind::Folder => digest,
            _ => digest.chain_update(self.0.definitions.digest),
        };
        digest.finalize().into()
    }

    /// Whether finding the files of the view takes too many steps: then the view does not count.
    pub fn is_costly(&self) -> bool {
        self.matched().steps > PathGlobs::MAX_STEPS
    }

    fn matched(&self) -> MutexGuard<'_, Matched> {
        let matched = self.0.matched.lock();
        matched.unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file is in the view. `None` if matching all paths takes too many steps: then the view does not count.
    pub fn has(&self, path: &str) -> Option<bool> {
        let Shared {
            view, definitions, ..
        } = &*self.0;
        if view.kind() == ViewKind::Folder {
            return Some(definitions.contains(view, path));
        }
        let mut matched = self.matched();
        if let Some(known) = matched.paths.get(path) {
            return Some(*known);
        }
        matched.steps += definitions.steps(view.kind(), path);
        if matched.steps > PathGlobs::MAX_STEPS {
            return None;
        }
        let is_in = definitions.contains(view, path);
        matched.paths.insert(path.into(), is_in);
        Some(is_in)
    }
}

/// What was read from a list of files. A damaged list is logged, and counts as none.
pub(super) fn unless_damaged<T>(record_id: i64, read: Result<T, DecodeError>) -> Option<T> {
    let logged = |error: &DecodeError| {
        let cause = chain(error);
        tracing::error!(record_id, cause, "a view lacks the files of a record");
    };
    read.inspect_err(logged).ok()
}

/// Whether a file counts: without a view, each does.
pub(crate) fn is_in(view: Option<&ViewFiles>, path: &str) -> bool {
    view.is_none_or(|view| view.has(path) == Some(true))
}
