//! Stores which paths of a coverage file are files of the repository.

use super::{Unsigned, text::json};
use domain::{MatchedPaths, UnmatchedPath};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// The columns of [`MatchedPaths`].
#[derive(FromRow)]
pub(super) struct PathsRow {
    paths_matched: Option<Unsigned>,
    paths_of: Option<Unsigned>,
    paths_unmatched: Option<String>,
}

impl From<PathsRow> for Option<MatchedPaths> {
    fn from(row: PathsRow) -> Self {
        let unmatched = row.paths_unmatched.unwrap_or_default();
        Some(MatchedPaths {
            matched: row.paths_matched?.into(),
            of: row.paths_of?.into(),
            is_by_former_rule: is_by_former_rule(&unmatched),
            unmatched: read_unmatched(&unmatched),
        })
    }
}

impl PathsRow {
    /// Former releases wrote a list of paths. An object means that the current rule read the paths.
    pub(super) fn unmatched(paths: &MatchedPaths) -> String {
        let unmatched = paths.unmatched.iter();
        match paths.is_by_former_rule {
            true => json(
                &unmatched
                    .map(|unmatched| &unmatched.path)
                    .collect::<Vec<_>>(),
            ),
            false => json(&Unmatched {
                unmatched: unmatched
                    .map(|unmatched| (unmatched.path.clone(), unmatched.reason.clone()))
                    .collect(),
            }),
        }
    }
}

/// The stored unmatched paths, each with the reason.
#[derive(Default, Serialize, Deserialize)]
struct Unmatched {
    unmatched: Vec<(String, String)>,
}

/// Whether a former release wrote these unmatched paths, by its rule of paths.
pub(super) fn is_by_former_rule(unmatched: &str) -> bool {
    unmatched.starts_with('[')
}

fn read_unmatched(unmatched: &str) -> Vec<UnmatchedPath> {
    let with_reason = |(path, reason)| UnmatchedPath { path, reason };
    if is_by_former_rule(unmatched) {
        let paths: Vec<String> = serde_json::from_str(unmatched).unwrap_or_default();
        return paths
            .into_iter()
            .map(|path| with_reason((path, String::new())))
            .collect();
    }
    let stored: Unmatched = serde_json::from_str(unmatched).unwrap_or_default();
    stored.unmatched.into_iter().map(with_reason).collect()
}
