//! The parameters of an operation as one struct, which its handler reads and the OpenAPI document describes.

use super::Parameters;
use crate::{http::error::ApiError, routes::openapi::names::one_of};
use std::{fmt::Display, str::FromStr};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

/// The parameters of an operation. [`parameters!`] implements it.
pub(in crate::routes) trait Described: Sized {
    /// Reads all parameters. Returns `None` if one is wrong; `parameters` then contains every mistake.
    fn read(parameters: &mut Parameters) -> Option<Self>;

    /// Reads the parameters of a query.
    ///
    /// # Errors
    ///
    /// 400 if the query is not UTF-8, and 422 with all mistakes.
    fn of(query: Option<&str>) -> Result<Self, ApiError> {
        let mut parameters = Parameters::of(query)?;
        let read = Self::read(&mut parameters);
        parameters.check(read)
    }

    /// Reads the parameters of an image, which must never fail: wrong ones count as absent.
    fn of_picture(parameters: &mut Parameters) -> Self
    where
        Self: Default,
    {
        Self::read(parameters).unwrap_or_default()
    }
}

pub(in crate::routes) trait Value: Sized {
    /// Reads the texts of a parameter. If the parameter is missing, there are no texts. The error is a phrase that follows the name.
    fn read(texts: &[String]) -> Result<Self, String>;
}

/// An optional parameter; the last text counts. An empty text counts as absent.
impl<T: FromStr<Err: Display>> Value for Option<T> {
    fn read(texts: &[String]) -> Result<Self, String> {
        let text = texts.last().filter(|text| !text.is_empty());
        text.map(|text| text.parse())
            .transpose()
            .map_err(|error: T::Err| error.to_string())
    }
}

pub(in crate::routes) struct Required<T>(pub(in crate::routes) T);

impl<T: FromStr<Err: Display>> Value for Required<T> {
    fn read(texts: &[String]) -> Result<Self, String> {
        let value = Option::read(texts)?;
        value.map(Self).ok_or_else(|| "is missing".to_owned())
    }
}

/// Whether a parameter is on. A parameter without a value is on.
pub(in crate::routes) struct Flag(pub(in crate::routes) bool);

impl Value for Flag {
    fn read(texts: &[String]) -> Result<Self, String> {
        match texts.last().map(String::as_str) {
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

/// How often a parameter may occur: each value may cost a query.
const MOST_VALUES: usize = 8;

/// A parameter that may occur up to [`MOST_VALUES`] times. Empty texts count as absent.
pub(in crate::routes) struct Repeated<T>(pub(in crate::routes) Vec<T>);

impl<T: FromStr<Err: Display>> Value for Repeated<T> {
    fn read(texts: &[String]) -> Result<Self, String> {
        let texts: Vec<_> = texts.iter().filter(|text| !text.is_empty()).collect();
        if texts.len() > MOST_VALUES {
            return Err(format!("must not occur more than {MOST_VALUES} times"));
        }
        let values = texts
            .into_iter()
            .map(|text| text.parse().map_err(|error: T::Err| error.to_string()));
        Ok(Self(values.collect::<Result<_, _>>()?))
    }
}

/// Declares the parameters of an operation as a struct of [`Value`]s. A field's name is the name of the parameter. Its comment
/// and its `#[param(…)]` describe it in the OpenAPI document.
macro_rules! parameters {
    (
        $(#[$of_all:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$of_one:meta])* $field:ident: $value:ty,)+
        }
    ) => {
        $(#[$of_all])*
        #[derive(utoipa::IntoParams)]
        #[into_params(parameter_in = Query)]
        $visibility struct $name {
            $($(#[$of_one])* $visibility $field: $value,)+
        }

        impl $crate::routes::parameters::Described for $name {
            fn read(parameters: &mut $crate::routes::parameters::Parameters) -> Option<Self> {
                // All are read before any is used, so that every mistake is found.
                $(let $field = parameters.read(stringify!($field));)+
                Some(Self { $($field: $field?,)+ })
            }
        }
    };
}

pub(in crate::routes) use parameters;
