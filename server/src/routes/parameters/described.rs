//! The parameters of an operation as one struct, which its handler reads and the OpenAPI document describes.

use super::Parameters;
use crate::{
    http::error::ApiError,
    routes::openapi::names::{Named, one_of},
};
use axum::{extract::FromRequestParts, http::request::Parts};
use std::{fmt::Display, str::FromStr};
use utoipa::openapi::{
    ArrayBuilder, RefOr, Required as Need, Schema,
    path::{Parameter, ParameterBuilder, ParameterIn},
};

/// The parameters of an operation. [`parameters!`] implements it.
pub(in crate::routes) trait Described: Sized {
    /// Reads all parameters. Returns `None` if one is wrong; `parameters` then contains every mistake.
    fn read(parameters: &mut Parameters) -> Option<Self>;
}

/// The parameters of a request's query: 400 if the query is not UTF-8, and 422 with all mistakes.
pub(in crate::routes) struct Query<T>(pub(in crate::routes) T);

impl<T: Described, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut parameters = Parameters::of(parts.uri.query())?;
        let read = T::read(&mut parameters);
        parameters.check(read).map(Self)
    }
}

pub(in crate::routes) trait Value: Sized {
    const NEED: Need = Need::False;

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

impl<T: Named> Named for Option<T> {
    fn schema() -> RefOr<Schema> {
        T::schema()
    }
}

pub(in crate::routes) struct Required<T>(pub(in crate::routes) T);

impl<T: FromStr<Err: Display>> Value for Required<T> {
    const NEED: Need = Need::True;

    fn read(texts: &[String]) -> Result<Self, String> {
        let value = Option::read(texts)?;
        value.map(Self).ok_or_else(|| "is missing".to_owned())
    }
}

impl<T: Named> Named for Required<T> {
    fn schema() -> RefOr<Schema> {
        T::schema()
    }
}

/// A text of at most this many bytes.
pub(in crate::routes) struct AtMost<const BYTES: usize>(pub(in crate::routes) String);

impl<const BYTES: usize> FromStr for AtMost<BYTES> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.len() <= BYTES {
            true => Ok(Self(text.to_owned())),
            false => Err(format!("must be at most {BYTES} bytes")),
        }
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

impl Named for Flag {
    fn schema() -> RefOr<Schema> {
        let words = ["", "1", "true", "0", "false"];
        one_of("Without a value it is on.", words, "0")
    }
}

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

impl<T: Named> Named for Repeated<T> {
    fn schema() -> RefOr<Schema> {
        let values = ArrayBuilder::new().items(T::schema());
        values.max_items(Some(MOST_VALUES)).into()
    }
}

/// Describes a parameter for the OpenAPI document, by the lines of its comment.
pub(in crate::routes) fn described<V: Value>(
    name: &str,
    comment: &[&str],
    schema: RefOr<Schema>,
    example: Option<&str>,
) -> Parameter {
    let lines: Vec<_> = comment.iter().map(|line| line.trim()).collect();
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(V::NEED)
        .description((!lines.is_empty()).then(|| lines.join("\n")))
        .schema(Some(schema))
        .example(example.map(Into::into))
        .build()
}

/// Declares the parameters of an operation as a struct of [`Value`]s. A field's name is the name of the parameter, and its comment
/// describes it in the OpenAPI document. A text after `=>` is its example there. Its schema is the schema of its value, or of
/// `#[schema(…)]`.
macro_rules! parameters {
    (
        $(#[$of_all:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $line:literal])*
                $(#[schema($schema:expr)])?
                $field:ident: $value:ty $(=> $example:literal)?,
            )+
        }
    ) => {
        $(#[$of_all])*
        // Routers see the type of an argument of a handler.
        pub(in crate::routes) struct $name {
            $($visibility $field: $value,)+
        }

        impl $crate::routes::parameters::Described for $name {
            fn read(parameters: &mut $crate::routes::parameters::Parameters) -> Option<Self> {
                // All are read before any is used, so that every mistake is found.
                $(let $field = parameters.read(stringify!($field));)+
                Some(Self { $($field: $field?,)+ })
            }
        }

        impl utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
            ) -> Vec<utoipa::openapi::path::Parameter> {
                vec![$($crate::routes::parameters::described::<$value>(
                    stringify!($field),
                    &[$($line),*],
                    parameters!(@schema $value $(, $schema)?),
                    None$(.or(Some($example)))?,
                )),+]
            }
        }
    };
    (@schema $value:ty) => {
        <$value as $crate::routes::openapi::names::Named>::schema()
    };
    (@schema $value:ty, $schema:expr) => {
        $schema
    };
}

pub(in crate::routes) use parameters;
