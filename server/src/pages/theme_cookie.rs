//! The cookie that keeps a reader's theme.

use crate::http::cookies::cookie as cookie_of;
use app::Theme;
use axum::http::HeaderMap;

/// The theme that a request asks for.
pub(crate) fn of(headers: &HeaderMap) -> Theme {
    cookie_of(headers, Theme::COOKIE)
        .and_then(|name| name.parse().ok())
        .unwrap_or_default()
}

/// The cookie that keeps it, as scripts write it too.
pub(crate) fn cookie(theme: Theme) -> String {
    let (cookie, name, seconds) = (Theme::COOKIE, theme.name(), Theme::COOKIE_SECONDS);
    format!("{cookie}={name}; Path=/; Max-Age={seconds}; SameSite=Lax")
}
