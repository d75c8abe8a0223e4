//! Query parameters, checked together so that one answer names all mistakes.

mod described;

use crate::http::error::{ApiError, ParameterErrors};
pub(super) use described::{
    AtMost, Described, Flag, Query, Repeated, Required, Value, described, parameters,
};
use percent_encoding::percent_decode_str;
use std::collections::HashMap;

/// The parameters of one request. Unknown ones are ignored.
#[derive(Default)]
pub(super) struct Parameters {
    /// The values of each name, in the order of the query.
    values: HashMap<String, Vec<String>>,
    errors: ParameterErrors,
}

impl Parameters {
    /// Parses a query string, without its `?`. If a parameter occurs twice, the last one counts, unless it is [`Repeated`]. A query
    /// that is not UTF-8 is refused, since replacing characters could make two names equal.
    pub(super) fn of(query: Option<&str>) -> Result<Self, ApiError> {
        let query = query.unwrap_or_default();
        if percent_decode_str(query).decode_utf8().is_err() {
            return Err(ApiError::malformed(
                "The query string is not UTF-8; percent-encode the UTF-8 bytes of each value.",
            ));
        }
        let mut values = HashMap::<_, Vec<_>>::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
            values.entry(name).or_default().push(value);
        }
        let errors = ParameterErrors::new();
        Ok(Self { values, errors })
    }

    /// Parses the query of an image, which must never fail: a query that is not UTF-8 has no parameters.
    pub(super) fn of_picture(query: Option<&str>) -> Self {
        Self::of(query).unwrap_or_default()
    }

    /// Reads the members of a JSON object that are texts.
    pub(super) fn of_members(texts: impl Iterator<Item = (&'static str, String)>) -> Self {
        Self {
            values: texts
                .map(|(name, text)| (name.to_owned(), vec![text]))
                .collect(),
            ..Self::default()
        }
    }

    /// Returns the text of a parameter; an empty one counts as absent.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values
            .get(name)
            .and_then(|values| values.last())
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Reads a parameter. A mistake is kept for [`Self::check`].
    pub(super) fn read<V: Value>(&mut self, name: &'static str) -> Option<V> {
        let values = self.values.get(name).map(Vec::as_slice).unwrap_or_default();
        match V::read(values) {
            Ok(value) => Some(value),
            Err(message) => {
                self.refuse(name, message);
                None
            }
        }
    }

    pub(super) fn refuse(&mut self, name: &'static str, message: impl Into<String>) {
        self.errors.insert(name, message.into());
    }

    /// Returns `made`, or one refusal with all mistakes.
    pub(super) fn check<T>(self, made: Option<T>) -> Result<T, ApiError> {
        match made {
            Some(made) if self.errors.is_empty() => Ok(made),
            _ => Err(ApiError::parameters(self.errors)),
        }
    }
}
