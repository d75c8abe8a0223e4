//! The uploader, the small program and the recipes, against a real service.

mod client;
mod foreign;
mod published_action;
mod recipes;
mod uploader;
