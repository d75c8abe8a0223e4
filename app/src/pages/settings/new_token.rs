//! The form that makes a token. Its answer shows the token once.

use crate::{
    address::Address,
    components::{
        card::{aside, card, note, with_code},
        form::option,
    },
    links,
};
use domain::Purpose;
use leptos::prelude::*;

/// The form; the address can name a repository, whose jobs are to upload.
pub(super) fn form() -> AnyView {
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
    let content = view! {
        <form class="controls administered" method="post" action=links::CREATE_TOKEN>
            <label>"Name"
                <input type="text" name="name" value=name autofocus=has_focus required maxlength="100" autocomplete="off" placeholder="such as ci"/>
            </label>
            <label>"For"<select name="for">{purposes.collect_view()}</select></label>
            <label>"Org"
                <input type="text" name="org_name" value=org autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="every org"/>
            </label>
            <label>"Repository"
                <input type="text" name="repo_name" value=repo autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="every repository"/>
            </label>
            <label>"Valid for"
                <select name="expires">{lifetimes.collect_view()}</select>
            </label>
            <button class="btn" type="submit">"Make the token"</button>
        </form>
        {note(with_code("Without an org, the token is for every repository; without a repository, for all repositories of the org. For another lifetime, use `coverage-dashboard token create`."))}
    };
    card("new-token", "New token", aside("shown once"), content)
}
