//! Text fields that suggest what the reader may look for: the palette, which every page has, the fields that name records to
//! compare, and the search for authors.
//!
//! The fields work without this code, which is loaded when a field is pointed at or focused.

#[cfg(any(feature = "hydrate", test))]
mod choice;
#[cfg(feature = "hydrate")]
mod field;
#[cfg(feature = "hydrate")]
mod lookups;
#[cfg(any(feature = "hydrate", test))]
mod ranked;
#[cfg(feature = "hydrate")]
mod recent;
mod scope;
#[cfg(test)]
mod tests;
#[cfg(feature = "hydrate")]
mod view;

pub(crate) use scope::Scope;

#[cfg(feature = "hydrate")]
pub use {
    field::{preload, suggest},
    recent::{forget, visited},
};
