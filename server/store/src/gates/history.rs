//! The stored verdicts and changed lines of pull requests over time. They are kept as long as their records, also after the lines
//! have expired.

#[cfg(test)]
mod tests;

use crate::{
    Reader, StoreError,
    blocking::blocking,
    org::Bounds,
    sql::{ScopedText, readable},
    time::now,
};
use domain::{Day, GateHistory, GateResult, GateRules, GatesQuery, Repository, Verdict};
use std::collections::{HashMap, hash_map::Entry};

/// The most results that are read, the newest ones.
const MOST: usize = 50_000;

/// The query looks up the records of each branch by their time, as for reports: the cost grows with the number of branches and
/// with the records of the period.
macro_rules! results {
    ($of:literal) => {
        ScopedText::new(concat!(
            "select p.org_name, p.repo_name, c.pull_request, b.name as branch, r.language, r.id as record_id, r.updated_at,
                    a.changed_covered as lines_covered, a.changed_coverable as lines_total,
                    case when exists (select 1 from record_completions w where w.record_id = r.id and w.waits_until is not null)
                         then 'incomplete' else a.verdict end as verdict
             from repositories p
             cross join branches b
             cross join records r
             join record_changes c on c.record_id = r.id
             left join record_analyses a on a.record_id = r.id
             where ",
            $of,
            " and p.last_upload_at >= $1
               and b.repository_id = p.id and r.branch_id = b.id and r.updated_at >= $1 and r.updated_at < $2
               and c.pull_request is not null and ",
            readable!("p"),
            " order by r.updated_at desc, r.id desc limit $3"
        ))
    };
}

pub(crate) const OF_ORG: ScopedText =
    results!("(p.org_name = $4 or (p.org_name > $5 and p.org_name < $6))");
pub(crate) const OF_REPOSITORY: ScopedText = results!("p.name_key = $4");

impl Reader {
    /// Returns the results of the pull requests of a repository, an org with its groups, or all orgs; `None` if there are no
    /// uploads.
    pub async fn gate_history(
        &self,
        query: &GatesQuery,
    ) -> Result<Option<GateHistory>, StoreError> {
        let today = Day::of(now());
        let period = query.period(today);
        let (start, end, most) = (period.from.start(), period.to.end(), MOST as i64 + 1);
        let repository = match (&query.org, &query.repo) {
            (Some(org), Some(repo)) => {
                let (org, repo) = (org.clone(), repo.clone());
                match self.main_of(&Repository { org, repo }).await? {
                    Some((_, main)) => Some(main.repository),
                    None => return Ok(None),
                }
            }
            _ => None,
        };
        let org = match (&repository, &query.org) {
            (Some(repository), _) => Some(repository.org.clone()),
            (None, Some(org)) => Some(self.stored_org(org).await?),
            (None, None) => None,
        };
        let bounds = Bounds::of(org.as_ref());
        if self.repositories_within(&bounds, 1).await?.is_empty() {
            return Ok(None);
        }
        let mut results: Vec<GateResult> = match &repository {
            Some(repository) => {
                let values = (start, end, most, repository.key());
                self.all(OF_REPOSITORY.with(values)).await?
            }
            None => self.all(OF_ORG.with((start, end, most, &bounds))).await?,
        };
        let is_cut = results.len() > MOST;
        results.truncate(MOST);
        let query = query.clone();
        let count = move || GateHistory::of(&query, period, &results, is_cut);
        let mut history = blocking(count).await?;
        self.add_reasons(&mut history.pulls.rows).await?;
        Ok(Some(GateHistory {
            org,
            repository,
            today,
            ..history
        }))
    }

    /// Adds why gates failed.
    async fn add_reasons(&self, results: &mut [GateResult]) -> Result<(), StoreError> {
        let mut known: HashMap<Repository, GateRules> = HashMap::new();
        for result in results {
            let (Some(Verdict::Failed), Some(store)) =
                (result.verdict, self.sees(&result.repository))
            else {
                continue;
            };
            let rules = match known.entry(result.repository.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let rules = store.writer().gate_rules(&result.repository).await?;
                    new.insert(rules.unwrap_or_default())
                }
            };
            result.reasons = store.reasons(result.record_id, rules).await?;
        }
        Ok(())
    }
}
