//! Query parameters, checked all at once so that a client learns of every mistake in one answer.

use crate::error::{ApiError, ParameterErrors};
use std::{collections::HashMap, fmt::Display, str::FromStr};

/// The parameters of one request. Unknown ones are ignored.
pub(super) struct Parameters {
    values: HashMap<String, String>,
    errors: ParameterErrors,
}

impl Parameters {
    /// Of a query string, without its `?`. Of a parameter that is given twice, the last counts.
    pub(super) fn of(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        Self {
            values: pairs.into_owned().collect(),
            errors: ParameterErrors::new(),
        }
    }

    /// The text of a parameter; one that is given empty counts as absent.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values
            .get(name)
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Whether a parameter is given at all, empty or not.
    pub(super) fn raw(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// A parameter that has to be there and valid. What is wrong with it is kept for [`Self::check`].
    pub(super) fn required<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Option<T> {
        match self.text(name).map(str::parse) {
            Some(Ok(value)) => return Some(value),
            Some(Err(error)) => self.refuse(name, error.to_string()),
            None => self.refuse(name, "is missing"),
        }
        None
    }

    /// Keeps what is wrong with a parameter.
    pub(super) fn refuse(&mut self, name: &'static str, message: impl Into<String>) {
        self.errors.insert(name, message.into());
    }

    /// All that was wrong, as one answer.
    pub(super) fn check(self) -> Result<(), ApiError> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(ApiError::parameters(self.errors))
        }
    }
}
