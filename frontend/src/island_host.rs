//! The functions of the page that islands call: navigation and announcements.

use crate::{
    address::Address,
    dom::window,
    navigation::{self, Arrival},
    notice, table,
};
use app::islands::Host;
use web_sys::Url;

pub(crate) fn set() {
    app::islands::set_host(Host {
        open: |address| {
            if let Some(address) = page(address) {
                navigation::go(address, Arrival::New);
            }
        },
        choose: |address| {
            if let Some(address) = page(address) {
                navigation::go(address, Arrival::Chosen);
            }
        },
        open_in_tab: |address| {
            // If the browser opens no tab, the page stays as it is.
            let _ = window().open_with_url_and_target_and_features(address, "_blank", "noopener");
        },
        here: || {
            let location = window().location();
            Some(location.pathname().ok()? + &location.search().ok()?)
        },
        push: |address| {
            if let Some(address) = page(address) {
                navigation::push(&address);
            }
        },
        prepare: table::prepare,
        announce: notice::announce,
    });
}

fn page(address: &str) -> Option<Address> {
    let here = window().location().href().ok()?;
    Address::of_page(&Url::new_with_base(address, &here).ok()?)
}
