//! Sends forms while the reader types.

use crate::{
    dom::{is_composing, on, target},
    forms::{address_of, form_of},
    navigation::{self, Arrival},
};
use app::browser::Timer;
use leptos::ev;
use std::time::Duration;
use web_sys::{CompositionEvent, Document, Event, HtmlInputElement};

/// The time after the last key: long enough for a word, short enough to feel immediate.
const PAUSE: Duration = Duration::from_millis(150);

thread_local! {
    static SENDING: Timer = const { Timer::new() };
}

/// Sends the form of a text field with `data-submit` shortly after the last key, but only if the form requests the page that
/// is shown: another page would replace the field in the middle of a word.
pub(crate) fn send(document: &Document) {
    on(document, ev::input, |event: Event| {
        // Text that an input method is still composing is incomplete, and its field must not be replaced.
        if !is_composing(&event) {
            send_later(&event);
        }
    });
    on(document, ev::compositionend, |event: CompositionEvent| {
        send_later(&event);
    });
    on(document, ev::submit, |_| SENDING.with(Timer::stop));
}

/// Drops text that is not sent yet when another page was requested.
pub(crate) fn page_requested(arrival: Arrival) {
    if !matches!(arrival, Arrival::Typed | Arrival::Renewed) {
        SENDING.with(Timer::stop);
    }
}

fn send_later(event: &Event) {
    let input = target::<HtmlInputElement>(event);
    let Some(input) = input.filter(|input| input.has_attribute("data-submit")) else {
        return;
    };
    let send = move || {
        if let Some(address) = form_of(&input).as_ref().and_then(address_of)
            && address.is_this_page()
        {
            navigation::go(address, Arrival::Typed);
        }
    };
    SENDING.with(|sending| sending.start(PAUSE, send));
}
