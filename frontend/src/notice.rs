//! What is said beside the page: where one is now, and that something did not work.

use crate::{dom::document, navigation::Address};

/// Tells those who do not see the page change what is shown now.
pub(crate) fn announce(title: &str) {
    if let Some(place) = document().get_element_by_id("announcement") {
        place.set_text_content(Some(title));
    }
}

/// The page that was asked for did not come; the one that was shown stays.
pub(crate) fn not_reached(address: &Address) {
    let document = document();
    let (Some(notice), Some(again)) = (
        document.get_element_by_id("notice"),
        document.query_selector("#notice a").ok().flatten(),
    ) else {
        return;
    };
    // Neither fails on elements of a page.
    let _ = again.set_attribute("href", address.as_str());
    let _ = notice.remove_attribute("hidden");
}

pub(crate) fn clear() {
    if let Some(notice) = document().get_element_by_id("notice") {
        let _ = notice.set_attribute("hidden", "");
    }
}
