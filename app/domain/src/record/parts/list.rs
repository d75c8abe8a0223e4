//! Parts of a commit over all of its languages, each for all of them or for one.

use crate::{Language, PartName, PartSet, PartSetError};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, str::FromStr};

/// Parts of a commit: `web` in any language, or `web:typescript` in one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartList(BTreeSet<ListedPart>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct ListedPart {
    name: PartName,
    /// `None` for all languages.
    language: Option<String>,
}

impl PartList {
    /// The parts that concern the records of a language.
    #[must_use]
    pub fn of(&self, language: &Language) -> PartSet {
        self.names(|of| of.is_none_or(|of| of == language.as_str()))
    }

    /// The parts that count only if they arrive in this language.
    #[must_use]
    pub fn only_of(&self, language: &Language) -> PartSet {
        let own = self.names(|of| of == Some(language.as_str()));
        own.without(&self.names(|of| of.is_none()))
    }

    fn names(&self, wanted: impl Fn(Option<&str>) -> bool) -> PartSet {
        let listed = self.0.iter();
        let listed = listed.filter(|part| wanted(part.language.as_deref()));
        listed.map(|part| part.name.clone()).collect()
    }

    fn of_items<'a>(items: impl Iterator<Item = &'a str>) -> Result<Self, PartSetError> {
        let list: BTreeSet<_> = items.map(str::parse).collect::<Result<_, _>>()?;
        if list.len() > PartSet::MAX {
            return Err(PartSetError::TooMany);
        }
        Ok(Self(list))
    }

    /// Reads a list that is already split into items. The error contains the first invalid item, or no item if there are too
    /// many.
    pub fn of_names(names: &[String]) -> Result<Self, (Option<&str>, PartSetError)> {
        let wrong = names.iter().find_map(|name| {
            let read = ListedPart::from_str(name);
            read.err().map(|error| (Some(name.as_str()), error))
        });
        match wrong {
            Some(wrong) => Err(wrong),
            None => Self::of_items(names.iter().map(String::as_str)).map_err(|error| (None, error)),
        }
    }
}

/// Items with commas between them; spaces around an item, and empty items, do not count.
impl FromStr for PartList {
    type Err = PartSetError;

    fn from_str(text: &str) -> Result<Self, PartSetError> {
        let items = text.split(',').map(str::trim);
        Self::of_items(items.filter(|item| !item.is_empty()))
    }
}

impl FromStr for ListedPart {
    type Err = PartSetError;

    fn from_str(text: &str) -> Result<Self, PartSetError> {
        let (name, language) = match text.split_once(':') {
            Some((name, language)) => (name, Some(language.parse::<Language>()?)),
            None => (text, None),
        };
        Ok(Self {
            name: name.parse()?,
            language: language.map(|language| language.to_string()),
        })
    }
}

impl TryFrom<String> for ListedPart {
    type Error = PartSetError;

    fn try_from(text: String) -> Result<Self, PartSetError> {
        text.parse()
    }
}

impl From<ListedPart> for String {
    fn from(part: ListedPart) -> Self {
        match part.language {
            Some(language) => format!("{}:{language}", part.name),
            None => part.name.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_language_concerns_only_that_language() {
        let list: PartList = "unit, web:typescript,unit:rust".parse().expect("a list");
        let of = |language: &str| {
            let language: Language = language.parse().expect("a language");
            (list.of(&language), list.only_of(&language))
        };
        let set = |text: &str| text.parse::<PartSet>().expect("parts");
        assert_eq!(of("typescript"), (set("unit,web"), set("web")));
        assert_eq!(of("rust"), (set("unit"), set("")));
        assert_eq!(of("go"), (set("unit"), set("")));
        for bad in ["web:", "web:Type Script", ":go", "web:a:b"] {
            assert!(bad.parse::<PartList>().is_err(), "{bad}");
        }
        let texts: Vec<String> = list.0.into_iter().map(String::from).collect();
        assert_eq!(texts, ["unit", "unit:rust", "web:typescript"]);
        assert_eq!(PartList::of_names(&texts).map(|list| list.0.len()), Ok(3));
    }
}
