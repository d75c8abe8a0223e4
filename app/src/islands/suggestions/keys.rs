//! What keys do in a field with suggestions.

use web_sys::KeyboardEvent;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Makes another suggestion active.
    Walk(isize),
    Choose,
    ChooseInTab,
    Hide,
}

/// The action of a key; `None` if the browser handles the key.
pub(super) fn action(event: &KeyboardEvent) -> Option<Action> {
    // The key belongs to an input method. Safari marks the last such key only by the code 229.
    if event.is_composing() || event.key_code() == 229 || event.alt_key() || event.shift_key() {
        return None;
    }
    let with_control = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        "ArrowDown" => Some(Action::Walk(1)),
        "ArrowUp" => Some(Action::Walk(-1)),
        "Enter" if with_control => Some(Action::ChooseInTab),
        "Enter" => Some(Action::Choose),
        "Escape" => Some(Action::Hide),
        _ => None,
    }
}
