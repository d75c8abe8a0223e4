//! The error shown in place of a page.

use super::{
    crumbs::{Crumb, Crumbs},
    page_head::PageHead,
};
use crate::{AppError, address::Address, links};
use domain::Repository;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

/// An error in words, with links to continue. It also sets the status of the response.
#[component]
pub(crate) fn ErrorPanel(error: AppError) -> impl IntoView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(error.status());
    }
    let sentence = error.to_string();
    let place = place(&error);
    let setup = set_up(&error);
    let open = only(&error).map(|(name, href)| {
        view! { <a class="btn primary" href=href><span>"Open "<bdi>{name}</bdi></span></a>" " }
    });
    let named = match &error {
        AppError::NoRepository { name, .. } => sentence.split_once(name.as_str()).zip(Some(name)),
        _ => None,
    };
    let sentence = match named {
        Some(((before, after), name)) => {
            view! { {before.to_owned()}<bdi class="mono">{name.clone()}</bdi>{after.to_owned()} }
                .into_any()
        }
        None => view! { <bdi>{sentence}</bdi> }.into_any(),
    };
    let (heading, way_on) = match error {
        AppError::NotFound(_) => (
            "Not found",
            view! { <Search name=String::new()/> }.into_any(),
        ),
        AppError::NoRepository {
            name,
            similar: names,
        } => (
            "Not found",
            similar(&names, links::repository)
                .unwrap_or_else(|| view! { <Search name/> }.into_any()),
        ),
        AppError::NoAuthor { similar: names, .. } => (
            "Not found",
            view! {
                {similar(&names, links::author)}
                <p><a href=links::AUTHORS class="btn">"Find an author"</a></p>
            }
            .into_any(),
        ),
        AppError::AdminOnly => {
            let address = Address::current();
            let mut pages = links::ADMIN_PAGES.iter();
            let is_one = pages.any(|page| address.path().starts_with(page));
            let asked = is_one.then(|| address.with("", None, &[]));
            let href = links::login(asked.as_deref().unwrap_or(links::AUDIT));
            let way_on = view! { <a href=href class="btn">"Log in"</a> };
            ("For administrators", way_on.into_any())
        }
        AppError::WholeService => (
            "For readers of all orgs",
            view! { <a href=links::ORGS class="btn">"All orgs"</a> }.into_any(),
        ),
        // An empty address is the page itself.
        AppError::Unavailable | AppError::Busy => (
            "Not available",
            view! { <a href="" class="btn">"Try again"</a> }.into_any(),
        ),
    };
    view! {
        <PageHead title=heading description="There is no coverage at this address."/>
        {place}
        <section class="card message" role="alert">
            <h1>{heading}</h1>
            <p>{sentence}</p>
            {way_on}
            <p class="actions">
                {open}
                <a href=links::HOME class="btn">"Go to the overview"</a>" "
                <a href=setup class="btn">"Set up uploads"</a>
            </p>
        </section>
    }
}

/// The only similar name, with the address of its page.
fn only(error: &AppError) -> Option<(String, String)> {
    match error {
        AppError::NoRepository { similar, .. } => match similar.as_slice() {
            [one] => Some((one.to_string(), links::repository(one))),
            _ => None,
        },
        AppError::NoAuthor { similar, .. } => match similar.as_slice() {
            [one] => Some((one.to_string(), links::author(one))),
            _ => None,
        },
        _ => None,
    }
}

/// The page about setting up; if the address names a repository, filled in for it.
fn set_up(error: &AppError) -> String {
    let named: Option<Repository> = match error {
        AppError::NoRepository { name, .. } => name.trim_end_matches('/').parse().ok(),
        _ => None,
    };
    named.map_or_else(|| links::SETUP.to_owned(), |of| links::setup_of(&of))
}

/// Where a repository would be, if its org is known.
fn place(error: &AppError) -> Option<impl IntoView + use<>> {
    let AppError::NoRepository { name, similar } = error else {
        return None;
    };
    let named: Repository = name.trim_end_matches('/').parse().ok()?;
    let is_known = similar.iter().any(|known| known.org == named.org);
    let steps = vec![Crumb::overview(), Crumb::org(&named.org)];
    is_known.then(|| view! { <Crumbs steps/> })
}

/// Suggestions of similar names, each with a link to its page.
fn similar<Name: ToString>(names: &[Name], page: fn(&Name) -> String) -> Option<AnyView> {
    if let [name] = names {
        let guess = view! {
            <p>"Did you mean "<a class="link mono" href=page(name)><bdi>{name.to_string()}</bdi></a>"?"</p>
        };
        return Some(guess.into_any());
    }
    let items = names.iter().map(|name| {
        view! { <li><a class="more" href=page(name)><bdi>{name.to_string()}</bdi></a></li> }
    });
    let items = items.collect_view();
    (!names.is_empty()).then(|| {
        view! {
            <p>"Did you mean one of these?"</p>
            <ul>{items}</ul>
        }
        .into_any()
    })
}

#[component]
fn Search(name: String) -> impl IntoView {
    let own = name.trim_end_matches('/').rsplit('/').next();
    let own = own.unwrap_or_default().to_owned();
    view! {
        <form class="controls" method="get" action=links::HOME>
            <label>"Find a repository"
                <input type="search" name="keyword" value=own autocomplete="off"/>
            </label>
            <button class="btn" type="submit">"Search"</button>
        </form>
    }
}
