//! Two records side by side: their selection by the URL, their counts, and the files that changed.

mod choices;

#[cfg(test)]
pub(super) use choices::{BRANCHES, EARLIER};

use super::{
    Reader, Store, StoreError,
    explanation::explained,
    record_details::{self, StoredFiles},
    run::Run,
    time::now,
    totals::Totals,
};
use domain::{
    Change, Compare, CompareQuery, ComparedRecord, Explained, Language, Moved, RecordParts,
    RecordRef, text::chain,
};
use sqlx::FromRow;
use tokio::task;

/// The maximum number of named files: the ones that changed the percentage most.
const NAMED_FILES: usize = 100;

/// The columns of a [`ComparedRecord`] and of [`Totals`]: of the record `r` on the branch `b` of the repository `p`.
macro_rules! compared_columns {
    () => {
        "select r.id, p.org_name, p.repo_name, b.name as branch_name, r.language, r.commit_hash, r.commit_author,
            r.percentage_basis_points, r.lines_covered, r.lines_total, r.branches_covered, r.branches_total,
            r.functions_covered, r.functions_total, r.report_format, r.updated_at,
            case when r.report_key is null then 0 else 1 end as has_report,
            coalesce(p.forge, p.reporting_forge) as forge, r.branch_id"
    };
}

pub(super) use compared_columns;

pub(super) const SIDE: &str = concat!(
    compared_columns!(),
    ", r.repository_id
    from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    where r.id = $1"
);

/// A record, and its language.
type Candidate = (i64, Language);

/// One side of a comparison, with the keys for finding similar records.
#[derive(FromRow)]
struct Side {
    #[sqlx(flatten)]
    record: ComparedRecord,
    #[sqlx(flatten)]
    totals: Totals,
    repository_id: i64,
    branch_id: i64,
    #[sqlx(skip)]
    files: Option<StoredFiles>,
}

impl Reader {
    /// Returns two records side by side, each if it is requested and exists.
    pub async fn compare(&self, query: &CompareQuery) -> Result<Compare, StoreError> {
        let language = query.language.as_ref();
        let base = self.candidates(query.base.as_ref(), language).await?;
        let head = self.candidates(query.head.as_ref(), language).await?;
        let (base, head) = pair(&base, &head);
        let store = self.within_found();
        let base = store.side(base).await?;
        let head = store.side(head).await?;
        let choices = match head.as_ref().or(base.as_ref()) {
            Some(side) => store.record_choices(side).await?,
            None => Vec::new(),
        };
        let (base, base_files) = split(base);
        let (head, head_files) = split(head);
        let change = base
            .as_ref()
            .zip(head.as_ref())
            .map(|(base, head)| base.change_to(head));
        let moved = match (base_files, head_files, change) {
            (Some(base), Some(head), Some(change)) => moved(base, head, change).await,
            _ => None,
        };
        let explained = match base.as_ref().zip(head.as_ref()).zip(change) {
            Some(((base, head), change)) => store.why(base.id, head.id, change).await?,
            None => None,
        };
        Ok(Compare {
            now: now(),
            base,
            head,
            explained,
            moved,
            choices,
        })
    }

    /// Returns the candidates for a side, the best one first.
    async fn candidates(
        &self,
        side: Option<&RecordRef>,
        language: Option<&Language>,
    ) -> Result<Vec<Candidate>, StoreError> {
        let Some(side) = side else {
            return Ok(Vec::new());
        };
        let mut found = self.records_named(side).await?;
        if let (RecordRef::CurrentOf(..), Some(language)) = (side, language) {
            found.retain(|record| record.language == *language);
        }
        let found = found.into_iter().map(|record| (record.id, record.language));
        Ok(found.collect())
    }
}

impl Store {
    /// Explains the change; `None` if the lines of one of the two records are unknown.
    async fn why(
        &self,
        base: i64,
        head: i64,
        change: Change,
    ) -> Result<Option<Explained>, StoreError> {
        let explanation = match self.writer().explain(base, head, None).await {
            Ok(explanation) => explanation,
            Err(error @ StoreError::Lines { .. }) => {
                let cause = chain(&error);
                tracing::error!(cause, "two records are compared without their lines");
                None
            }
            Err(error) => return Err(error),
        };
        let parts = RecordParts::default();
        Ok(explanation.and_then(|explanation| explained(explanation, change, &parts, None)))
    }

    async fn side(&self, id: Option<i64>) -> Result<Option<Side>, StoreError> {
        let Some(id) = id else { return Ok(None) };
        let side: Option<Side> = self.first(SIDE, [id]).await?;
        let Some(mut side) = side else {
            return Ok(None);
        };
        let details = self.writer().record_details(id).await?;
        side.record.counts = side.totals.counted(details.as_ref());
        side.files = details.map(|details| details.files);
        Ok(Some(side))
    }
}

fn pair(base: &[Candidate], head: &[Candidate]) -> (Option<i64>, Option<i64>) {
    let same = head.iter().find_map(|head| {
        let base = base.iter().find(|base| base.1 == head.1)?;
        Some((base.0, head.0))
    });
    match same {
        Some((base, head)) => (Some(base), Some(head)),
        None => {
            let first = |of: &[Candidate]| of.first().map(|(id, _)| *id);
            (first(base), first(head))
        }
    }
}

fn split(side: Option<Side>) -> (Option<ComparedRecord>, Option<StoredFiles>) {
    let (record, files) = side.map(|side| (side.record, side.files)).unzip();
    (record, files.flatten())
}

/// Compares stored files on a blocking thread. Unreadable files count as absent.
async fn moved(base: StoredFiles, head: StoredFiles, change: Change) -> Option<Moved> {
    let read =
        task::spawn_blocking(move || record_details::moved(&base, &head, change, NAMED_FILES));
    let reason = match read.await {
        Ok(Ok(moved)) => return moved,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(reason, "the files of two records cannot be compared");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_branches_are_compared_in_a_language_that_both_have() {
        let of = |languages: &[(i64, &str)]| -> Vec<Candidate> {
            let candidate =
                |&(id, language): &(i64, &str)| (id, language.parse().expect("a language"));
            languages.iter().map(candidate).collect()
        };
        let base = of(&[(1, "rust"), (2, "go")]);
        assert_eq!(
            pair(&base, &of(&[(3, "go"), (4, "rust")])),
            (Some(2), Some(3))
        );
        assert_eq!(pair(&base, &of(&[(5, "c")])), (Some(1), Some(5)));
        assert_eq!(pair(&base, &[]), (Some(1), None));
    }
}
