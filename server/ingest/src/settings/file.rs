//! The keys of `coverage-dashboard.toml` and their values. Each value is checked at its position, so that errors name the line.

use super::Settings;
use domain::{
    GateRules, GlobList, Limits, NewSince, OwnersOf, PartList, PartName, PartSet, PartSetError,
    PartialLines, PathGlob, ViewName,
};
use serde::{Deserialize, Deserializer, de};
use std::{collections::BTreeMap, fmt, str::FromStr};
use store::RecordSettings;

#[derive(Deserialize)]
pub(super) struct File {
    #[serde(default, deserialize_with = "parts")]
    parts: PartList,
    #[serde(default, deserialize_with = "parts")]
    carry: PartList,
    partial: Option<PartialLines>,
    #[serde(default)]
    gate: Gate,
    #[serde(default)]
    owners_of: OwnersOf,
    #[serde(default)]
    views: Views,
    #[serde(default, deserialize_with = "new_since")]
    new_since: Option<NewSince>,
    #[serde(default, deserialize_with = "ignore")]
    ignore: GlobList,
    /// Only the script reads it.
    #[serde(default, rename = "sources")]
    _sources: bool,
}

/// The patterns of each view.
#[derive(Default)]
struct Views(BTreeMap<PartName, GlobList>);

impl Views {
    const MAX: usize = 100;
}

impl<'de> Deserialize<'de> for Views {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let views: BTreeMap<Name<PartName>, Globs> = BTreeMap::deserialize(deserializer)?;
        let patterns: usize = views.values().map(|Globs(globs)| globs.len()).sum();
        if views.len() > Self::MAX || patterns > GlobList::MAX {
            let problem = format!(
                "expected at most {} views with {} patterns in all",
                Self::MAX,
                GlobList::MAX
            );
            return Err(de::Error::custom(problem));
        }
        let views = views.into_iter();
        let views = views.map(|(Name(name), Globs(globs))| (name, globs));
        Ok(Self(views.collect()))
    }
}

/// A list of patterns, in which the last match counts.
struct Globs(GlobList);

impl<'de> Deserialize<'de> for Globs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let patterns = Vec::<String>::deserialize(deserializer)?;
        let list = GlobList::of(patterns.iter().map(String::as_str));
        list.map(Self).map_err(|(pattern, error)| {
            de::Error::custom(format!("the pattern {pattern:?} {error}"))
        })
    }
}

fn new_since<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NewSince>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let since = text.parse().map(Some);
    since.map_err(|error| de::Error::custom(format!("new_since {error}")))
}

fn ignore<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GlobList, D::Error> {
    let Globs(ignore) = Globs::deserialize(deserializer)?;
    if ignore.len() > GlobList::MAX {
        let problem = format!("expected at most {} patterns", GlobList::MAX);
        return Err(de::Error::custom(problem));
    }
    Ok(ignore)
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Gate {
    changed: Option<Percent>,
    changed_min: Option<Lines>,
    lost: Option<Lines>,
    floor: Option<Percent>,
    branches_floor: Option<Percent>,
    functions_floor: Option<Percent>,
    evaluate: Option<bool>,
    main: Option<bool>,
    paths: Scopes<PathGlob>,
    parts: Scopes<PartName>,
    views: Scopes<ViewName>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ScopeLimits {
    changed: Option<Percent>,
    lost: Option<Lines>,
    floor: Option<Percent>,
}

impl From<File> for Settings {
    fn from(file: File) -> Self {
        let gate = file.gate;
        let all = ScopeLimits {
            changed: gate.changed,
            lost: gate.lost,
            floor: gate.floor,
        };
        Self {
            parts: file.parts,
            stored: RecordSettings {
                carry: file.carry,
                rules: GateRules {
                    all: all.into(),
                    branches_floor: gate.branches_floor.map(percent),
                    functions_floor: gate.functions_floor.map(percent),
                    changed_min: gate.changed_min.map(|Whole(lines)| lines),
                    evaluate: gate.evaluate,
                    main: gate.main,
                    partial: file.partial,
                    paths: gate.paths.0,
                    parts: gate.parts.0,
                    views: gate.views.0,
                },
                owners_of: file.owners_of,
                views: file.views.0,
                new_since: file.new_since,
                ignore: file.ignore,
            },
            notices: Vec::new(),
        }
    }
}

impl From<ScopeLimits> for Limits {
    fn from(limits: ScopeLimits) -> Self {
        Self {
            changed: limits.changed.map(percent),
            lost: limits.lost.map(|Whole(lines)| lines),
            floor: limits.floor.map(percent),
        }
    }
}

fn percent(Whole(percent): Percent) -> u8 {
    u8::try_from(percent).unwrap_or(100)
}

/// A whole number from 0 on.
struct Whole<const MOST: i64>(u64);

type Percent = Whole<100>;
type Lines = Whole<{ i64::MAX }>;

impl<'de, const MOST: i64> Deserialize<'de> for Whole<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(WholeVisitor)
    }
}

struct WholeVisitor<const MOST: i64>;

impl<const MOST: i64> de::Visitor<'_> for WholeVisitor<MOST> {
    type Value = Whole<MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match MOST {
            i64::MAX => f.write_str("a whole number from 0 on"),
            most => write!(f, "a whole number from 0 to {most}"),
        }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(whole) if number <= MOST => Ok(Whole(whole)),
            _ => Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
        }
    }
}

/// The limits of paths or of parts, by their names.
struct Scopes<K>(BTreeMap<K, Limits>);

impl<K> Default for Scopes<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, K: Ord + FromStr<Err: fmt::Display>> Deserialize<'de> for Scopes<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tables: BTreeMap<Name<K>, ScopeLimits> = BTreeMap::deserialize(deserializer)?;
        if tables.len() > GateRules::MAX_SCOPES {
            let most = GateRules::MAX_SCOPES;
            let problem = format!("expected at most {most} tables of limits");
            return Err(de::Error::custom(problem));
        }
        let limits = tables.into_iter();
        let limits = limits.map(|(Name(name), limits)| (name, limits.into()));
        Ok(Self(limits.collect()))
    }
}

/// A name that is a key, so that an error has its line.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name<K>(K);

impl<'de, K: FromStr<Err: fmt::Display>> Deserialize<'de> for Name<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = |error| de::Error::custom(format!("the name {text:?} {error}"));
        text.parse().map(Self).map_err(wrong)
    }
}

fn parts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PartList, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    PartList::of_names(&names).map_err(|wrong| {
        let problem = match wrong {
            (Some(name), PartSetError::Name(error)) => format!("the part {name:?} {error}"),
            _ => format!("expected at most {} parts", PartSet::MAX),
        };
        de::Error::custom(problem)
    })
}
