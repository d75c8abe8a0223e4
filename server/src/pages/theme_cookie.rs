//! The cookie that stores a reader's theme.

use access::cookies::cookie as cookie_of;
use app::Theme;
use axum::http::HeaderMap;

pub(crate) fn of(headers: &HeaderMap) -> Theme {
    cookie_of(headers, Theme::COOKIE)
        .and_then(|name| name.parse().ok())
        .unwrap_or_default()
}

/// Returns the cookie that stores a theme; scripts write the same one.
pub(crate) fn cookie(theme: Theme) -> String {
    let (cookie, name, seconds) = (Theme::COOKIE, theme.name(), Theme::COOKIE_SECONDS);
    format!("{cookie}={name}; Path=/; Max-Age={seconds}; SameSite=Lax")
}
