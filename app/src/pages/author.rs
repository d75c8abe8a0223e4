//! `/authors/{author}`: the records with this commit author. `/authors`: the search for one.

mod find;
mod record_table;

use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        crumbs::{Crumb, Crumbs},
        facts::{self, figure},
        form::{by_time, hidden, list, option, without},
        name::Name,
        page_head::PageHead,
    },
    links,
    numbers::grouped,
};
use domain::{AuthorDetail, AuthorQuery, AuthorSummary};
use find::FindAuthor;
use leptos::prelude::*;
use record_table::records;

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
    answered(answer, content).into_any()
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

fn content(detail: AuthorDetail) -> impl IntoView {
    let query = &detail.query;
    let author = query.author.to_string();
    let description = format!("Code coverage of the commits of {author}.");
    let steps = vec![
        Crumb::overview(),
        Crumb::fixed("Authors", links::AUTHORS.to_owned()),
    ];
    let figures = figures(&detail);
    let filter = filter(query, &detail.summary);
    let to = |after| {
        links::author_records(&AuthorQuery {
            after,
            order: None,
            ..query.clone()
        })
    };
    let is_first = query.after.is_none() && query.order.is_none();
    let pager = by_time(is_first, detail.next, to);
    let records = if detail.records.is_empty() {
        view! { {nothing_here(query, detail.next.is_some())}{pager} }.into_any()
    } else {
        records(detail, pager)
    };
    view! {
        <PageHead title=author.clone() description/>
        <div>
            <Crumbs steps/>
            <h1><bdi>{author}</bdi></h1>
        </div>
        {figures}
        {filter}
        {records}
        <p class="muted small">"Names are not checked: one person may have several, and several people may share one."</p>
    }
}

fn figures(detail: &AuthorDetail) -> impl IntoView + use<> {
    let summary = &detail.summary;
    let records = grouped(summary.records.into());
    let (at_least, of_newest) = match summary.is_cut {
        true => ("+", format!(", of the newest {records} records")),
        false => ("", String::new()),
    };
    let count = summary.repositories.len() as u64;
    let noun = if count == 1 {
        "repository"
    } else {
        "repositories"
    };
    let languages = summary.languages.iter().map(ToString::to_string);
    let languages = languages.collect::<Vec<_>>().join(", ");
    let last = view! { <time datetime=summary.last_upload.machine()>{summary.last_upload.age(detail.now)}</time> };
    let tiles = [
        figure(format!("{records}{at_least}"), "records"),
        figure(grouped(count), format!("{noun} ({languages}){of_newest}")),
        figure(last, "last upload"),
    ];
    facts::figures("Records", tiles)
}

/// The filter by repository and language.
fn filter(query: &AuthorQuery, summary: &AuthorSummary) -> impl IntoView + use<> {
    let address = links::author(&query.author);
    // The names `.` and `..` are in the query, because no path can contain them.
    let (action, name) = match address.split_once("?name=") {
        Some((path, name)) => (path.to_owned(), Some(name.to_owned())),
        None => (address.clone(), None),
    };
    let name = name.map(|name| ("name", name));
    let is_filtered = query.repository.is_some() || query.language.is_some();
    let repositories = summary.repositories.iter().take(CHOICES);
    let repositories = repositories.map(|(repository, count)| {
        let is_chosen = query.repository.as_ref() == Some(repository);
        option(
            repository.to_string(),
            is_chosen,
            format!("{repository} ({count})"),
        )
    });
    let languages = summary.languages.iter().map(|language| {
        let is_chosen = query.language.as_ref() == Some(language);
        option(language.to_string(), is_chosen, language.to_string())
    });
    view! {
        <form class="controls" method="get" action=action>
            {hidden(name.into_iter().collect(), &[])}
            {list("Repository", Some("by-repository"), "repo", "All", repositories)}
            {list("Language", Some("by-language"), "language", "All", languages)}
            <button class="btn unscripted" type="submit">"Show"</button>
            {is_filtered.then(|| view! { <a class="btn" href=address>"Show all"</a> })}
        </form>
    }
}

fn nothing_here(query: &AuthorQuery, has_more: bool) -> impl IntoView + use<> {
    let repository = query.repository.as_ref().map(|repository| {
        let href = links::author_records(&AuthorQuery {
            repository: None,
            after: None,
            ..query.clone()
        });
        let name = view! { <bdi>{repository.to_string()}</bdi> };
        view! { " of "{without(name, href)} }
    });
    let language = query.language.as_ref().map(|language| {
        let href = links::author_records(&AuthorQuery {
            language: None,
            after: None,
            ..query.clone()
        });
        let name = view! { <bdi>{language.to_string()}</bdi> };
        view! { " in "{without(name, href)} }
    });
    let no_filter = (repository.is_none() && language.is_none()).then_some(" on this page");
    let (start, end) = match has_more {
        true => ("No record", " was found so far; there may be older ones."),
        false => ("There is no record", " by this author."),
    };
    view! {
        <section class="card message">
            <h2>"Nothing found"</h2>
            <p>{start}{repository}{language}{no_filter}{end}</p>
            <p><a class="btn" href=links::author(&query.author)>"Show all records of "<Name text=query.author.to_string()/></a></p>
        </section>
    }
}

#[cfg(test)]
mod tests;
