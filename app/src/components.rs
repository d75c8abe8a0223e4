//! Reusable views: props in, markup out. They read no data.

pub(crate) mod answered;
pub(crate) mod attempt;
pub(crate) mod change;
pub(crate) mod copy_button;
pub(crate) mod coverage;
pub(crate) mod crumbs;
pub(crate) mod drawing;
pub(crate) mod error_panel;
pub(crate) mod facts;
pub(crate) mod first_upload;
pub(crate) mod layout;
pub(crate) mod measures;
pub(crate) mod name;
pub(crate) mod page_head;
pub(crate) mod pager;
pub(crate) mod refresh;
pub(crate) mod theme_switch;
pub(crate) mod time;
pub(crate) mod what_moved;
