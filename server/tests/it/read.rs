//! What pages, the API and agents read.

mod author;
mod badge;
mod foreign;
pub(crate) mod line_history;
mod line_tests;
mod lines;
mod listing;
pub(crate) mod markup;
mod mcp;
pub(crate) mod openapi;
mod org;
mod overview;
mod pages;
pub(crate) mod period_report;
mod preview;
mod reports;
mod repository;
mod search;
mod setup;
mod storage;
mod theme;
mod trend;
mod view_pages;
mod views;
