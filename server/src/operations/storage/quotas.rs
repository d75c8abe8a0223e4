//! How full the quotas are, and when they are reached.

use crate::store::{Quotas, RepositoryUse, topmost};
use domain::{Growth, MAX_LISTED, OrgName, QuotaOf, QuotaUse, days_until};
use std::{cmp::Reverse, collections::BTreeMap};

/// The orgs and then the repositories with the most bytes, at most [`MAX_LISTED`] of each that has a quota.
pub(super) fn uses(
    quotas: &Quotas,
    repositories: &[RepositoryUse],
    growth_days: Option<u32>,
) -> Vec<QuotaUse> {
    let row = |of, limit, bytes, recent| QuotaUse {
        of,
        bytes,
        limit,
        days_left: match growth_days {
            Some(days) => days_until(
                limit,
                bytes,
                Growth {
                    days,
                    bytes: recent,
                },
            ),
            None => (bytes >= limit).then_some(0),
        },
    };
    let of_orgs = quotas.org.into_iter().flat_map(|limit| {
        let orgs = by_org(repositories).into_iter();
        largest(orgs.map(|(org, (bytes, recent))| row(QuotaOf::Org(org), limit, bytes, recent)))
    });
    let of_repositories = quotas.repository.into_iter().flat_map(|limit| {
        largest(repositories.iter().map(|each| {
            let of = QuotaOf::Repository(each.repository.clone());
            row(of, limit, each.stored.bytes, each.recent_bytes)
        }))
    });
    of_orgs.chain(of_repositories).collect()
}

/// The bytes and the recent bytes of each outermost org.
fn by_org(repositories: &[RepositoryUse]) -> BTreeMap<OrgName, (u64, u64)> {
    let mut orgs = BTreeMap::new();
    for each in repositories {
        if let Ok(org) = topmost(&each.repository).parse() {
            let (bytes, recent): &mut (u64, u64) = orgs.entry(org).or_default();
            *bytes += each.stored.bytes;
            *recent += each.recent_bytes;
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
        let uses = uses(&quotas, &repositories, Some(30));
        let uses: Vec<_> = uses
            .iter()
            .map(|each| {
                let name = match &each.of {
                    QuotaOf::Org(org) => org.to_string(),
                    QuotaOf::Repository(repository) => repository.to_string(),
                };
                (name, each.bytes, each.days_left)
            })
            .collect();
        assert_eq!(
            uses,
            [
                ("zoo".to_owned(), 50, None),
                ("acme".to_owned(), 40, Some(600)),
                ("zoo/c".to_owned(), 50, Some(0)),
                ("acme/group/b".to_owned(), 30, Some(150)),
                ("acme/a".to_owned(), 10, Some(900)),
            ]
        );
    }

    #[test]
    fn without_quotas_and_without_growth_nothing_is_predicted() {
        let full = [repository("acme/a", 10, 5)];
        assert_eq!(uses(&Quotas::default(), &full, Some(30)), []);
        let quotas = Quotas {
            org: None,
            repository: Some(20),
        };
        let all = uses(&quotas, &full, None);
        let [only] = all.as_slice() else {
            panic!("one quota");
        };
        assert_eq!(only.days_left, None);
    }
}
