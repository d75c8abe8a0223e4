//! The choices that narrow the overview: orgs and languages, each with the number of repositories that remain if it is
//! chosen and nothing else changes.

use super::Filter;
use crate::{
    Reader, StoreError, Unsigned,
    sql::{ScopedSql, Sql},
};
use domain::{Choice, Choices, OrgName, OverviewQuery};
use sqlx::FromRow;
use std::{cmp::Reverse, collections::BTreeMap};

/// The maximum number of orgs to choose from; the search finds the others.
const MOST_ORGS: usize = 200;

/// The maximum number of languages to choose from.
const MOST_LANGUAGES: usize = 100;

/// What matches, directly within an org.
#[derive(FromRow)]
struct OrgRow {
    org_name: OrgName,
    records: i64,
    #[sqlx(try_from = "Unsigned")]
    repositories: u64,
}

/// How much matches a query, and what narrows it.
pub(super) struct Matching {
    /// Current records of main branches: the rows of all pages.
    pub(super) records: i64,
    pub(super) repositories: u64,
    pub(super) choices: Choices,
}

impl Reader {
    pub(super) async fn matching(
        &self,
        query: &OverviewQuery,
        filter: &Filter,
    ) -> Result<Matching, StoreError> {
        let (orgs, languages): (Vec<OrgRow>, _) =
            tokio::try_join!(self.all(of_orgs(filter)), self.all(of_languages(filter)))?;
        let is_within = |one: &&OrgRow| match &query.org {
            Some(org) => org.contains(&one.org_name),
            None => true,
        };
        let within = orgs.iter().filter(is_within);
        let (records, repositories) = within.fold((0, 0), |(records, repositories), one| {
            (records + one.records, repositories + one.repositories)
        });
        let orgs = with_groups(orgs);
        let further = orgs.len().saturating_sub(MOST_ORGS);
        let languages = languages.into_iter().map(choice).collect();
        let choices = Choices {
            further_orgs: Unsigned::from(further).into(),
            orgs: most(orgs, MOST_ORGS),
            languages: most(languages, MOST_LANGUAGES),
        };
        Ok(Matching {
            records,
            repositories,
            choices,
        })
    }
}

/// Counts the rows and the repositories directly within each org.
pub(super) fn of_orgs(filter: &Filter) -> ScopedSql {
    let sql = Sql::new(
        "select s.org_name, count(*) as records, count(distinct s.repository_id) as repositories from main_records s where ",
    );
    let of_every_org = Filter {
        org: None,
        ..filter.clone()
    };
    let mut sql = of_every_org.applied_to(sql);
    sql.push(" group by s.org_name");
    sql
}

/// Counts the repositories of each language: a repository has one row for each language.
pub(super) fn of_languages(filter: &Filter) -> ScopedSql {
    let sql = Sql::new("select s.language, count(*) from main_records s where ");
    let in_every_language = Filter {
        language: None,
        ..filter.clone()
    };
    let mut sql = in_every_language.applied_to(sql);
    sql.push(" group by s.language");
    sql
}

/// Returns orgs including all of their groups. Orgs that contain only groups are included too.
fn with_groups(rows: Vec<OrgRow>) -> Vec<Choice<OrgName>> {
    let mut counts = BTreeMap::<OrgName, u64>::new();
    for row in rows {
        for around in std::iter::successors(Some(row.org_name), OrgName::parent) {
            *counts.entry(around).or_default() += row.repositories;
        }
    }
    let counts = counts.into_iter();
    counts
        .map(|(org, repositories)| choice((org, Unsigned(repositories))))
        .collect()
}

fn choice<Name>((name, repositories): (Name, Unsigned)) -> Choice<Name> {
    Choice {
        name,
        repositories: repositories.into(),
    }
}

/// Returns the choices with the most repositories, sorted by name.
fn most<Name: Ord>(mut choices: Vec<Choice<Name>>, keep: usize) -> Vec<Choice<Name>> {
    choices.sort_by(|one, other| {
        let by_size = Reverse(one.repositories).cmp(&Reverse(other.repositories));
        by_size.then_with(|| one.name.cmp(&other.name))
    });
    choices.truncate(keep);
    choices.sort_by(|one, other| one.name.cmp(&other.name));
    choices
}
