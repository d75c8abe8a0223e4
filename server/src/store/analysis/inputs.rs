//! What an analysis is derived from.

use super::{Analysis, lines, parts};
use crate::store::{Store, StoreError, StoredFiles, columns::count, flicker, record_details};
use ::lines::{AbsentParts, Changes, DecodeError, Flicker, Limits, Lines};
use domain::{CommitHash, Count, Explanation};
use sqlx::FromRow;

/// A record, as far as an analysis needs it.
#[derive(FromRow)]
struct Side {
    id: i64,
    repository_id: i64,
    language: String,
    commit_hash: String,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    lines: Option<Vec<u8>>,
    base_commit: Option<String>,
    base_tree: Option<String>,
    tree_hash: Option<String>,
    changes: Option<Vec<u8>>,
}

pub(in crate::store) const SIDE: &str = "
    select r.id, r.repository_id, r.language, r.commit_hash, r.lines_covered, r.lines_total, l.lines,
           c.base_commit, c.base_tree, c.tree_hash, c.changes
    from records r
    left join record_lines l on l.record_id = r.id
    left join record_changes c on c.record_id = r.id
    where r.id = $1";

/// What an analysis is derived from.
pub(super) struct Inputs {
    head: Side,
    head_files: Option<StoredFiles>,
    base: Option<Base>,
}

struct Base {
    side: Side,
    files: Option<StoredFiles>,
    /// Whether its tree is the one that the changes of the head start from.
    is_exact: bool,
    absent: Option<AbsentParts>,
    flicker: Option<Flicker>,
}

impl Side {
    async fn read(store: &Store, id: i64) -> Result<Option<Self>, StoreError> {
        let row = sqlx::query_as(SIDE).bind(id);
        Ok(row.fetch_optional(&store.readers).await?)
    }

    fn count(&self) -> Option<Count> {
        count(self.lines_covered, self.lines_total)
    }

    fn lines(&self) -> Result<Option<Lines>, StoreError> {
        let lines = self.lines.as_deref();
        let lines = lines.map(|blob| Lines::decode(blob, &Limits::default()));
        lines.transpose().map_err(self.damaged())
    }

    fn changes(&self) -> Result<Option<Changes>, StoreError> {
        let changes = self.changes.as_deref().map(Changes::decode);
        changes.transpose().map_err(self.damaged())
    }

    fn damaged(&self) -> impl Fn(DecodeError) -> StoreError + use<> {
        let record = self.id;
        move |source| StoreError::Lines { record, source }
    }

    /// Whether the changes of `self` start from the tree of `base`.
    fn starts_from(&self, base: &Self) -> bool {
        let same = |ours: &Option<String>, theirs: &Option<String>| {
            ours.as_ref()
                .zip(theirs.as_ref())
                .map(|(ours, theirs)| ours == theirs)
        };
        // The same tree, whatever else was sent: nothing has changed.
        if self.changes.is_none() {
            return same(&self.tree_hash, &base.tree_hash) == Some(true);
        }
        match same(&self.base_tree, &base.tree_hash) {
            Some(is_same) => is_same,
            None => self.base_commit.as_ref() == Some(&base.commit_hash),
        }
    }
}

impl Inputs {
    /// Reads two records. None if one does not exist.
    pub(super) async fn read(
        store: &Store,
        base: Option<i64>,
        head: i64,
    ) -> Result<Option<Self>, StoreError> {
        let Some(head) = Side::read(store, head).await? else {
            return Ok(None);
        };
        let head_files = store.stored_files(head.id).await?;
        let Some(base) = base else {
            return Ok(Some(Self {
                head,
                head_files,
                base: None,
            }));
        };
        let Some(base) = Side::read(store, base).await? else {
            return Ok(None);
        };
        let is_same_series =
            base.repository_id == head.repository_id && base.language == head.language;
        let has_lines = base.lines.is_some() && head.lines.is_some();
        let base = Base {
            files: store.stored_files(base.id).await?,
            is_exact: is_same_series && head.starts_from(&base),
            absent: match has_lines && is_same_series {
                true => parts::absent(store, base.id, head.id).await?,
                false => None,
            },
            flicker: match has_lines && is_same_series {
                true => flicker::known(store, head.repository_id, &head.language).await?,
                false => None,
            },
            side: base,
        };
        Ok(Some(Self {
            head,
            head_files,
            base: Some(base),
        }))
    }

    /// Blocks.
    pub(super) fn analyse(self) -> Result<Analysis, StoreError> {
        let changes = self.head.changes()?;
        let Some(head) = self.head.lines()? else {
            return Ok(Analysis {
                explanation: self.explanation_by_file(),
                ..Analysis::default()
            });
        };
        let base_commit: Option<CommitHash> = self
            .head
            .base_commit
            .as_ref()
            .and_then(|text| text.parse().ok());
        let changed = changes.as_ref();
        let changed = changed.map(|changes| lines::changed(base_commit, &changes.measured(&head)));
        let base_lines = match &self.base {
            Some(base) => base.side.lines()?,
            None => None,
        };
        let (Some(base), Some(base_lines)) = (&self.base, base_lines) else {
            return Ok(Analysis {
                changed,
                explanation: self.explanation_by_file(),
                ..Analysis::default()
            });
        };
        let roots = (base.files.as_ref(), self.head_files.as_ref());
        let (base_lines, head) = lines::below_one_root(roots, base_lines, head);
        let way = ::lines::Way {
            changes: changes.as_ref(),
            is_exact: base.is_exact,
            absent: base.absent.as_ref(),
            flicker: base.flicker.as_ref(),
        };
        let difference = ::lines::Difference::between(&base_lines, &head, way);
        let counts = base.side.count().zip(self.head.count());
        let groups = lines::groups(&difference, &base_lines, &head);
        Ok(Analysis {
            changed,
            explanation: counts.and_then(|(base, head)| Explanation::new(base, head, groups)),
            lost: base.is_exact.then(|| lines::lost(&difference)),
            misfits: lines::misfits(&difference),
        })
    }

    /// Explains the change by the counts of files, if lines are not kept.
    fn explanation_by_file(&self) -> Option<Explanation> {
        let base = self.base.as_ref()?;
        let (of_base, of_head) = (base.side.count()?, self.head.count()?);
        let files = base.files.as_ref().zip(self.head_files.as_ref());
        let groups = files.map(|(base, head)| record_details::groups(base, head));
        Explanation::new(of_base, of_head, groups.unwrap_or_default()).map(Explanation::by_file)
    }
}
