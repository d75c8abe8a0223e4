//! How full the quotas are, and when they are reached.

use domain::{Growth, MAX_LISTED, Named, OrgName, QuotaUse, Repository, days_until};
use std::{cmp::Reverse, collections::BTreeMap};
use store::{Quotas, RepositoryUse, topmost};

/// The bytes that count in a quota, and how many of them are recent. The age of bytes in the database is unknown.
type Bytes = (u64, u64);

/// The orgs and then the repositories with the most bytes, at most [`MAX_LISTED`] of each that has a quota.
pub(super) fn uses(
    quotas: &Quotas,
    repositories: &[RepositoryUse],
    in_database: &[(Repository, u64)],
    growth_days: Option<u32>,
) -> Vec<QuotaUse> {
    let row = |of, limit, bytes, recent| {
        let growth = |days| Growth {
            days,
            bytes: recent,
        };
        let days_left = match growth_days.map(growth) {
            Some(growth) => days_until(limit, bytes, growth),
            None => (bytes >= limit).then_some(0),
        };
        QuotaUse {
            of,
            bytes,
            limit,
            days_left,
        }
    };
    let repositories = counted(repositories, in_database);
    let of_orgs = quotas.org.into_iter().flat_map(|limit| {
        let orgs = by_org(&repositories).into_iter();
        largest(orgs.map(|(org, (bytes, recent))| row(Named::Org(org), limit, bytes, recent)))
    });
    let of_repositories = quotas.repository.into_iter().flat_map(|limit| {
        largest(repositories.iter().map(|(repository, (bytes, recent))| {
            let of = Named::Repository((*repository).clone());
            row(of, limit, *bytes, *recent)
        }))
    });
    of_orgs.chain(of_repositories).collect()
}

/// The bytes of each repository: its HTML reports, and its bytes in the database.
fn counted<'a>(
    reports: &'a [RepositoryUse],
    in_database: &'a [(Repository, u64)],
) -> BTreeMap<&'a Repository, Bytes> {
    let mut all: BTreeMap<&Repository, Bytes> = BTreeMap::new();
    for each in reports {
        all.insert(&each.repository, (each.stored.bytes, each.recent_bytes));
    }
    for (repository, more) in in_database {
        all.entry(repository).or_default().0 += more;
    }
    all
}

/// The bytes of each outermost org.
fn by_org(repositories: &BTreeMap<&Repository, Bytes>) -> BTreeMap<OrgName, Bytes> {
    let mut orgs = BTreeMap::new();
    for (repository, (more, more_recent)) in repositories {
        if let Ok(org) = topmost(repository).parse() {
            let (bytes, recent): &mut Bytes = orgs.entry(org).or_default();
            *bytes += more;
            *recent += more_recent;
        }
    }
    orgs
}

fn largest(uses: impl Iterator<Item = QuotaUse>) -> Vec<QuotaUse> {
    let mut uses: Vec<_> = uses.collect();
    uses.sort_by_key(|each| Reverse(each.bytes));
    uses.truncate(MAX_LISTED);
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Stored, Timestamp};

    fn repository(name: &str, bytes: u64, recent_bytes: u64) -> RepositoryUse {
        RepositoryUse {
            repository: name.parse().expect("a repository"),
            stored: Stored { reports: 1, bytes },
            recent_bytes,
            oldest: Timestamp(0),
        }
    }

    #[test]
    fn an_org_has_the_bytes_of_its_groups_and_the_fullest_is_first() {
        let repositories = [
            repository("acme/a", 10, 1),
            repository("acme/group/b", 30, 2),
            repository("zoo/c", 50, 0),
        ];
        let quotas = Quotas {
            org: Some(100),
            repository: Some(40),
        };
        let in_database = [("zoo/d", 9), ("zoo/c", 1)];
        let in_database = in_database.map(|(name, bytes)| (name.parse().expect("a name"), bytes));
        let uses = uses(&quotas, &repositories, &in_database, Some(30));
        let uses: Vec<_> = uses
            .iter()
            .map(|each| {
                let name = match &each.of {
                    Named::Org(org) => org.to_string(),
                    Named::Repository(repository) => repository.to_string(),
                };
                (name, each.bytes, each.days_left)
            })
            .collect();
        assert_eq!(
            uses,
            [
                ("zoo".to_owned(), 60, None),
                ("acme".to_owned(), 40, Some(600)),
                ("zoo/c".to_owned(), 51, Some(0)),
                ("acme/group/b".to_owned(), 30, Some(150)),
                ("acme/a".to_owned(), 10, Some(900)),
                ("zoo/d".to_owned(), 9, None),
            ]
        );
    }

    #[test]
    fn without_quotas_and_without_growth_nothing_is_predicted() {
        let full = [repository("acme/a", 10, 5)];
        assert_eq!(uses(&Quotas::default(), &full, &[], Some(30)), []);
        let quotas = Quotas {
            org: None,
            repository: Some(20),
        };
        let all = uses(&quotas, &full, &[], None);
        let [only] = all.as_slice() else {
            panic!("one quota");
        };
        assert_eq!(only.days_left, None);
    }
}
