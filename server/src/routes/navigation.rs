//! The purpose of a request: a page that a person opens, or a part of a page, possibly of another site.
//!
//! Any website can make a browser load a script, style or image from here and then use it. So guessable addresses are
//! answered only for navigations: a page cannot read a window or a frame of another origin.

use crate::http::error::{ApiError, Code};
use axum::http::{HeaderMap, HeaderValue, header};

/// The request headers that these answers depend on.
pub(super) const VARY: HeaderValue =
    HeaderValue::from_static("accept, sec-fetch-dest, sec-fetch-site, user-agent");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A browser shows the answer in a window or a frame.
    Navigation,
    /// A page loads it, as a script, a style, an image, or with `fetch`.
    PartOfPage,
    /// A program requests it, or a person saves a file; no page of another site gets the answer.
    Program,
}

impl Purpose {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        match text(headers, "sec-fetch-dest") {
            "" => Self::without_metadata(headers),
            "document" | "iframe" | "frame" => Self::Navigation,
            // `fetch` by a page of the same origin, or "Save link as …"; neither comes from another site.
            "empty" if matches!(site(headers), "same-origin" | "none") => Self::Program,
            _ => Self::PartOfPage,
        }
    }

    /// Browsers send Fetch Metadata only over HTTPS and to their own machine. Over plain HTTP, and for older browsers,
    /// `User-Agent` and `Accept` decide: a page cannot change `User-Agent`, and it cannot change the `Accept` of what
    /// its elements load.
    fn without_metadata(headers: &HeaderMap) -> Self {
        let accept = text(headers, header::ACCEPT.as_str());
        let is_browser = text(headers, header::USER_AGENT.as_str()).starts_with("Mozilla/")
            && !accept.is_empty();
        if !is_browser {
            Self::Program
        } else if accept.contains("text/html") {
            Self::Navigation
        } else {
            Self::PartOfPage
        }
    }
}

/// Returns which site started a request: `same-origin`, `same-site`, `cross-site`, or `none` for a person. Empty if the browser
/// does not send it.
pub(super) fn site(headers: &HeaderMap) -> &str {
    text(headers, "sec-fetch-site")
}

pub(super) fn refusal() -> ApiError {
    ApiError::new(
        Code::NavigationOnly,
        "Pages cannot load files of an HTML report from this address; open the report from the dashboard, or follow a link to it.",
    )
}

pub(super) fn must_be_no_part(headers: &HeaderMap) -> Result<(), ApiError> {
    match Purpose::of(headers) {
        Purpose::PartOfPage => Err(refusal()),
        Purpose::Navigation | Purpose::Program => Ok(()),
    }
}

/// Returns a header that may occur once. If it is not text or occurs twice, the value matches nothing.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => "",
        (Some(value), None) => value.to_str().unwrap_or("unreadable"),
        (Some(_), Some(_)) => "several",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purpose(sent: &[(&'static str, &'static str)]) -> Purpose {
        let headers = sent.iter().map(|(name, value)| {
            (
                name.parse().expect("a name"),
                HeaderValue::from_static(value),
            )
        });
        Purpose::of(&headers.collect())
    }

    const PAGE: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

    #[test]
    fn fetch_metadata_states_what_a_browser_shows() {
        for dest in ["document", "iframe", "frame"] {
            let shown = purpose(&[("sec-fetch-dest", dest), ("accept", "*/*")]);
            assert_eq!(shown, Purpose::Navigation, "{dest}");
        }
        for dest in [
            "script",
            "style",
            "image",
            "font",
            "object",
            "embed",
            "worker",
            "sharedworker",
            "audio",
            "video",
            "track",
            "xslt",
            "json",
            "manifest",
            "audioworklet",
            "empty",
            "?",
        ] {
            let loaded = purpose(&[("sec-fetch-dest", dest), ("accept", PAGE)]);
            assert_eq!(loaded, Purpose::PartOfPage, "{dest}");
        }
    }

    #[test]
    fn only_this_origin_or_a_user_may_fetch_an_empty_destination() {
        for (site, expected) in [
            ("same-origin", Purpose::Program),
            ("none", Purpose::Program),
            ("same-site", Purpose::PartOfPage),
            ("cross-site", Purpose::PartOfPage),
        ] {
            let sent = [("sec-fetch-dest", "empty"), ("sec-fetch-site", site)];
            assert_eq!(purpose(&sent), expected, "{site}");
        }
    }

    #[test]
    fn a_browser_over_plain_http_is_detected_by_its_accept_header() {
        let chromium = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140");
        for (accept, expected) in [
            (PAGE, Purpose::Navigation),
            ("*/*", Purpose::PartOfPage),
            ("text/css,*/*;q=0.1", Purpose::PartOfPage),
            ("image/avif,image/webp,*/*;q=0.8", Purpose::PartOfPage),
        ] {
            assert_eq!(
                purpose(&[chromium, ("accept", accept)]),
                expected,
                "{accept}"
            );
        }
        for program in [
            &[("user-agent", "curl/8.5.0"), ("accept", "*/*")][..],
            &[("user-agent", "Wget/1.21"), ("accept", "*/*")],
            &[(
                "user-agent",
                "Mozilla/5.0 (Windows NT) WindowsPowerShell/5.1",
            )],
            &[("accept", PAGE)],
            &[],
        ] {
            assert_eq!(purpose(program), Purpose::Program, "{program:?}");
        }
    }
}
