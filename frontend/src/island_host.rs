//! The functions of the page that islands call: navigation and announcements.

use crate::{
    address::Address,
    dom::{open_in_tab, window},
    navigation::{self, Arrival},
    notice,
};
use app::islands::Host;

pub(crate) fn set() {
    app::islands::set_host(Host {
        open: |address| {
            if let Some(address) = Address::named(address) {
                navigation::go(address, Arrival::New);
            }
        },
        choose: |address| {
            if let Some(address) = Address::named(address) {
                navigation::go(address, Arrival::Chosen);
            }
        },
        open_in_tab,
        here: || {
            let location = window().location();
            Some(location.pathname().ok()? + &location.search().ok()?)
        },
        push: |address| {
            if let Some(address) = Address::named(address) {
                navigation::push(&address);
            }
        },
        announce: notice::announce,
    });
}
