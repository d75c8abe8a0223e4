//! `/compare?base=&head=`: two records side by side, and the per-file changes from base to head.

mod chooser;
mod counts;
mod sides;
#[cfg(test)]
mod tests;

use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        change::Change,
        coverage::Percent,
        crumbs::{Crumb, Crumbs},
        explained::WhyItMoved,
        on_forge::{forge_pages, on_forge, out},
        page_head::PageHead,
        what_moved::WhatMoved,
    },
    links,
};
use chooser::Chooser;
use counts::Counts;
use domain::{Compare, CompareQuery, ComparedRecord, RecordQuery, RecordRef, RecordRefError};
use leptos::prelude::*;
use sides::Side;

/// Compares two records, which its address names.
#[component]
pub(crate) fn ComparePage() -> impl IntoView {
    let address = Address::current();
    let model: SharedReadModel = expect_context();
    let names_others = !address.get(links::OTHERS).is_empty();
    let answer = async move {
        let query = query_of(&address)?;
        let compare = model.compare(&query).await?;
        missing(query.base.as_ref(), compare.base.as_ref())?;
        missing(query.head.as_ref(), compare.head.as_ref())?;
        Ok(compare)
    };
    answered(
        answer,
        move |compare| view! { <Content compare names_others/> },
    )
}

/// Reads the query. An invalid language is ignored; an invalid record is an error.
fn query_of(address: &Address) -> Result<CompareQuery, AppError> {
    let side = |name| match address.get(name) {
        text if text.is_empty() => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|error: RecordRefError| AppError::NotFound(format!("{error}."))),
    };
    Ok(CompareQuery {
        base: side("base")?,
        head: side("head")?,
        language: address.get("language").parse().ok(),
    })
}

/// Fails if a requested record was not found.
fn missing(requested: Option<&RecordRef>, found: Option<&ComparedRecord>) -> Result<(), AppError> {
    match (requested, found) {
        (Some(RecordRef::Id(id)), None) => {
            Err(AppError::NotFound(format!("There is no record {id}.")))
        }
        (Some(RecordRef::CurrentOf(repository, branch)), None) => Err(AppError::NotFound(format!(
            "The branch {branch} of {repository} has no current record, or no current record in the requested language."
        ))),
        _ => Ok(()),
    }
}

#[component]
fn Content(compare: Compare, names_others: bool) -> impl IntoView {
    let repository = compare.head.as_ref().or(compare.base.as_ref());
    let repository = repository.map(|side| side.repository.clone());
    let title = match (compare.sides(), &repository) {
        (Some((base, head)), Some(of)) => {
            format!("{} to {} · {of}", base.commit.short(), head.commit.short())
        }
        _ => "Compare".to_owned(),
    };
    let both = compare
        .sides()
        .map(|(base, head)| both(&compare, base, head));
    let one = |name, side: Option<&ComparedRecord>| {
        let side = side.filter(|_| both.is_none()).cloned();
        side.map(|record| view! { <Side name record now=compare.now/> })
    };
    let one = (
        one("Base", compare.base.as_ref()),
        one("Head", compare.head.as_ref()),
    );
    view! {
        <PageHead title description="Code coverage of two records side by side."/>
        <div class="record-head">
            {repository.map(|repository| view! { <Crumbs steps=Crumb::to_repository(&repository)/> })}
            <h1>"Compare"</h1>
        </div>
        <Chooser compare=compare.clone() names_others/>
        {one}
        {both}
    }
}

fn both(compare: &Compare, base: &ComparedRecord, head: &ComparedRecord) -> impl IntoView + use<> {
    let change = base.change_to(head);
    let head_query = RecordQuery {
        id: head.id,
        ..RecordQuery::default()
    };
    let reservations = reservations(base, head).into_iter();
    let reservations = reservations.map(|sentence| view! { <p class="note card">{sentence}</p> });
    view! {
        <section class="hero" aria-label="Change" data-testid="headline">
            <div class="figure"><Change change=Some(change)/></div>
            <p>
                "percentage points, from "{base.percentage.to_string()}<Percent/>" to "
                {head.percentage.to_string()}<Percent/>
            </p>
        </section>
        {on_its_forge(base, head)}
        {reservations.collect_view()}
        <div class="pair">
            <Side name="Base" record=base.clone() now=compare.now/>
            <Side name="Head" record=head.clone() now=compare.now/>
        </div>
        <Counts base=base.clone() head=head.clone()/>
        <section class="card" aria-labelledby="moved">
            <div class="head"><h2 id="moved">"What moved"</h2></div>
            {match compare.explained.clone() {
                Some(explained) => view! { <WhyItMoved head=head.id change explained/> }.into_any(),
                None => view! { <WhatMoved head=head_query change moved=compare.moved.clone()/> }.into_any(),
            }}
        </section>
    }
}

/// A link to the changes between the two commits on their forge.
fn on_its_forge(base: &ComparedRecord, head: &ComparedRecord) -> Option<impl IntoView + use<>> {
    let is_one = base.repository == head.repository && base.commit != head.commit;
    let pages = forge_pages(&head.repository, head.forge.as_deref(), None).filter(|_| is_one)?;
    let href = pages.changes(&base.commit, &head.commit)?;
    on_forge(pages.name(), vec![out(href, "changes from base to head")])
}

/// Reasons why the comparison may be of little use.
fn reservations(base: &ComparedRecord, head: &ComparedRecord) -> Vec<String> {
    if base.id == head.id {
        return vec!["Base and head are the same record.".to_owned()];
    }
    let mut sentences = Vec::new();
    if base.repository != head.repository {
        sentences.push(format!(
            "The records are of two repositories, {} and {}: files with the same path are compared.",
            base.repository, head.repository
        ));
    }
    if base.language != head.language {
        sentences.push(format!(
            "The records are of two languages, {} and {}.",
            base.language, head.language
        ));
    }
    if base.report_format != head.report_format {
        sentences.push(format!(
            "Their coverage files have different formats, {} and {}, which may count differently.",
            base.report_format, head.report_format
        ));
    }
    sentences
}
