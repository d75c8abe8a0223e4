//! `/owners?org_name=`, `/orgs/{org}/owners`: the owners of an org over its repositories, and one owner's repositories.

#[cfg(test)]
mod tests;

use super::views::{
    as_csv,
    table::{Row, table},
};
use super::waiting::WaitingOrg;
use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, message, note},
        crumbs::{Crumb, Crumbs},
        page_head::PageHead,
    },
    links,
    numbers::counted,
};
use domain::{Day, OrgName, OrgOwners, OwnerRow, ReportQuery, ViewKind, ViewsQuery};
use leptos::prelude::*;

/// The owners of an org. The parameter `owner` shows one of them.
#[component]
pub(crate) fn OwnersPage() -> impl IntoView {
    let address = Address::current();
    let (name, owner) = (address.get("org_name"), address.get("owner"));
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let org = name.parse::<OrgName>().ok();
        let found = match &org {
            Some(org) => model.owners(org).await?,
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
        Ok((org, owners)) => content(&org, &owners, &owner),
        Err(org) => org.page(),
    })
}

pub(super) fn content(org: &OrgName, owners: &OrgOwners, owner: &str) -> AnyView {
    let is_named = |row: &&OwnerRow| row.owner.name().eq_ignore_ascii_case(owner);
    let one = owners.owners.iter().find(is_named);
    let heading = match one {
        Some(row) => title(row),
        None => "Owners".to_owned(),
    };
    let mut steps = vec![Crumb::overview(), Crumb::org(org)];
    if one.is_some() {
        steps.push(Crumb::fixed("Owners", links::owners(org, None)));
    }
    let shown = match one {
        Some(row) => of_owner(row, owners),
        None => of_org(org, owners),
    };
    let report = links::report(&ReportQuery {
        org: Some(org.clone()),
        owner: one.map_or_else(String::new, |row| row.owner.name().to_owned()),
        ..ReportQuery::default()
    });
    let notices = owners.notices.iter().map(|notice| note(notice.clone()));
    view! {
        <PageHead title=format!("{heading} · {org}") description="Coverage by owner over the repositories of an org."/>
        <div class="record-head">
            <Crumbs steps/>
            <h1><bdi>{heading}</bdi></h1>
        </div>
        {shown}
        {notices.collect_view()}
        <p class="small"><a class="link" href=report>"Report of a quarter"</a></p>
    }
    .into_any()
}

fn title(row: &OwnerRow) -> String {
    match &row.owner {
        domain::ViewName::NoOwner => "No owner".to_owned(),
        owner => owner.name().to_owned(),
    }
}

fn about(owners: &OrgOwners) -> AnyView {
    aside(format!("change since {}", Day::of(owners.from).long()))
}

fn of_org(org: &OrgName, owners: &OrgOwners) -> AnyView {
    if owners.repositories == 0 {
        let sentence = "No repository of this org has sent a CODEOWNERS file from its main branch. The upload script sends it if the repository has one.";
        return message("No owners", sentence, None);
    }
    let rows = owners.owners.iter().map(|row| Row {
        name: title(row),
        href: Some(links::owners(org, Some(row.owner.name()))),
        counts: row.counts,
        repositories: Some(row.repositories.len() as u64),
        ..Row::default()
    });
    let whole = owners.whole.map(|counts| Row {
        name: "all repositories with owners".to_owned(),
        counts,
        repositories: Some(owners.repositories),
        ..Row::default()
    });
    let undefined = (owners.undefined > 0).then(|| {
        let repositories = counted(owners.undefined, "repository has", "repositories have");
        note(format!(
            "{repositories} no CODEOWNERS file, and are not counted."
        ))
    });
    let content = view! {
        {table("owners", "Owner", rows.collect(), whole, (owners.from, owners.now))}
        {undefined}
        {note("A file with several owners counts for each of them, and once in the last row.")}
    };
    let beside = view! {
        {about(owners)}
        <span class="grow"></span>
        {as_csv(links::owners_csv(org), "Owners")}
    };
    card("owners", "Owners", beside, content)
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
    card("owners", "Repositories", about(owners), content)
}
