//! The login page: the only page for people without access. It has no scripts and no data.

use crate::{
    Assets, Theme,
    components::{layout::Mark, page_head::page_title},
    shell::Head,
};
use leptos::{prelude::*, reactive::owner::Owner, tachys::view::RenderHtml};

/// Who may log in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginFor {
    /// Holders of a read token: the dashboard is protected.
    Readers,
    /// Holders of an admin token: only they may see the requested page.
    Admins,
}

/// Returns the whole document. The login redirects to `next`; `refusal` is the error of the last attempt.
pub fn login_page(
    assets: &Assets,
    theme: Theme,
    whose: LoginFor,
    next: &str,
    refusal: Option<&str>,
) -> String {
    Owner::new().with(|| document(assets, theme, whose, next, refusal).to_html())
}

fn document(
    assets: &Assets,
    theme: Theme,
    whose: LoginFor,
    next: &str,
    refusal: Option<&str>,
) -> impl IntoView {
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
    };
    let (style, next) = (assets.style.to_string(), next.to_owned());
    let refusal = refusal.map(str::to_owned);
    let title = page_title(match refusal {
        Some(_) => "Not logged in",
        None => "Log in",
    });
    let described_by = match refusal {
        Some(_) => "token-refused token-hint",
        None => "token-hint",
    };
    let is_invalid = refusal.is_some().then_some("true");
    let refused = refusal.map(|refusal| {
        view! { <p class="refused" id="token-refused" role="alert">{refusal}</p> }
    });
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme.name()>
            <head>
                <Head theme style/>
                <meta name="robots" content="noindex"/>
                <title>{title}</title>
            </head>
            <body>
                <header class="topbar">
                    <div><a class="brand" href="/"><Mark/>"Coverage"</a></div>
                </header>
                <main class="page" id="main">
                    <form class="card login" method="post" action="/login">
                        <h1>"Log in"</h1>
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
                                autofocus
                                aria-describedby=described_by
                                aria-invalid=is_invalid
                            />
                            {refused}
                            <p class="muted small" id="token-hint">
                                {hint}<code>{command}</code>"."
                            </p>
                        </div>
                        <button class="btn" type="submit">"Log in"</button>
                    </form>
                </main>
            </body>
        </html>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(next: &str, refusal: Option<&str>) -> String {
        page_for(LoginFor::Readers, next, refusal)
    }

    fn page_for(whose: LoginFor, next: &str, refusal: Option<&str>) -> String {
        let assets = Assets {
            style: "/pkg/x.css".into(),
            script: "/pkg/x.js".into(),
            wasm: "/pkg/x.wasm".into(),
            loader: None,
            chunks: Default::default(),
        };
        login_page(&assets, Theme::Dark, whose, next, refusal)
    }

    #[test]
    fn the_login_page_is_a_form_without_scripts() {
        let page = page("/repos/acme/payments?branch=a&p=2", None);
        assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
        for shown in [
            "action=\"/login\"",
            "value=\"/repos/acme/payments?branch=a&amp;p=2\"",
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
}
