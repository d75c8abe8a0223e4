//! Addresses of the dashboard's pages, as the browser writes them.

use crate::dom::window;
use std::cell::RefCell;
use web_sys::Url;

/// Paths of this origin that are no pages of the dashboard. The browser loads them itself.
const NO_PAGES: [&str; 6] = [
    "/reports/",
    "/coverages-api",
    "/coverages-ui/",
    "/pkg/",
    "/login",
    "/logout",
];

/// The address of a page of the dashboard.
#[derive(Clone, Debug)]
pub(crate) struct Address(String);

thread_local! {
    /// The address of the page that is shown, without its hash.
    static SHOWN: RefCell<Option<String>> = const { RefCell::new(None) };
}

impl Address {
    /// `None` for another origin, and for an address that is no page of the dashboard.
    pub(crate) fn of_page(url: &Url) -> Option<Self> {
        let origin = window().location().origin();
        let is_here = origin.is_ok_and(|origin| origin == url.origin());
        let path = url.pathname();
        let is_page = !NO_PAGES.iter().any(|prefix| path.starts_with(prefix));
        (is_here && is_page).then(|| Self(url.href()))
    }

    /// The page that `address` names, relative to the page that is shown.
    pub(crate) fn named(address: &str) -> Option<Self> {
        let here = window().location().href().ok()?;
        Self::of_page(&Url::new_with_base(address, &here).ok()?)
    }

    /// The address in the browser's address bar.
    pub(crate) fn here() -> Option<Self> {
        let address = Self(window().location().href().ok()?);
        SHOWN.with_borrow_mut(|shown| {
            shown.get_or_insert_with(|| address.without_hash().to_owned());
        });
        Some(address)
    }

    /// Whether it has the path of the page that is shown. Its parameters may differ.
    pub(crate) fn is_this_page(&self) -> bool {
        let path = |address: &str| Url::new(address).map(|url| url.pathname()).ok();
        Self::here().is_some_and(|here| path(&here.0) == path(&self.0))
    }

    pub(crate) fn has_path(&self, url: &Url) -> bool {
        Url::new(&self.0).is_ok_and(|own| own.pathname() == url.pathname())
    }

    /// Whether this page is shown with these parameters. Then it is no new step of the history.
    pub(crate) fn is_shown_already(&self) -> bool {
        SHOWN.with(|shown| shown.borrow().as_deref() == Some(self.without_hash()))
    }

    /// Remembers it as the address of the page that is shown.
    pub(crate) fn set_shown(&self) {
        SHOWN.set(Some(self.without_hash().to_owned()));
    }

    pub(crate) fn load(&self) {
        // If the browser refuses, the page stays.
        let _ = window().location().assign(&self.0);
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn hash(&self) -> Option<&str> {
        self.0.split_once('#').map(|(_, hash)| hash)
    }

    /// The same address without its hash.
    pub(crate) fn bare(&self) -> Self {
        Self(self.without_hash().to_owned())
    }

    fn without_hash(&self) -> &str {
        self.0.split('#').next().unwrap_or_default()
    }

    /// The address after a redirect to `url`, with the hash of this address: requests have no hash.
    pub(crate) fn redirected_to(&self, url: &str) -> Self {
        match self.0.split_once('#') {
            Some((_, hash)) => Self(format!("{url}#{hash}")),
            None => Self(url.to_owned()),
        }
    }
}
