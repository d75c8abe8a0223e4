//! The answers to forms of administrators that lead to no other page: a refusal, and a new token.

use crate::{Assets, Theme, links, plain::plain};
use leptos::prelude::*;

/// Why a form was refused.
#[derive(Clone, Copy, Debug)]
pub struct RefusalPage<'a> {
    /// The reader's theme.
    pub theme: Theme,
    /// One sentence.
    pub sentence: &'a str,
    /// The stable code.
    pub code: &'a str,
    /// Where to continue.
    pub back: &'a str,
}

/// A token that was made.
#[derive(Clone, Copy, Debug)]
pub struct MadeTokenPage<'a> {
    /// The reader's theme.
    pub theme: Theme,
    /// Its name, and what it may do, and how long.
    pub sentence: &'a str,
    /// The token itself.
    pub token: &'a str,
}

/// Returns the whole document.
pub fn refusal_page(assets: &Assets, page: RefusalPage<'_>) -> String {
    let (sentence, code) = (page.sentence.to_owned(), page.code.to_owned());
    let back = page.back.to_owned();
    plain(assets, page.theme, "Nothing was changed", || {
        view! {
            <section class="card message" role="alert">
                <h1>"Nothing was changed"</h1>
                <p><bdi>{sentence}</bdi></p>
                <p class="muted small mono">{code}</p>
                <p><a class="btn" href=back>"Back"</a></p>
            </section>
        }
    })
}

/// Returns the whole document, the only place that ever shows the token.
pub fn made_token_page(assets: &Assets, page: MadeTokenPage<'_>) -> String {
    let (sentence, token) = (page.sentence.to_owned(), page.token.to_owned());
    plain(assets, page.theme, "New token", || {
        view! {
            <section class="card message">
                <h1>"New token"</h1>
                <p><bdi>{sentence}</bdi></p>
                <p><strong>"Copy the token now: it is shown only once."</strong></p>
                <p><output class="secret mono" aria-label="Token">{token}</output></p>
                <p><a class="btn" href=links::SETTINGS>"Continue"</a></p>
            </section>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_with_a_name_from_a_client_is_text() {
        let assets = Assets {
            style: "/pkg/x.css".into(),
            script: "/pkg/x.js".into(),
            wasm: "/pkg/x.wasm".into(),
            loader: None,
            chunks: Default::default(),
        };
        let sentence = "<b id=x>";
        let refused = RefusalPage {
            theme: Theme::Dark,
            sentence,
            code: "not_found",
            back: "/settings?a=\"><i>",
        };
        let made = MadeTokenPage {
            theme: Theme::Dark,
            sentence,
            token: "cov_x",
        };
        for page in [
            refusal_page(&assets, refused),
            made_token_page(&assets, made),
        ] {
            assert!(page.contains("&lt;b id=x&gt;"), "{page}");
            assert!(!page.contains("<b ") && !page.contains("<i>"), "{page}");
            assert!(!page.contains("<script"), "{page}");
        }
    }
}
