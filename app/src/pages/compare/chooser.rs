//! The form that chooses the two records to compare.

use crate::{
    components::{coverage::Percent, form::hidden, view_choice::view_list},
    islands::Scope,
    links,
};
use domain::{Compare, CompareQuery, ComparedRecord, RecordRef, Timestamp};
use leptos::prelude::*;

/// A form to choose the records: with lists once a repository is known, otherwise with text fields.
///
/// With `names_others`, the fields are shown instead of the lists, which have no records of other repositories.
pub(super) fn chooser(
    query: &CompareQuery,
    compare: &Compare,
    names_others: bool,
) -> impl IntoView + use<> {
    let chosen = CompareQuery {
        base: compare.base.as_ref().map(|base| RecordRef::Id(base.id)),
        head: compare.head.as_ref().map(|head| RecordRef::Id(head.id)),
        language: None,
        ..query.clone()
    };
    let has_lists = chosen.base.is_some() || chosen.head.is_some();
    let views = view_list(&compare.views, compare.view.as_ref());
    // Without a list, the form keeps the view.
    let own: &[&str] = match views {
        Some(_) => &["base", "head", "view"],
        None => &["base", "head"],
    };
    let kept = hidden(chosen.parameters(), own);
    let is_open = names_others || !has_lists;
    let fields = if is_open {
        view! {
            {field("base", "Base", chosen.base.as_ref(), "acme/shop@main")}
            {field("head", "Head", chosen.head.as_ref(), "acme/shop@feature/x")}
        }
        .into_any()
    } else {
        view! {
            {list("base", "Base", compare.base.as_ref(), compare)}
            {list("head", "Head", compare.head.as_ref(), compare)}
        }
        .into_any()
    };
    let swapped = compare.sides().map(|(base, head)| {
        let href = links::compare(&CompareQuery {
            view: query.view.clone(),
            metric: query.metric,
            ..CompareQuery::between(head.id, base.id)
        });
        view! { <a class="btn" href=href>"⇄ Swap"</a> }
    });
    let hint = is_open.then_some(
        "Enter two records, each as a record number, the address of a record page, or org/repo@branch. \
         The page of every record also links to this page.",
    );
    let other_way = has_lists.then(|| {
        let (href, name) = if is_open {
            (links::compare(&chosen), "Choose from lists")
        } else {
            (links::compare_others(&chosen), "Other repository…")
        };
        view! { <a class="btn" href=href>{name}</a> }
    });
    let button = if is_open { "btn" } else { "btn unscripted" };
    view! {
        {hint.map(|hint| view! { <p class="muted">{hint}</p> })}
        <form method="get" action=links::COMPARE class="controls wide" data-testid="chooser">
            {kept}
            {fields}
            {views}
            {swapped}
            {other_way}
            <button class=button type="submit">"Compare"</button>
        </form>
    }
}

fn field(
    name: &'static str,
    label: &'static str,
    chosen: Option<&RecordRef>,
    example: &'static str,
) -> impl IntoView + use<> {
    let value = chosen.map(ToString::to_string);
    view! {
        <div class="suggested">
            <label>
                {label}
                <input
                    type="text"
                    name=name
                    value=value
                    required
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    dir="auto"
                    placeholder=example
                    data-suggest=Scope::Records.name()
                />
            </label>
        </div>
    }
}

fn list(
    name: &'static str,
    label: &'static str,
    chosen: Option<&ComparedRecord>,
    compare: &Compare,
) -> impl IntoView + use<> {
    let id = chosen.map(|chosen| chosen.id);
    let choices = &compare.choices;
    let group = |label: String, is_current: bool| {
        let options = choices.iter();
        let options = options.filter(|choice| choice.is_current == is_current);
        let options = options.map(|choice| {
            let record = &choice.record;
            // The heading of the earlier records names their branch. A short name is not cut.
            let name = match is_current {
                true => choice.branch.to_string(),
                false => record.commit.short().to_owned(),
            };
            let name = format!("{name} · {}", record.percentage);
            option(record.id, name, record.updated_at, id == Some(record.id))
        });
        let options: Vec<_> = options.collect();
        (!options.is_empty()).then(|| view! { <optgroup label=label>{options}</optgroup> })
    };
    // The chosen record may be old, or of another repository or language; then it is not in the list.
    let other = chosen.filter(|chosen| choices.iter().all(|choice| choice.record.id != chosen.id));
    let other = other.map(|chosen| {
        let (repository, branch) = (&chosen.repository, &chosen.branch);
        let (commit, percentage) = (chosen.commit.short(), chosen.percentage);
        let place = format!("{repository}@{branch}, {}", chosen.language);
        let name = format!("{place} · {commit} · {percentage}");
        option(chosen.id, name, chosen.updated_at, true)
    });
    let has_none = id.is_none();
    let none = has_none.then(|| view! { <option value="" selected>"Choose a record…"</option> });
    let earlier = choices.iter().find(|choice| !choice.is_current);
    let earlier = earlier.map_or_else(String::new, |choice| {
        format!("Earlier on {}", choice.branch)
    });
    view! {
        <label>
            {label}
            <select name=name dir="auto" data-submit>
                {none}
                {other}
                {group("Branches".to_owned(), true)}
                {group(earlier, false)}
            </select>
        </label>
    }
}

fn option(id: i64, name: String, at: Timestamp, is_chosen: bool) -> impl IntoView + use<> {
    view! { <option value=id.to_string() selected=is_chosen>{name}<Percent/>" · "{at.day()}</option> }
}
