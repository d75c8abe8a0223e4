//! URLs of forges and issuers in the settings.

use reqwest::Url;

/// A web address without user, query or fragment.
pub(super) fn web_url(text: &str) -> Result<Url, String> {
    let refuse = |why| Err(format!("{text} {why}"));
    let Ok(url) = text.trim_end_matches('/').parse::<Url>() else {
        return refuse("is no URL");
    };
    match url.scheme() {
        "https" | "http" => {}
        _ => return refuse("must begin with https://"),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("must not hold a user or a password");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("must end with its path");
    }
    Ok(url)
}

/// Splits a list `kind=URL,kind=URL`.
pub(super) fn kinds(text: &str) -> impl Iterator<Item = Result<(&str, &str), String>> {
    let items = text
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty());
    items.map(|item| {
        item.split_once('=')
            .ok_or_else(|| format!("{item} does not state its kind, as in github={item}"))
    })
}
