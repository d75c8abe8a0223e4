//! The parts of pages that the browser hydrates. Each works without scripts too, or is hidden there.

mod copy_button;
mod theme_switch;

#[cfg(feature = "ssr")]
pub(crate) use {copy_button::CopyButton, theme_switch::ThemeSwitch};
