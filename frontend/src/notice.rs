//! Messages next to the page: announcements for assistive technology, and the notice that a page could not be fetched.

use crate::dom::document;

/// Announces a change of the page to assistive technology.
pub(crate) fn announce(text: &str) {
    if let Some(announcement) = document().get_element_by_id("announcement") {
        announcement.set_text_content(Some(text));
    }
}

/// Shows that the page at `address` could not be fetched, with a link that tries again. The page that is shown stays.
pub(crate) fn not_reached(address: &str) {
    let document = document();
    let (Some(notice), Some(again)) = (
        document.get_element_by_id("notice"),
        document.query_selector("#notice a").ok().flatten(),
    ) else {
        return;
    };
    // Neither call fails on elements of the page.
    let _ = again.set_attribute("href", address);
    let _ = notice.remove_attribute("hidden");
}

/// Hides the message of [`not_reached`].
pub(crate) fn clear() {
    if let Some(notice) = document().get_element_by_id("notice") {
        let _ = notice.set_attribute("hidden", "");
    }
}
