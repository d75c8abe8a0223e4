//! What islands ask of the page: navigation and announcements.

use crate::{
    address::Address,
    dom::window,
    navigation::{self, Arrival},
    notice,
};
use app::islands::Host;

struct Page;

impl Host for Page {
    fn open(&self, address: &str) {
        go(address, Arrival::New);
    }

    fn choose(&self, address: &str) {
        go(address, Arrival::Chosen);
    }

    fn here(&self) -> Option<String> {
        let location = window().location();
        Some(location.pathname().ok()? + &location.search().ok()?)
    }

    fn push(&self, address: &str) {
        if let Some(address) = Address::named(address) {
            navigation::push(&address);
        }
    }

    fn announce(&self, text: &str) {
        notice::announce(text);
    }
}

pub(crate) fn set() {
    app::islands::set_host(&Page);
}

fn go(address: &str, arrival: Arrival) {
    if let Some(address) = Address::named(address) {
        navigation::go(address, arrival);
    }
}
