//! `/admin/gate?org_name=&repo_name=`: the rules of a repository's gate, and a form that sets some. Before it does, the page shows
//! what they would have said about the last pull requests.

mod form;
mod preview;
#[cfg(test)]
mod tests;

use super::not_found::no_repository;
use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::{Address, cut},
    components::{
        answered::answered,
        card::{aside, card, message, stacked},
        crumbs::{Crumb, Crumbs},
        page_head::PageHead,
    },
};
use domain::{FieldErrors, GatePreview, GateRules, OrgName, RepoName, Repository};
use form::Fields;
use leptos::prelude::*;
use std::collections::BTreeSet;

#[component]
pub(crate) fn GatePage() -> impl IntoView {
    let address = Address::current();
    let keys = GateRules::KEYS.into_iter().chain(["partial"]);
    let fields: Fields = keys.map(|name| (name, cut(address.get(name)))).collect();
    let names = [address.get("org_name"), address.get("repo_name")];
    let model: SharedReadModel = expect_context();
    let access: AuditAccess = use_context().unwrap_or_default();
    let answer = async move {
        if access.0.is_none() {
            return Err(AppError::AdminOnly);
        }
        let rules = GateRules::of_fields(|name| fields.get(name).cloned());
        let tried = rules.clone().unwrap_or_default();
        let repository = read(&names).filter(|repository| access.covers(repository));
        let found = match &repository {
            Some(repository) => model.gate_preview(repository, &tried).await?,
            None => None,
        };
        match (found, repository) {
            (Some(found), _) => Ok((found, fields, rules)),
            (None, Some(repository)) => Err(no_repository(&repository.to_string(), &*model).await),
            (None, None) => Err(AppError::NotFound(
                "There is no such repository.".to_owned(),
            )),
        }
    };
    view! {
        <PageHead title="Gate" description="The rules of a repository's gate, and what other rules would have said."/>
        {answered(answer, |(found, fields, rules)| content(&found, &fields, rules))}
    }
}

fn read([org, repo]: &[String; 2]) -> Option<Repository> {
    let org: OrgName = org.parse().ok()?;
    let repo: RepoName = repo.parse().ok()?;
    Some(Repository { org, repo })
}

fn content(
    found: &GatePreview,
    fields: &Fields,
    rules: Result<GateRules, FieldErrors>,
) -> impl IntoView + use<> {
    let (tried, errors) = match rules {
        Ok(rules) => (Some(rules).filter(|rules| !rules.is_empty()), None),
        Err(errors) => (None, Some(errors)),
    };
    let tried = tried.map(|rules| preview::preview(found, fields, &rules));
    view! {
        <div class="record-head">
            <Crumbs steps=Crumb::to_repository(&found.repository)/>
            <h1>"Gate"</h1>
            <p class="muted">"The rules of the gate, which count from the next upload on."</p>
        </div>
        {in_force(found)}
        {form::form(found, fields, errors)}
        {tried}
    }
}

/// The rules in force; each from the first source that sets it.
fn in_force(found: &GatePreview) -> AnyView {
    let mut named = BTreeSet::new();
    let mut rows = Vec::new();
    for (source, rules) in &found.sources {
        for (name, value) in rules.list() {
            if named.insert(name.clone()) {
                let source = source.clone();
                rows.push(view! {
                    <tr>
                        <th scope="row"><bdi class="mono">{name}</bdi></th>
                        <td class="num" data-label="Value">{value}</td>
                        <td data-label="From"><bdi>{source}</bdi></td>
                    </tr>
                });
            }
        }
    }
    if rows.is_empty() {
        let sentence = "Nothing is judged. Try rules below, and see what they would have said.";
        return message("No rule is set", sentence, None);
    }
    let columns = [("Rule", ""), ("Value", "num"), ("From", "")];
    let content = stacked("in-force", "in-force", columns, rows.collect_view());
    card(
        "in-force",
        "Rules in force",
        aside("the first source wins: the repository, its orgs, then its own file"),
        content,
    )
}
