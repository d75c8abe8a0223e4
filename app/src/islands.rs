//! The parts of pages that come to life in the browser. Each works without scripts too, or is not shown then.

mod copy_button;
mod refresh;
mod theme_switch;

#[cfg(feature = "ssr")]
pub(crate) use {copy_button::CopyButton, refresh::Refresh, theme_switch::ThemeSwitch};
