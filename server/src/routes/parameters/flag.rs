//! A parameter that is on or off.

use super::Value;
use crate::routes::openapi::names::one_of;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

/// Whether a parameter is on. A parameter without a value is on.
pub(in crate::routes) struct Flag(pub(in crate::routes) bool);

impl Value for Flag {
    fn read(text: Option<&str>) -> Result<Self, String> {
        match text {
            None | Some("0" | "false") => Ok(Self(false)),
            Some("" | "1" | "true") => Ok(Self(true)),
            Some(_) => Err("must be given without a value, or as 1, true, 0 or false".to_owned()),
        }
    }
}

impl PartialSchema for Flag {
    fn schema() -> RefOr<Schema> {
        one_of(
            "Without a value it is on.",
            ["", "1", "true", "0", "false"],
            "0",
        )
        .into()
    }
}

impl ToSchema for Flag {}
