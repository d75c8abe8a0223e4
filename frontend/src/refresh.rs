//! Fetches the current page again after the seconds in its `data-refresh`.

use crate::{
    dom::{document, main},
    navigation,
};
use app::browser::Timer;
use std::time::Duration;
use web_sys::Element;

thread_local! {
    static NEXT: Timer = const { Timer::new() };
}

/// Starts the timer if an element of `part` has `data-refresh`.
pub(crate) fn prepare(part: &Element) {
    let asking = part.query_selector("[data-refresh]").ok().flatten();
    let seconds = asking.and_then(|asking| asking.get_attribute("data-refresh")?.parse().ok());
    if let Some(seconds) = seconds {
        renew_after(seconds);
    }
}

/// Starts the timer again, for the page that stays.
pub(crate) fn again() {
    if let Some(main) = main() {
        prepare(&main);
    }
}

/// Stops the timer: another page was requested.
pub(crate) fn stop() {
    NEXT.with(Timer::stop);
}

fn renew_after(seconds: u32) {
    let renew = move || {
        if document().hidden() {
            renew_after(seconds);
        } else {
            navigation::renew();
        }
    };
    let pause = Duration::from_secs(seconds.max(1).into());
    NEXT.with(|next| next.start(pause, renew));
}
