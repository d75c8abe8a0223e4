//! The parts of pages that come to life in the browser. Each works without scripts too, or is not shown then.

mod copy_button;
mod refresh;
mod theme_switch;

#[cfg(feature = "ssr")]
#[expect(unused_imports, reason = "the pages that have it are being built")]
pub(crate) use refresh::Refresh;
#[cfg(feature = "ssr")]
pub(crate) use {copy_button::CopyButton, theme_switch::ThemeSwitch};
