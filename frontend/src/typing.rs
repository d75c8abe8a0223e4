//! Fields that filter while one types.

use crate::{
    dom::on,
    forms::{address_of, form_of},
    navigation::{self, Arrival},
};
use leptos::{ev, leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle};
use std::{cell::RefCell, time::Duration};
use wasm_bindgen::JsCast;
use web_sys::{CompositionEvent, Document, Event, HtmlInputElement, InputEvent};

/// After the last key: long enough for a word, short enough to feel at once.
const PAUSE: Duration = Duration::from_millis(150);

thread_local! {
    static WAITING: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

/// Sends the form of a text field with `data-submit` a moment after something was typed, if it asks for the page that is
/// shown: elsewhere that would lead away in the middle of a word.
pub(crate) fn send(document: &Document) {
    on(document, ev::input, |event: Event| {
        let is_composing = event
            .dyn_ref::<InputEvent>()
            .is_some_and(InputEvent::is_composing);
        // What an input method has not finished is nothing to look for yet, and must not be taken from under it.
        if !is_composing {
            wait_for(&event);
        }
    });
    on(document, ev::compositionend, |event: CompositionEvent| {
        wait_for(&event);
    });
    on(document, ev::submit, |_| wait_no_longer());
}

fn wait_for(event: &Event) {
    let input = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input.filter(|input| input.has_attribute("data-submit")) else {
        return;
    };
    wait_no_longer();
    let send = move || {
        if let Some(address) = form_of(&input).as_ref().and_then(address_of)
            && address.is_this_page()
        {
            navigation::go(address, Arrival::Typed);
        }
    };
    let handle = set_timeout_with_handle(send, PAUSE).ok();
    WAITING.with(|waiting| *waiting.borrow_mut() = handle);
}

/// Somebody went elsewhere meanwhile.
pub(crate) fn wait_no_longer() {
    if let Some(handle) = WAITING.with(RefCell::take) {
        handle.clear();
    }
}
