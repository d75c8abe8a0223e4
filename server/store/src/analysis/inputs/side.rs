//! A record in a comparison: its numbers, lines and changes, as they are stored.

use crate::{Store, StoreError, Unsigned, gates, matched_paths, run::Run, totals::Totals};
use ::lines::{Changes, DecodeError, Limits, Lines};
use domain::{CompiledGlobs, Count, GlobList, UnknownFiles, ignoring};
use sqlx::FromRow;

/// A record in a comparison.
#[derive(FromRow)]
pub(crate) struct Side {
    pub(crate) id: i64,
    pub(super) repository_id: i64,
    pub(super) language: String,
    commit_hash: String,
    #[sqlx(flatten)]
    pub(super) totals: Totals,
    pub(super) lines: Option<Vec<u8>>,
    pub(super) base_commit: Option<String>,
    base_tree: Option<String>,
    tree_hash: Option<String>,
    pub(super) changes: Option<Vec<u8>>,
    unknown_files: Option<Unsigned>,
    unknown_reason: Option<String>,
    paths_unmatched: Option<String>,
    ignore_rules: Option<String>,
}

macro_rules! side {
    ($lines:literal, $changes:literal) => {
        concat!(
            "select r.id, r.repository_id, r.language, r.commit_hash, r.lines_covered, r.lines_total,
             r.branches_covered, r.branches_total, r.functions_covered, r.functions_total, ",
            $lines,
            " as lines, c.base_commit, c.base_tree, c.tree_hash, ",
            $changes,
            " as changes, c.unknown_files, c.unknown_reason, d.paths_unmatched, d.ignore_rules
             from records r
             left join record_lines l on l.record_id = r.id
             left join record_changes c on c.record_id = r.id
             left join record_details d on d.record_id = r.id
             where r.id = $1"
        )
    };
}

pub(crate) const SIDE: &str = side!("l.lines", "c.changes");

const OUTLINE: &str = side!("substr(l.lines, 1, 0)", "substr(c.changes, 1, 0)");

impl Side {
    pub(crate) async fn read(store: &Store, id: i64) -> Result<Option<Self>, StoreError> {
        store.first(SIDE, [id]).await
    }

    /// Reads a record with empty lines and changes, if it has any.
    pub(crate) async fn outline(store: &Store, id: i64) -> Result<Option<Self>, StoreError> {
        store.first(OUTLINE, [id]).await
    }

    pub(super) fn count(&self) -> Option<Count> {
        self.totals.lines
    }

    pub(crate) fn encoded_lines(&self) -> Option<&[u8]> {
        self.lines.as_deref()
    }

    pub(crate) fn lines(&self) -> Result<Option<Lines>, StoreError> {
        let lines = self.encoded_lines();
        let lines = lines.map(|blob| Lines::decode(blob, &Limits::default()));
        lines.transpose().map_err(self.damaged())
    }

    pub(crate) fn changes(&self) -> Result<Option<Changes>, StoreError> {
        let changes = self.changes.as_deref().map(Changes::decode);
        changes.transpose().map_err(self.damaged())
    }

    pub(super) fn damaged(&self) -> impl Fn(DecodeError) -> StoreError + use<> {
        let record = self.id;
        move |source| StoreError::Lines { record, source }
    }

    /// The number of files that the changes do not contain, and the reason.
    pub(super) fn unknown_files(&self) -> Option<UnknownFiles> {
        Some(UnknownFiles {
            files: self.unknown_files?.into(),
            reason: self.unknown_reason.clone().unwrap_or_default(),
        })
    }

    /// The rules by which the record ignores files, for matching these paths. Rules that take too many steps match nothing.
    pub(super) fn ignoring<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a str>,
    ) -> Result<CompiledGlobs, StoreError> {
        let rules = gates::read_ignore_rules(self.ignore_rules.clone())?;
        Ok(ignoring(&rules, paths).unwrap_or_else(|| GlobList::default().compiled()))
    }

    /// Whether the changes of `self` start from the tree of `base` and contain all differences.
    pub(crate) fn starts_from(&self, base: &Self) -> bool {
        self.changes.is_some()
            && self.unknown_files.is_none()
            && self.has_paths_like(base)
            && self.names(base)
    }

    /// Whether the paths of both were read by the same rule. With different rules, one path can mean different files.
    pub(super) fn has_paths_like(&self, base: &Self) -> bool {
        let is_by_former_rule = |side: &Self| {
            let unmatched = side.paths_unmatched.as_deref();
            unmatched.map(matched_paths::is_by_former_rule)
        };
        let rules = is_by_former_rule(self).zip(is_by_former_rule(base));
        rules.is_none_or(|(ours, theirs)| ours == theirs)
    }

    /// Whether the uploads of `self` name `base` as their base.
    pub(super) fn names(&self, base: &Self) -> bool {
        let same = |ours: &Option<String>, theirs: &Option<String>| {
            ours.as_ref()
                .zip(theirs.as_ref())
                .map(|(ours, theirs)| ours == theirs)
        };
        match same(&self.base_tree, &base.tree_hash) {
            Some(is_same) => is_same,
            None => self.base_commit.as_ref() == Some(&base.commit_hash),
        }
    }
}
