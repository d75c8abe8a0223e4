//! `/owners?org_name=`, `/orgs/{org}/owners`: the owners of an org over its repositories, and one owner's repositories.

#[cfg(test)]
mod tests;

use super::views::{
    as_csv,
    table::{Alike, Row, table},
};
use super::waiting::WaitingOrg;
use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{card, how_counted, message, note},
        coverage::Target,
        facts::{self, figure},
        form::{are_other_days, dates, hidden, other_days, periods},
        name::Name,
        org_head::{OrgTab, org_head},
        page_head::PageHead,
    },
    links,
    numbers::{counted, covered_of, whole},
};
use domain::{
    Count, Day, OrgName, OrgOwners, OwnedRepository, OwnerRow, ReportQuery, Repository, TrendRange,
    ViewCounts, ViewKind, ViewName, ViewsQuery,
};
use leptos::prelude::*;
use std::{cmp::Reverse, collections::BTreeSet};

/// The most repositories without owners that are named.
const NAMED: usize = 50;

/// The owners of an org. The parameter `owner` shows one of them.
#[component]
pub(crate) fn OwnersPage() -> impl IntoView {
    let address = Address::current();
    let (name, chosen) = (address.get("org_name"), Chosen::of(&address));
    let period = chosen.period.clone();
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let org = name.parse::<OrgName>().ok();
        let found = match &org {
            Some(org) => model.owners(org, &period).await?,
            None => None,
        };
        let missing =
            || AppError::NotFound(format!("No coverage was uploaded for the org {name}."));
        let org = org.ok_or_else(missing)?;
        match found {
            Some(found) => Ok(Ok((org, found))),
            None => {
                let waiting = WaitingOrg::find(&*model, &org).await?;
                Ok(Err(waiting.ok_or_else(missing)?))
            }
        }
    };
    answered(answer, move |found| match found {
        Ok((org, owners)) => content(&org, &owners, &chosen),
        Err(org) => org.page(),
    })
}

/// The choices of the address: an owner, or an empty name for all, and the days.
pub(super) struct Chosen {
    owner: String,
    pub(super) period: ViewsQuery,
}

impl Chosen {
    pub(super) fn of(address: &Address) -> Self {
        let query = ViewsQuery::of(&|name| address.values(name));
        Self {
            owner: address.get("owner"),
            // The other choices are about the views of one repository.
            period: ViewsQuery {
                from: query.from,
                to: query.to,
                ..ViewsQuery::default()
            },
        }
    }

    /// The address of an owner, or of all, in the same days.
    fn link(&self, org: &OrgName, owner: Option<&str>) -> String {
        let days = (self.period.from, self.period.to);
        links::owners_in(org, owner, days)
    }
}

pub(super) fn content(org: &OrgName, owners: &OrgOwners, chosen: &Chosen) -> AnyView {
    let is_named = |row: &&OwnerRow| row.owner.name().eq_ignore_ascii_case(&chosen.owner);
    let one = owners.owners.iter().find(is_named);
    let heading = match one {
        Some(row) => title(row),
        None => format!("Owners of {org}"),
    };
    let shown = match one {
        Some(row) => of_owner(row, owners),
        None => of_org(org, owners, chosen),
    };
    // The tab leads to the report of all owners.
    let report = one.map(|row| {
        let report = links::report(&ReportQuery {
            org: Some(org.clone()),
            owner: row.owner.name().to_owned(),
            ..ReportQuery::default()
        });
        view! { <p class="small"><a class="link" href=report>{format!("Report of {}", title(row))}</a></p> }
    });
    let notices = owners.notices.iter().map(|notice| note(notice.clone()));
    view! {
        <PageHead title=format!("{heading} · {org}") description="Coverage by owner over the repositories of an org."/>
        {org_head(org, OrgTab::Owners, one.map(title), about(owners), ())}
        {controls(org, owners, chosen, one)}
        {shown}
        {notices.collect_view()}
        {report}
    }
    .into_any()
}

fn controls(
    org: &OrgName,
    owners: &OrgOwners,
    chosen: &Chosen,
    one: Option<&OwnerRow>,
) -> impl IntoView + use<> {
    let owner = one.map(|row| row.owner.name());
    let days = (chosen.period.from, chosen.period.to);
    let today = Day::of(owners.now);
    let periods = periods(today, days, TrendRange::default(), |period| {
        links::owners_in(org, owner, (Some(period.from), Some(period.to)))
    });
    let mut kept = vec![("org_name", org.to_string())];
    kept.extend(owner.map(|owner| ("owner", owner.to_owned())));
    let (from, to) = (Day::of(owners.from), days.1.unwrap_or(today));
    let shown = (Some(from.to_string()), Some(to.to_string()));
    let has_days = are_other_days(today, days);
    view! {
        <div class="controls org-controls">
            {periods}
            {other_days(dates("/owners".to_owned(), hidden(kept, &[]), shown, has_days), has_days)}
        </div>
    }
}

fn title(row: &OwnerRow) -> String {
    match &row.owner {
        ViewName::NoOwner => "No owner".to_owned(),
        owner => owner.name().to_owned(),
    }
}

fn about(owners: &OrgOwners) -> String {
    let (from, now) = (Day::of(owners.from).long(), owners.now.long());
    format!("Owners as of {now}, change since {from}")
}

fn of_org(org: &OrgName, owners: &OrgOwners, chosen: &Chosen) -> AnyView {
    if owners.repositories == 0 {
        let sentence = "No repository of this org has sent a CODEOWNERS file from its main branch. The upload script sends it if the repository has one.";
        return message("No owners", sentence, None);
    }
    let new = owners.by_repository.iter().filter(|row| row.is_new);
    let new: BTreeSet<_> = new.map(|row| &row.repository).collect();
    // The most work first.
    let mut sorted: Vec<_> = owners.owners.iter().collect();
    sorted.sort_by_key(|row| Reverse(row.counts.now.lines.uncovered()));
    let rows = sorted.into_iter().map(|row| Row {
        name: title(row),
        href: Some(chosen.link(org, Some(row.owner.name()))),
        counts: row.counts,
        repositories: Some(row.repositories.len() as u64),
        alike: Some(alike(
            row.repositories
                .iter()
                .map(|(of, counts)| (of, Some(*counts))),
            &new,
        )),
        ..Row::default()
    });
    let of_all =
        |name: &str, counts: ViewCounts, repositories, counted: fn(&&OwnedRepository) -> bool| {
            let rows = owners.by_repository.iter().filter(counted);
            Row {
                name: name.to_owned(),
                counts,
                repositories: Some(repositories),
                alike: Some(alike(rows.map(|row| (&row.repository, row.counts)), &new)),
                ..Row::default()
            }
        };
    let owned = owners.whole.map(|counts| {
        let name = match owners.undefined {
            0 => "All repositories",
            _ => "With owners",
        };
        of_all(name, counts, owners.repositories, |row| row.has_owners)
    });
    let others = OwnedRepository::without_owners(&owners.by_repository).flatten();
    let others = others.map(|counts| {
        of_all("Without CODEOWNERS", counts, owners.undefined, |row| {
            !row.has_owners
        })
    });
    let figures = figures(owners, others.as_ref().map(|row| row.counts));
    let all = owned.as_ref().zip(others.as_ref()).map(|(one, other)| {
        let repositories = owners.repositories + owners.undefined;
        let sum = one.counts.plus(other.counts);
        of_all("All repositories", sum, repositories, |_| true)
    });
    let totals = [others, all.or(owned)].into_iter().flatten();
    let content = table(
        "owners",
        "Owner",
        rows.collect(),
        totals,
        (owners.from, owners.now),
    );
    let how = [
        "A file with several owners counts for each of them, and once in the sums.",
        "A change is of the repositories that have a value at the beginning of the period. If more than half of the repositories of a row came later, the row has no change.",
    ];
    let beside = view! {
        <span class="grow"></span>
        {as_csv(links::owners_csv(org), "Owners")}
    };
    view! {
        {figures}
        {card("owners", "By owner", beside, (content, without(owners)))}
        {how_counted(how.map(IntoAny::into_any).into())}
    }
    .into_any()
}

/// The change of the repositories that have a value at the beginning. What is unknown in one of them is unknown in the sum.
fn alike<'a>(
    rows: impl Iterator<Item = (&'a Repository, Option<ViewCounts>)>,
    new: &BTreeSet<&Repository>,
) -> Alike {
    let (came, kept): (Vec<_>, Vec<_>) = rows.partition(|(of, _)| new.contains(of));
    let sum = kept
        .iter()
        .try_fold(ViewCounts::zero(), |sum, (_, counts)| {
            Some(sum.plus((*counts)?))
        });
    Alike {
        change: sum.and_then(|sum| sum.delta()),
        new: came.len() as u64,
        all: (came.len() + kept.len()) as u64,
    }
}

/// What owners cover: the missed lines without a known owner, the repositories with owners, and how many owners are below the target.
fn figures(owners: &OrgOwners, others: Option<ViewCounts>) -> Option<AnyView> {
    let missed = |counts: ViewCounts| counts.now.lines.uncovered();
    let is_named = |row: &&OwnerRow| row.owner != ViewName::NoOwner;
    let named: Vec<_> = owners.owners.iter().filter(is_named).collect();
    let below = use_context::<Target>().map(|Target(target)| {
        let is_below = |row: &&&OwnerRow| row.counts.percentage().is_some_and(|of| of < target);
        let of = Count {
            covered: named.iter().filter(is_below).count() as u64,
            total: named.len() as u64,
        };
        let about = format!("owners are below the target of {}", whole(target));
        figure(covered_of(of), about)
    });
    let no_owner = owners
        .owners
        .iter()
        .find(|row| row.owner == ViewName::NoOwner);
    let no_owner = no_owner.map_or(0, |row| missed(row.counts));
    let owned = missed(owners.whole?).saturating_sub(no_owner);
    let without = match others {
        Some(others) => Some(missed(others)),
        None => (owners.undefined == 0).then_some(0),
    };
    let without = without.map(|without| {
        let without = without + no_owner;
        let of = Count {
            covered: without,
            total: owned + without,
        };
        figure(covered_of(of), "missed lines have no known owner")
    });
    let repositories = (owners.undefined > 0).then(|| {
        let of = Count {
            covered: owners.repositories,
            total: owners.repositories + owners.undefined,
        };
        figure(covered_of(of), "repositories have owners")
    });
    let tiles = [without, repositories, below];
    Some(facts::figures("Owners", tiles.into_iter().flatten()))
}

/// The repositories without a CODEOWNERS file.
fn without(owners: &OrgOwners) -> Option<AnyView> {
    let without = owners.by_repository.iter().filter(|row| !row.has_owners);
    let names = without.take(NAMED).enumerate().map(|(index, row)| {
        let before = if index == 0 { " " } else { ", " };
        view! {
            {before}
            <a class="link" href=links::setup_of(&row.repository)><Name text=row.repository.to_string()/></a>
        }
    });
    let which = counted(
        owners.undefined,
        "repository has no CODEOWNERS file:",
        "repositories have no CODEOWNERS file:",
    );
    let names = names.collect_view();
    (owners.undefined > 0)
        .then(|| note(view! { {which}{names}". Commit one; the upload script sends it." }))
}

fn of_owner(row: &OwnerRow, owners: &OrgOwners) -> AnyView {
    let rows = row.repositories.iter().map(|(repository, counts)| {
        let query = ViewsQuery {
            kind: Some(ViewKind::Owner),
            ..ViewsQuery::default()
        };
        Row {
            name: repository.to_string(),
            href: Some(links::view_trend(repository, &row.owner)),
            trend: Some(links::views(repository, &query)),
            counts: *counts,
            ..Row::default()
        }
    });
    let whole = Row {
        name: "all of its files".to_owned(),
        counts: row.counts,
        ..Row::default()
    };
    let content = table(
        "owners",
        "Repository",
        rows.collect(),
        Some(whole),
        (owners.from, owners.now),
    );
    card("owners", "Repositories", (), content)
}
