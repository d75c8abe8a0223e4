//! `/authors/{author}`: the records with this commit author. `/authors`: the search for one.

mod find;
mod record_card;
mod record_row;
mod record_table;

use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        crumbs::{Crumb, Crumbs},
        facts::Fact,
        name::Name,
        page_head::PageHead,
        time::Age,
    },
    links,
    numbers::grouped,
};
use domain::{AuthorDetail, AuthorQuery, AuthorSummary};
use find::FindAuthor;
use leptos::prelude::*;
use record_card::pager;
use record_table::RecordTable;

/// The maximum number of repositories in the filter; the others are reachable through their records.
const CHOICES: usize = 200;

/// An author; the address holds the name, the filters and the page.
#[component]
pub(crate) fn AuthorPage() -> impl IntoView {
    let (name, query) = query_of(&Address::current());
    if name.is_empty() {
        return view! { <FindAuthor/> }.into_any();
    }
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let found = match &query {
            Some(query) => model.author(query).await?,
            None => None,
        };
        match found {
            Some(detail) => Ok(detail),
            // The error is the same if similar names cannot be read.
            None => Err(AppError::NoAuthor {
                similar: model.authors_like(&name).await.unwrap_or_default(),
                name,
            }),
        }
    };
    answered::<AuthorDetail, _>(answer, |detail| view! { <Content detail/> }).into_any()
}

/// The requested name, and the query if the name is valid.
fn query_of(address: &Address) -> (String, Option<AuthorQuery>) {
    let name = match address.behind("/authors/") {
        name if name.is_empty() => address.get("name"),
        name => name,
    };
    let author = name.parse().ok();
    let query = author.map(|author| AuthorQuery::of(author, &|name| address.values(name)));
    (name, query)
}

#[component]
fn Content(detail: AuthorDetail) -> impl IntoView {
    let (now, query, summary) = (detail.now, detail.query.clone(), detail.summary.clone());
    let is_empty = detail.records.is_empty();
    let next = detail.next;
    let description = format!("Code coverage of the commits of {}.", query.author);
    view! {
        <PageHead title=query.author.to_string() description/>
        <div>
            <Crumbs steps=vec![Crumb::overview(), Crumb::fixed("Authors", Some(links::AUTHORS.to_owned()))]/>
            <h1><bdi>{query.author.to_string()}</bdi></h1>
            <p class="muted small">"Commits with this author name, as sent by CI jobs. Names are not checked: one person may use several names, and several people may share one."</p>
        </div>
        <Summary summary=summary.clone() now/>
        <Filter query=query.clone() summary/>
        {if is_empty {
            let pager = pager(&query, next);
            view! { <NothingHere query has_more=next.is_some()/>{pager} }.into_any()
        } else {
            view! { <RecordTable detail/> }.into_any()
        }}
    }
}

#[component]
fn Summary(summary: AuthorSummary, now: domain::Timestamp) -> impl IntoView {
    let AuthorSummary {
        records,
        is_cut,
        repositories,
        languages,
        last_upload,
    } = summary;
    let at_least = if is_cut { "+" } else { "" };
    let of_newest = is_cut.then(|| format!("of the newest {} records", grouped(records.into())));
    let languages: Vec<_> = languages.iter().map(ToString::to_string).collect();
    view! {
        <dl class="facts">
            <Fact label="Records" note=String::new()>{grouped(records.into())}{at_least}</Fact>
            <Fact label="Repositories" note=of_newest.clone().unwrap_or_default()>{grouped(repositories.len() as u64)}</Fact>
            <Fact label="Languages" note=languages.join(", ")>{languages.len()}</Fact>
            <Fact label="Last upload" note=last_upload.long()><Age at=last_upload now/></Fact>
        </dl>
    }
}

/// The filter by repository and language.
#[component]
fn Filter(query: AuthorQuery, summary: AuthorSummary) -> impl IntoView {
    let address = links::author(&query.author);
    // The names `.` and `..` are in the query, because no path can contain them.
    let (action, name) = match address.split_once("?name=") {
        Some((path, name)) => (path.to_owned(), Some(name.to_owned())),
        None => (address.clone(), None),
    };
    let is_filtered = query.repository.is_some() || query.language.is_some();
    let chosen = query.repository.clone();
    let mut repositories = summary.repositories;
    repositories.truncate(CHOICES);
    let repositories = repositories.into_iter().map(|(repository, count)| {
        let is_chosen = chosen.as_ref() == Some(&repository);
        let value = repository.to_string();
        let label = format!("{value} ({count})");
        view! { <option value=value selected=is_chosen>{label}</option> }
    });
    let languages = summary.languages.into_iter().map(|language| {
        let is_chosen = query.language.as_ref() == Some(&language);
        let (value, name) = (language.to_string(), language.to_string());
        view! { <option value=value selected=is_chosen>{name}</option> }
    });
    view! {
        <form class="controls" method="get" action=action>
            {name.map(|name| view! { <input type="hidden" name="name" value=name/> })}
            <label>"Repository"
                <select id="by-repository" name="repo" data-submit>
                    <option value="">"All"</option>
                    {repositories.collect_view()}
                </select>
            </label>
            <label>"Language"
                <select id="by-language" name="language" data-submit>
                    <option value="">"All"</option>
                    {languages.collect_view()}
                </select>
            </label>
            <button class="btn unscripted" type="submit">"Show"</button>
            {is_filtered.then(|| view! { <a class="btn" href=address>"Show all"</a> })}
        </form>
    }
}

#[component]
fn NothingHere(query: AuthorQuery, has_more: bool) -> impl IntoView {
    let what = match (&query.repository, &query.language) {
        (Some(repository), Some(language)) => format!("of {repository} in {language}"),
        (Some(repository), None) => format!("of {repository}"),
        (None, Some(language)) => format!("in {language}"),
        (None, None) => "on this page".to_owned(),
    };
    let sentence = if has_more {
        format!("No record {what} was found so far; there may be older ones.")
    } else {
        format!("There is no record {what} by this author.")
    };
    view! {
        <section class="card message">
            <h2>"Nothing found"</h2>
            <p>{sentence}</p>
            <p><a class="btn" href=links::author(&query.author)>"Show all records of "<Name text=query.author.to_string()/></a></p>
        </section>
    }
}

#[cfg(test)]
mod tests;
