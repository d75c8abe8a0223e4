//! Two records side by side: their selection by the URL, their counts, and the files that changed.

mod choices;
mod files;

#[cfg(test)]
pub(super) use choices::{BRANCHES, EARLIER};

use super::{
    Reader, Store, StoreError, explanation::explained, parts::Alone, record_details::StoredFiles,
    run::Run, time::now, totals::Totals, views::ViewFiles,
};
use domain::{
    Compare, CompareQuery, ComparedRecord, CountedSides, Explanation, Language, Metric,
    RecordParts, RecordRef, ViewName, text::chain,
};
use files::{SideFiles, Sides, compared};
use sqlx::FromRow;

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
        let mut base = store.side(base).await?;
        let mut head = store.side(head).await?;
        let choices = match head.as_ref().or(base.as_ref()) {
            Some(side) => store.record_choices(side).await?,
            None => Vec::new(),
        };
        let view = self
            .common_view([&base, &head], query.view.as_ref())
            .await?;
        let views = match head.as_ref().or(base.as_ref()) {
            Some(side) => store.view_choices(&side.record.repository).await?,
            None => Vec::new(),
        };
        let (mut counted, mut moved, mut explanation) = (None, None, None::<Explanation>);
        if let (Some(base), Some(head)) = (&mut base, &mut head) {
            let sides = Sides {
                base: store.files_of(base, query.metric).await?,
                head: store.files_of(head, query.metric).await?,
                view: view.clone(),
                metric: query.metric,
            };
            if query.metric == Metric::Lines {
                explanation = store
                    .explanation(base.record.id, head.record.id, view.clone())
                    .await?;
            }
            let stated = base.record.change_to(&head.record);
            let compared = compared(sides, stated).await;
            moved = compared.moved;
            if let Some((of_base, of_head)) = compared.counts {
                (base.record.counts, head.record.counts) = (of_base, of_head);
            }
            counted = compared.counted;
            if view.is_some()
                && let Some(explanation) = explanation.as_ref().filter(|known| !known.is_by_file)
            {
                counted = Some(CountedSides {
                    base: Ok(explanation.base),
                    head: Ok(explanation.head),
                });
            }
        }
        let view = view.filter(|view| !view.is_costly());
        let (base, head) = (base.map(|side| side.record), head.map(|side| side.record));
        let mut compare = Compare {
            now: now(),
            base,
            head,
            view: view.map(|view| view.name().clone()),
            views,
            counted,
            explained: None,
            moved,
            choices,
        };
        let parts = RecordParts::default();
        compare.explained = explanation
            .zip(compare.change())
            .and_then(|(explanation, change)| explained(explanation, change, &parts, None));
        Ok(compare)
    }

    /// The files of a view that at least one of both sides has, as it is defined for the head.
    async fn common_view(
        &self,
        [base, head]: [&Option<Side>; 2],
        view: Option<&ViewName>,
    ) -> Result<Option<ViewFiles>, StoreError> {
        let Some(view) = view else { return Ok(None) };
        for side in [head, base].into_iter().flatten() {
            if let Some(files) = self.view_of_record(side.record.id, view).await? {
                return Ok(Some(files));
            }
        }
        Ok(None)
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
    /// Explains the change, or only of the lines in `view`; `None` if the lines of one of the two records are unknown.
    pub(super) async fn explanation(
        &self,
        base: i64,
        head: i64,
        view: Option<ViewFiles>,
    ) -> Result<Option<Explanation>, StoreError> {
        match self.writer().explain(base, head, view).await {
            Err(error @ StoreError::Lines { .. }) => {
                let cause = chain(&error);
                tracing::error!(cause, "two records are compared without their lines");
                Ok(None)
            }
            explained => explained,
        }
    }

    /// The files of a side, and what explains why a count is not known.
    async fn files_of(&self, side: &mut Side, metric: Metric) -> Result<SideFiles, StoreError> {
        let record = &side.record;
        let is_united = metric != Metric::Lines && {
            let alone = Alone {
                id: record.id,
                updated_at: record.updated_at,
                percentage: record.percentage,
                has_report: record.has_report,
            };
            self.parts_of(alone).await?.are_united()
        };
        Ok(SideFiles {
            files: side.files.take(),
            totals: side.totals.clone(),
            is_united,
        })
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
