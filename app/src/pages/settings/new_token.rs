//! The form that makes a token. Its answer shows the token once.

use crate::{
    address::Address,
    components::{
        card::{aside, card, note, with_code},
        form::option,
    },
    links,
};
use domain::{Overview, Purpose};
use leptos::prelude::*;
use std::collections::BTreeSet;

/// The form, which suggests known names; the address can name a repository, whose jobs are to upload.
pub(super) fn form(known: Option<&Overview>) -> AnyView {
    let address = Address::current();
    let [org, repo] = ["org_name", "repo_name"].map(|name| address.get(name));
    let name = (!repo.is_empty()).then(|| format!("ci of {repo}"));
    let has_focus = name.is_some();
    let purposes = [
        (Purpose::Upload, "uploading"),
        (Purpose::Read, "reading"),
        (Purpose::Admin, "administration"),
    ];
    let purposes = purposes.map(|(purpose, name)| option(purpose.word(), false, name));
    let lifetimes = [
        ("30d", "30 days"),
        ("90d", "90 days"),
        ("1y", "1 year"),
        ("", "until it is revoked"),
    ];
    let lifetimes = lifetimes.map(|(time, name)| option(time, time == "1y", name));
    let orgs = known.iter().flat_map(|known| &known.choices.orgs);
    let orgs: BTreeSet<_> = orgs.map(|org| org.name.to_string()).collect();
    let rows = known.iter().flat_map(|known| &known.rows);
    let repositories: BTreeSet<_> = rows.map(|row| row.repository.repo.to_string()).collect();
    let content = view! {
        <form class="controls administered" method="post" action=links::CREATE_TOKEN>
            <label>"Name"
                <input type="text" name="name" value=name autofocus=has_focus required maxlength="100" autocomplete="off" placeholder="such as ci"/>
            </label>
            <label>"For"<select name="for">{purposes.collect_view()}</select></label>
            <label>"Org"
                <input type="text" name="org_name" value=org list="known-orgs" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="such as acme"/>
            </label>
            <label>"Repository"
                <input type="text" name="repo_name" value=repo list="known-repositories" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="all of the org"/>
            </label>
            <label>"Valid for"
                <select name="expires">{lifetimes.collect_view()}</select>
            </label>
            <button class="btn primary" type="submit">"Make the token"</button>
            <datalist id="known-orgs">{names(&orgs)}</datalist>
            <datalist id="known-repositories">{names(&repositories)}</datalist>
        </form>
        {note(with_code("The org `*` is every org: such a token works in every repository. Another lifetime: `coverage-dashboard token create`."))}
    };
    card(
        "new-token",
        "New token",
        aside("shown once, after it is made"),
        content,
    )
}

fn names(names: &BTreeSet<String>) -> AnyView {
    let options = names.iter().cloned();
    let options = options.map(|name| view! { <option value=name></option> });
    options.collect_view().into_any()
}
