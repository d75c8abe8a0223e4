//! The form that makes a token. Its answer shows the token once.

use crate::{
    address::Address,
    components::{
        card::{aside, card, note},
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
    let content = view! {
        <form class="controls administered" method="post" action=links::CREATE_TOKEN>
            <label>"Name"
                <input type="text" name="name" value=name autofocus=has_focus required maxlength="100" autocomplete="off" placeholder="ci"/>
            </label>
            <label>"For"<select name="for">{purposes.collect_view()}</select></label>
            <label>"Org"
                <input type="text" name="org_name" value=org autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="acme"/>
            </label>
            <label>"Repository"
                <input type="text" name="repo_name" value=repo autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="payments"/>
            </label>
            <label>"Valid for"
                <input type="text" name="expires" autocomplete="off" value="1y" placeholder="90d"/>
            </label>
            <button class="btn" type="submit">"Make the token"</button>
        </form>
        {note("Without an org, the token is for every repository; without a repository, for all repositories of the org. “Valid for” is a time such as 12h, 90d or 1y; if it is empty, the token is valid until you revoke it.")}
    };
    card("new-token", "New token", aside("shown once"), content)
}
