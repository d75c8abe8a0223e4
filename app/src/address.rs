//! The path and query of the requested page, each part decoded once. The router's own maps decode twice: `100%2541` would
//! become `100A`.

use leptos::prelude::{ReadUntracked, use_context};
use leptos_router::{hooks::use_params_map, location::RequestUrl};
use percent_encoding::percent_decode_str;

/// The maximum length of a path of a file, or of a search for one, in bytes: no path is longer.
const MOST_PATH_BYTES: usize = 4_096;

/// The part of the path that the route of the page calls `name`.
pub(crate) fn part(name: &str) -> String {
    let parts = use_params_map().read_untracked().get(name);
    parts.unwrap_or_default()
}

/// Cuts a text that is longer than every path.
pub(crate) fn cut(mut path: String) -> String {
    path.truncate(path.floor_char_boundary(MOST_PATH_BYTES));
    path
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Address {
    path: String,
    query: Vec<(String, String)>,
}

impl Address {
    pub(crate) fn current() -> Self {
        use_context::<RequestUrl>().map_or_else(Self::default, |url| Self::parse(url.as_ref()))
    }

    /// Parses a URL with or without an origin.
    fn parse(url: &str) -> Self {
        let local = match url.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
            None => url,
        };
        let local = local.split('#').next().unwrap_or_default();
        let (path, query) = local.split_once('?').unwrap_or((local, ""));
        let query = form_urlencoded::parse(query.as_bytes());
        Self {
            path: path.to_owned(),
            query: query.into_owned().collect(),
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the path after `prefix`, such as `/authors/`; empty if the path does not start with it.
    pub(crate) fn behind(&self, prefix: &str) -> String {
        self.path
            .strip_prefix(prefix)
            .map(decoded)
            .unwrap_or_default()
    }

    /// All values of a parameter.
    pub(crate) fn values(&self, name: &str) -> Vec<String> {
        let found = self.query.iter().filter(|(other, _)| other == name);
        found.map(|(_, value)| value.clone()).collect()
    }

    /// The last value of a parameter, trimmed, or an empty text.
    pub(crate) fn get(&self, name: &str) -> String {
        let found = self.query.iter().rfind(|(other, _)| other == name);
        found.map_or_else(String::new, |(_, value)| value.trim().to_owned())
    }

    /// The same page with another value of a parameter, and without the parameters in `without`.
    pub(crate) fn with(&self, name: &str, value: Option<&str>, without: &[&str]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (other, value) in &self.query {
            if other != name && !without.contains(&other.as_str()) {
                query.append_pair(other, value);
            }
        }
        if let Some(value) = value {
            query.append_pair(name, value);
        }
        match query.finish() {
            query if query.is_empty() => self.path.clone(),
            query => format!("{}?{query}", self.path),
        }
    }
}

/// Percent-decodes `text`. Invalid UTF-8 becomes replacement characters, which match no stored name.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_an_address_is_decoded_once() {
        let address =
            Address::parse("http://x.example/authors/100%2541%2Fb?q=a+b%2Bc%2541&q=2&empty=#d");
        assert_eq!(address.behind("/authors/"), "100%41/b");
        assert_eq!(address.behind("/repos/"), "");
        assert_eq!(address.get("q"), "2");
        assert_eq!([address.get("empty"), address.get("none")], ["", ""]);
        assert_eq!(address.values("q"), ["a b+c%41", "2"]);
        assert_eq!(Address::parse("/setup?ci").get("ci"), "");
    }

    #[test]
    fn a_parameter_is_replaced_and_the_others_stay() {
        let address = Address::parse("/repos/a%20b/c?find=x+%26y&moved=lines&moved=z#d");
        assert_eq!(
            address.with("moved", Some("-part"), &[]),
            "/repos/a%20b/c?find=x+%26y&moved=-part"
        );
        assert_eq!(address.with("moved", None, &["find"]), "/repos/a%20b/c");
    }

    #[test]
    fn an_invalid_percent_encoding_is_left_unchanged() {
        for (text, is) in [
            ("%", "%"),
            ("%4", "%4"),
            ("%zz", "%zz"),
            ("%+f", "%+f"),
            ("%C3%BC", "ü"),
            ("%FF", "\u{fffd}"),
            ("ü%", "ü%"),
        ] {
            assert_eq!(decoded(text), is);
        }
    }
}
