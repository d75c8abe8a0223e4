//! Reusable views: props in, markup out. They read no data.

pub(crate) mod answered;
pub(crate) mod attempt;
pub(crate) mod card;
pub(crate) mod change;
pub(crate) mod code;
pub(crate) mod confirm;
pub(crate) mod coverage;
pub(crate) mod crumbs;
pub(crate) mod error_panel;
pub(crate) mod facts;
pub(crate) mod form;
pub(crate) mod gate;
pub(crate) mod layout;
pub(crate) mod line_links;
pub(crate) mod measures;
pub(crate) mod name;
pub(crate) mod new_code;
pub(crate) mod on_forge;
pub(crate) mod page_head;
pub(crate) mod pager;
pub(crate) mod pull_requests;
pub(crate) mod repository_head;
pub(crate) mod sortable;
pub(crate) mod time;
pub(crate) mod view_choice;
pub(crate) mod what_moved;
