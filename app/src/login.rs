//! The login page: the only page for people without access. It has no scripts and no data.

use crate::{Assets, Theme, links, plain::plain};
use leptos::prelude::*;

/// Who may log in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginFor {
    /// Holders of a read token: the dashboard is protected.
    Readers,
    /// Holders of an admin token: only they may see the requested page.
    Admins,
    /// Nobody has to: everybody may read. The form is for administrators.
    Nobody,
}

/// The issuer at which people log in.
#[derive(Clone, Copy, Debug)]
pub struct Issuer<'a> {
    /// Its host.
    pub host: &'a str,
    /// The address of the dashboard, without a trailing `/`. The issuer redirects there. A login must start at this address,
    /// because the cookie of the login belongs to its host.
    pub dashboard: &'a str,
}

/// What the login page shows.
#[derive(Clone, Copy, Debug)]
pub struct LoginPage<'a> {
    /// The reader's theme.
    pub theme: Theme,
    /// Who may log in.
    pub whose: LoginFor,
    /// The page that opens after the login.
    pub next: &'a str,
    /// Why the last attempt failed.
    pub refusal: Option<&'a str>,
    /// The issuer at which readers can log in, if there is one.
    pub issuer: Option<Issuer<'a>>,
    /// Whether the last attempt was at the issuer.
    pub is_of_issuer: bool,
}

/// Returns the whole document.
pub fn login_page(assets: &Assets, page: LoginPage<'_>) -> String {
    let title = match page.refusal {
        Some(_) => "Not logged in",
        None => heading(page.whose),
    };
    plain(assets, page.theme, title, || content(page))
}

fn heading(whose: LoginFor) -> &'static str {
    match whose {
        LoginFor::Readers | LoginFor::Admins => "Log in",
        LoginFor::Nobody => "No login is needed",
    }
}

fn content(page: LoginPage<'_>) -> impl IntoView + use<> {
    let issuer = page.issuer.filter(|_| page.whose == LoginFor::Readers);
    let (alert, refusal) = if page.is_of_issuer {
        (page.refusal.map(str::to_owned), None)
    } else {
        (None, page.refusal)
    };
    let alert = alert.map(|alert| view! { <p class="refused" role="alert">{alert}</p> });
    let by_token = by_token(
        page.whose,
        page.next,
        refusal,
        issuer.is_none() && page.whose != LoginFor::Nobody,
    );
    let ways = match issuer {
        None if page.whose == LoginFor::Nobody => view! {
            <p>"Everybody who reaches this service may read it."</p>
            <a class="btn primary" href=links::HOME autofocus>"Go to the overview"</a>
            <h2>"Log in as an administrator"</h2>
            {by_token}
        }
        .into_any(),
        None => by_token.into_any(),
        Some(Issuer { host, dashboard }) => {
            let start = format!("{dashboard}{}", links::login_start(page.next));
            let label = format!("Log in with {host}");
            view! {
                <a class="btn primary" href=start autofocus>{label}</a>
                <details open=refusal.is_some()>
                    <summary>"Use a read token"</summary>
                    {by_token}
                </details>
            }
            .into_any()
        }
    };
    view! {
        <div class="card login">
            <h1>{heading(page.whose)}</h1>
            {alert}
            {ways}
        </div>
    }
}

fn by_token(
    whose: LoginFor,
    next: &str,
    refusal: Option<&str>,
    has_focus: bool,
) -> impl IntoView + use<> {
    let (label, hint, command) = match whose {
        LoginFor::Readers => (
            "Read token",
            "Only readers can see this dashboard. The operator creates read tokens with ",
            "coverage-dashboard token create --for read",
        ),
        LoginFor::Admins => (
            "Admin token",
            "Only administrators can see this page. The operator creates admin tokens with ",
            "coverage-dashboard token create --for admin",
        ),
        LoginFor::Nobody => (
            "Admin token",
            "Administrators make tokens and set gates in the browser. The operator creates admin tokens with ",
            "coverage-dashboard token create --for admin",
        ),
    };
    let described_by = match refusal {
        Some(_) => "token-refused token-hint",
        None => "token-hint",
    };
    let is_invalid = refusal.is_some().then_some("true");
    let refused = refusal.map(str::to_owned).map(|refusal| {
        view! { <p class="refused" id="token-refused" role="alert">{refusal}</p> }
    });
    let next = next.to_owned();
    view! {
        <form method="post" action="/login">
            <input type="hidden" name="next" value=next/>
            <div class="field">
                <label for="token">{label}</label>
                <input
                    id="token"
                    name="token"
                    type="password"
                    autocomplete="current-password"
                    spellcheck="false"
                    required
                    autofocus=has_focus
                    aria-describedby=described_by
                    aria-invalid=is_invalid
                />
                {refused}
                <p class="muted small" id="token-hint">
                    {hint}<code>{command}</code>"."
                </p>
            </div>
            <button class="btn primary" type="submit">"Log in"</button>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assets() -> Assets {
        Assets {
            style: "/pkg/x.css".into(),
            script: "/pkg/x.js".into(),
            wasm: "/pkg/x.wasm".into(),
            loader: None,
            chunks: Default::default(),
        }
    }

    fn page(next: &str, refusal: Option<&str>) -> String {
        page_for(LoginFor::Readers, next, refusal)
    }

    fn page_for(whose: LoginFor, next: &str, refusal: Option<&str>) -> String {
        let page = LoginPage {
            theme: Theme::Dark,
            whose,
            next,
            refusal,
            issuer: None,
            is_of_issuer: false,
        };
        login_page(&assets(), page)
    }

    fn page_with_issuer(whose: LoginFor, refusal: Option<&str>, is_of_issuer: bool) -> String {
        let page = LoginPage {
            theme: Theme::Dark,
            whose,
            next: "/repos/acme/payments?branch_name=a&p=2",
            refusal,
            issuer: Some(Issuer {
                host: "sso.example.com",
                dashboard: "https://coverage.example.com",
            }),
            is_of_issuer,
        };
        login_page(&assets(), page)
    }

    #[test]
    fn the_login_page_is_a_form_without_scripts() {
        let page = page("/repos/acme/payments?branch_name=a&p=2", None);
        assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
        for shown in [
            "action=\"/login\"",
            "value=\"/repos/acme/payments?branch_name=a&amp;p=2\"",
            "href=\"/pkg/x.css\"",
            "data-theme=\"dark\"",
            "<label for=\"token\">",
            "aria-describedby=\"token-hint\"",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(!page.contains("script") && !page.contains("aria-invalid"));
    }

    #[test]
    fn the_login_page_says_which_kind_of_token_is_needed() {
        for (whose, label, command) in [
            (
                LoginFor::Readers,
                ">Read token<",
                "token create --for read<",
            ),
            (
                LoginFor::Admins,
                ">Admin token<",
                "token create --for admin<",
            ),
        ] {
            let page = page_for(whose, "/", None);
            assert!(page.contains(label) && page.contains(command), "{page}");
        }
    }

    #[test]
    fn the_error_of_a_token_is_linked_to_its_field() {
        let page = page("/\"><b>", Some("<i>No.</i>"));
        assert!(page.contains("aria-invalid=\"true\""), "{page}");
        assert!(page.contains("aria-describedby=\"token-refused token-hint\""));
        assert!(page.contains("id=\"token-refused\"") && page.contains("&lt;i"));
        assert!(!page.contains("<b>") && !page.contains("<i>"), "{page}");
    }

    #[test]
    fn people_log_in_at_the_issuer_first_and_with_a_token_if_they_open_the_form() {
        let page = page_with_issuer(LoginFor::Readers, None, false);
        for shown in [
            ">Log in with sso.example.com<",
            "href=\"https://coverage.example.com/login/start?next=%2Frepos%2Facme%2Fpayments%3Fbranch_name%3Da%26p%3D2\"",
            "<details><summary>Use a read token<",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert_eq!(page.matches("autofocus").count(), 1, "{page}");
        let page = page_with_issuer(LoginFor::Admins, None, false);
        assert!(!page.contains("sso.example.com"), "{page}");
    }

    #[test]
    fn where_everybody_may_read_the_page_says_so_and_administrators_can_log_in() {
        let page = page_for(LoginFor::Nobody, "/settings", None);
        for shown in [
            "<h1>No login is needed</h1>",
            "href=\"/\"",
            "<h2>Log in as an administrator<",
            "value=\"/settings\"",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert_eq!(page.matches("autofocus").count(), 1, "{page}");
    }

    #[test]
    fn a_refusal_is_shown_where_the_attempt_was_made() {
        let page = page_with_issuer(LoginFor::Readers, Some("No."), true);
        assert!(
            page.contains("<p role=\"alert\" class=\"refused\">No.<")
                && page.contains("<details><"),
            "{page}"
        );
        let page = page_with_issuer(LoginFor::Readers, Some("No."), false);
        assert!(
            page.contains("id=\"token-refused\"") && page.contains("<details open"),
            "{page}"
        );
    }
}
