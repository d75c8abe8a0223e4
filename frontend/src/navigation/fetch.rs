//! Fetches a page.

use crate::{
    address::Address,
    dom::{document, window},
};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, Document, DomParser, Request, RequestInit, Response, SupportedType, Url,
};

/// The outcome of a fetch.
pub(super) enum Fetched {
    /// A page of the dashboard, or one of its error pages.
    Page {
        document: Document,
        /// The address after redirects.
        address: Address,
    },
    /// An answer that must not become part of this page: a login, a file, a page of another release, or an answer from an
    /// address that is no page of the dashboard.
    NotOurs,
    /// There was no answer.
    Unreachable,
}

pub(super) async fn page(address: &Address, signal: Option<&AbortSignal>) -> Fetched {
    let fetched = fetch(address, signal).await;
    fetched.unwrap_or(Fetched::Unreachable)
}

async fn fetch(address: &Address, signal: Option<&AbortSignal>) -> Result<Fetched, JsValue> {
    let init = RequestInit::new();
    init.set_signal(signal);
    let request = Request::new_with_str_and_init(address.as_str(), &init)?;
    request.headers().set("Accept", "text/html")?;
    let response: Response = JsFuture::from(window().fetch_with_request(&request))
        .await?
        .dyn_into()?;
    let Some(answered_by) = answered_by(address, &response) else {
        return Ok(Fetched::NotOurs);
    };
    let kind = response.headers().get("Content-Type")?.unwrap_or_default();
    if !kind.starts_with("text/html") {
        return Ok(Fetched::NotOurs);
    }
    let text = JsFuture::from(response.text()?)
        .await?
        .as_string()
        .unwrap_or_default();
    let document = DomParser::new()?.parse_from_string(&text, SupportedType::TextHtml)?;
    if build(&document).is_none() || build(&document) != build(&self::document()) {
        return Ok(Fetched::NotOurs);
    }
    Ok(Fetched::Page {
        document,
        address: answered_by,
    })
}

/// The page that answered: the requested page, or the page of the dashboard that a redirect led to. `None` for every other
/// address, such as an uploaded HTML report, whose markup must not become part of the dashboard.
fn answered_by(address: &Address, response: &Response) -> Option<Address> {
    let url = Url::new(&response.url()).ok()?;
    let page = Address::of_page(&url)?;
    let is_expected = response.redirected() || address.has_path(&url);
    is_expected.then(|| address.redirected_to(page.as_str()))
}

/// The build that rendered a page. `None` for a document that is no page of the dashboard.
fn build(document: &Document) -> Option<String> {
    document.document_element()?.get_attribute("data-build")
}
