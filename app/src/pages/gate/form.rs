//! The form that tries rules, and the form that removes the rules of the repository.

use crate::{
    AuditAccess,
    components::{
        card::{aside, card, note},
        form::{hidden, option},
    },
    escaped, links,
};
use domain::{FieldErrors, GatePreview, GateRules, Repository};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// The texts of the fields by their names.
pub(super) type Fields = BTreeMap<&'static str, String>;

/// Fields with a number: the name, the label, and whether it is a percentage.
const NUMBERS: [(&str, &str, bool); 6] = [
    ("changed", "Changed lines, at least %", true),
    ("changed_min", "From this many changed lines", false),
    ("lost", "Lost lines, at most", false),
    ("floor", "All lines, at least %", true),
    ("branches_floor", "Branches, at least %", true),
    ("functions_floor", "Functions, at least %", true),
];

/// A name and a label, and two words with their labels.
type Choice = (
    &'static str,
    &'static str,
    [(&'static str, &'static str); 2],
);

/// Fields with a choice: the name, the label, and the choices with their labels.
const CHOICES: [Choice; 3] = [
    (
        "evaluate",
        "If a rule is broken",
        [("false", "fail"), ("true", "only report")],
    ),
    (
        "main",
        "Changed and lost lines on the main branch",
        [("false", "not judged"), ("true", "judged")],
    ),
    (
        "partial",
        "Partial lines count as",
        [("hit", "covered"), ("miss", "missed")],
    ),
];

/// Fields with a rule on each line: the name, the label, and an example.
const LINES: [(&str, &str, &str); 3] = [
    ("paths", "Rules of files", "billing/**:changed=95"),
    ("parts", "Rules of parts", "e2e:floor=40"),
    (
        "views",
        "Rules of owners and views",
        "owner:@acme/payments:changed=90",
    ),
];

/// The field of a form that is about the org of the repository.
pub(super) fn for_org() -> (&'static str, String) {
    ("for", "org".to_owned())
}

/// The names of the repository, as fields.
pub(super) fn names(of: &Repository) -> Vec<(&'static str, String)> {
    vec![
        ("org_name", of.org.to_string()),
        ("repo_name", of.repo.to_string()),
    ]
}

pub(super) fn form(found: &GatePreview, fields: &Fields, errors: Option<FieldErrors>) -> AnyView {
    let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let of_sources = found.sources.iter().map(|(_, rules)| rules.clone());
    let now = of_sources.fold(GateRules::default(), GateRules::over);
    let now: BTreeMap<_, _> = now.list().into_iter().collect();
    let numbers = NUMBERS.map(|(name, label, is_percent)| {
        let (value, most) = (text(name), is_percent.then_some("100"));
        let now = now.get(name).cloned();
        view! {
            <label>{label}
                <input type="number" name=name value=value min="0" max=most inputmode="numeric" placeholder=now/>
            </label>
        }
    });
    let choices = CHOICES.map(|(name, label, words)| {
        let chosen = text(name);
        let words = words.map(|(word, label)| option(word, chosen == word, label));
        view! {
            <label>{label}
                <select name=name><option value="">"as now"</option>{words.collect_view()}</select>
            </label>
        }
    });
    let is_open = LINES.iter().any(|(name, ..)| !text(name).is_empty());
    let lines = LINES.map(|(name, label, example)| {
        // The framework escapes the content of other elements, and not of this one.
        let lines = escaped(&text(name));
        view! {
            <label>{label}
                <textarea name=name rows="3" spellcheck="false" autocapitalize="none" placeholder=example inner_html=lines></textarea>
            </label>
        }
    });
    let errors = errors.map(|errors| {
        let rows = errors.into_iter();
        let rows = rows.map(
            |(name, why)| view! { <li><bdi>{format!("{}: {why}.", label_of(name))}</bdi></li> },
        );
        view! { <div class="refused" role="alert"><ul>{rows.collect_view()}</ul></div> }
    });
    let content = view! {
        {errors}
        <form class="controls administered" method="get" action=links::GATE>
            {hidden(names(&found.repository), &[])}
            {numbers.collect_view()}
            {choices.collect_view()}
            <details open=is_open>
                <summary>"Rules of files, parts, owners and views"</summary>
                <div class="lines">{lines.collect_view()}</div>
            </details>
            <button class="btn" type="submit">"Preview"</button>
        </form>
        {found.has_own.then(|| clear(&found.repository))}
        {has_rules_of_org(found).then(|| clear_org(&found.repository))}
        {note("A field that stays empty changes nothing. The preview changes nothing either.")}
    };
    card(
        "try",
        "Try other rules",
        aside("for this repository"),
        content,
    )
}

/// The label of a field.
fn label_of(name: &'static str) -> &'static str {
    let numbers = NUMBERS.iter().map(|(name, label, _)| (*name, *label));
    let choices = CHOICES.iter().map(|(name, label, _)| (*name, *label));
    let lines = LINES.iter().map(|(name, label, _)| (*name, *label));
    let mut all = numbers.chain(choices).chain(lines);
    all.find_map(|(of, label)| (of == name).then_some(label))
        .unwrap_or(name)
}

/// Whether rules of the org of the repository are set that the reader may remove.
fn has_rules_of_org(found: &GatePreview) -> bool {
    let of_org = format!("org {}", found.repository.org);
    let has_rules = found.sources.iter().any(|(source, _)| *source == of_org);
    has_rules && administers_org(&found.repository)
}

pub(super) fn administers_org(of: &Repository) -> bool {
    use_context::<AuditAccess>().is_some_and(|access| access.includes_org(&of.org))
}

fn clear_org(of: &Repository) -> impl IntoView + use<> {
    let mut fields = names(of);
    fields.push(for_org());
    view! {
        <details class="note">
            <summary>"Remove the rules of the org"</summary>
            <p class="muted small">"They no longer judge any repository of the org."</p>
            <form class="confirm" method="post" action=links::CLEAR_GATE>
                {hidden(fields, &[])}
                <button class="btn danger" type="submit">"Remove the rules of the org"</button>
            </form>
        </details>
    }
}

fn clear(of: &Repository) -> impl IntoView + use<> {
    let fields = hidden(names(of), &[]);
    view! {
        <details class="note">
            <summary>"Remove the rules of this repository"</summary>
            <p class="muted small">"Rules of its orgs and of its own file stay."</p>
            <form class="confirm" method="post" action=links::CLEAR_GATE>
                {fields}
                <button class="btn danger" type="submit">"Remove the rules"</button>
            </form>
        </details>
    }
}
