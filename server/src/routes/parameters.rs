//! Query parameters, checked all at once so that a client learns of every mistake in one answer.

use crate::http::error::{ApiError, Code, ParameterErrors};
use percent_encoding::percent_decode_str;
use std::{collections::HashMap, fmt::Display, str::FromStr};

/// The parameters of one request. Unknown ones are ignored.
pub(super) struct Parameters {
    values: HashMap<String, String>,
    errors: ParameterErrors,
}

impl Parameters {
    /// Of a query string, without its `?`. Of a parameter that is given twice, the last counts.
    ///
    /// # Errors
    ///
    /// 400 where it is not UTF-8: taking it with replaced characters would make one name of two.
    pub(super) fn of(query: Option<&str>) -> Result<Self, ApiError> {
        let pairs = query
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty());
        let decoded = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decoded(name)?, decoded(value)?))
        });
        Ok(Self {
            values: decoded.collect::<Result<_, ApiError>>()?,
            errors: ParameterErrors::new(),
        })
    }

    /// Those of a picture in a page, which has to be shown whatever was asked: of a query that is not UTF-8 there are none.
    pub(super) fn of_picture(query: Option<&str>) -> Self {
        Self::of(query).unwrap_or(Self {
            values: HashMap::new(),
            errors: ParameterErrors::new(),
        })
    }

    /// Of the members of a JSON object that are texts.
    pub(super) fn of_members<'a>(texts: impl Iterator<Item = (&'static str, &'a str)>) -> Self {
        Self {
            values: texts
                .map(|(name, text)| (name.to_owned(), text.to_owned()))
                .collect(),
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

    /// What was made of the parameters, or else all that was wrong with them, as one answer.
    pub(super) fn check<T>(self, made: Option<T>) -> Result<T, ApiError> {
        match made {
            Some(made) if self.errors.is_empty() => Ok(made),
            _ => Err(ApiError::parameters(self.errors)),
        }
    }
}

/// As forms are encoded: `+` is a space, `%` and two digits a byte.
fn decoded(text: &str) -> Result<String, ApiError> {
    let with_spaces = text.replace('+', " ");
    match percent_decode_str(&with_spaces).decode_utf8() {
        Ok(decoded) => Ok(decoded.into_owned()),
        Err(_) => Err(ApiError::new(
            Code::MalformedRequest,
            "The query string is not UTF-8; percent-encode the UTF-8 bytes of each value.",
        )),
    }
}
