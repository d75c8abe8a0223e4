//! The parts of a record, and which ones are missing.

mod list;

pub use list::PartList;

use crate::{CommitHash, Count, DAY, PartName, PartSet, Percentage, Timestamp};

/// The parts of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordParts {
    /// The parts that have arrived, by name. A record that was uploaded without the name of a part has the unnamed part.
    pub arrived: Vec<RecordPart>,
    /// The parts that its uploads list as expected.
    pub expected: PartSet,
    /// Expected parts that have arrived in another language of the commit.
    pub elsewhere: PartSet,
    /// Since when the record does not wait for parts, although some may be missing.
    pub closed_at: Option<Timestamp>,
    /// Until when the record waits for parts; `None` if it does not wait.
    pub waits_until: Option<Timestamp>,
    /// Since when parts are overdue although the status on the forge still waits for them.
    pub unreported_since: Option<Timestamp>,
    /// Parts that most commits of the main branch have and this record lacks.
    pub usual: PartSet,
    /// The parts that were not measured again, by name. They have not arrived.
    pub carried: Vec<CarriedPart>,
}

/// A part that was not measured again: its unchanged lines come from an earlier commit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct CarriedPart {
    /// Its name.
    #[cfg_attr(feature = "sql", sqlx(rename = "part"))]
    pub name: PartName,
    /// The record that measured it; `None` if it was deleted since.
    pub record_id: Option<i64>,
    /// The commit of that record.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// When it was measured.
    pub measured_at: Timestamp,
}

impl CarriedPart {
    /// Its name, and where its lines come from, such as `e2e (from 5b174c2d, 3 days)`. `at` is the time of the record that
    /// carries the part.
    #[must_use]
    pub fn label(&self, at: Timestamp) -> String {
        let age = match (at.0 - self.measured_at.0) / DAY {
            ..=0 => "less than a day".to_owned(),
            1 => "1 day".to_owned(),
            days => format!("{days} days"),
        };
        format!("{} (from {}, {age})", self.name, self.commit.short())
    }
}

impl RecordParts {
    /// The expected parts that have not arrived.
    #[must_use]
    pub fn missing(&self) -> PartSet {
        let arrived = self.arrived.iter().map(|part| part.name.clone());
        let missing = self.expected.without(&arrived.collect());
        missing.without(&self.elsewhere)
    }

    /// Whether the record does not wait for parts.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.closed_at.is_some() || self.missing().is_empty()
    }

    /// Whether the record unites several parts.
    #[must_use]
    pub fn are_united(&self) -> bool {
        let content = self.arrived.iter().map(|part| &part.content);
        let measured = content.filter(|content| matches!(content, PartContent::Measured { .. }));
        measured.count() + self.carried.len() > 1
    }

    /// Whether there is only the unnamed part, and no other part is expected.
    #[must_use]
    pub fn are_plain(&self) -> bool {
        let is_unnamed = |part: &RecordPart| !part.name.is_named();
        let is_alone = self.expected.is_empty() && self.carried.is_empty();
        is_alone && self.arrived.iter().all(is_unnamed)
    }
}

/// One part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPart {
    /// Its name.
    pub name: PartName,
    /// When it was last uploaded, or skipped.
    pub at: Timestamp,
    /// Its content.
    pub content: PartContent,
}

/// The content of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartContent {
    /// It was measured.
    Measured {
        /// The coverage that its tool states.
        percentage: Percentage,
        /// Covered and total lines, if its coverage file counts them.
        lines: Option<Count>,
        /// The tool that wrote its coverage file, as the file names it.
        tool: Option<String>,
        /// Whether its HTML report is stored.
        has_report: bool,
    },
    /// It was skipped, for this reason.
    Skipped(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> PartSet {
        text.parse().expect("a list of parts")
    }

    fn part(name: &str, content: PartContent) -> RecordPart {
        RecordPart {
            name: name.to_owned().try_into().expect("a name"),
            at: Timestamp(0),
            content,
        }
    }

    fn parts(names: &[&str], expected: &str) -> RecordParts {
        let skipped = |name: &&str| part(name, PartContent::Skipped("docs only".to_owned()));
        RecordParts {
            arrived: names.iter().map(skipped).collect(),
            expected: set(expected),
            elsewhere: PartSet::default(),
            closed_at: None,
            waits_until: None,
            unreported_since: None,
            usual: PartSet::default(),
            carried: Vec::new(),
        }
    }

    #[test]
    fn a_carried_part_names_its_commit_and_how_much_older_it_is() {
        let of = |days: i64| CarriedPart {
            name: "e2e".to_owned().try_into().expect("a name"),
            record_id: None,
            commit: "5b174c2d9f".parse().expect("a commit"),
            measured_at: Timestamp(20 * DAY - days * DAY),
        };
        let label = |days| of(days).label(Timestamp(20 * DAY + DAY / 2));
        assert_eq!(label(0), "e2e (from 5b174c2d, less than a day)");
        assert_eq!(label(1), "e2e (from 5b174c2d, 1 day)");
        assert_eq!(label(3), "e2e (from 5b174c2d, 3 days)");
    }

    #[test]
    fn a_list_has_each_name_once_in_order() {
        assert_eq!(set("web, unit,,web"), set("unit,web"));
        assert_eq!(set("web,unit,e2e").to_string(), "e2e, unit and web");
        assert!(set(" ,").is_empty());
        assert_eq!("unit,../x".parse::<PartSet>().ok(), None);
        let fifty: Vec<_> = (0..50).map(|number| format!("p{number}")).collect();
        assert!(!set(&fifty.join(",")).are_too_many());
        let more = format!("{},one-more", fifty.join(","));
        assert_eq!(more.parse::<PartSet>(), Err(crate::PartSetError::TooMany));
    }

    #[test]
    fn a_record_waits_for_expected_parts_only() {
        assert!(parts(&[""], "").are_complete());
        assert!(parts(&["unit", "extra"], "unit").are_complete());
        let waiting = parts(&["unit"], "unit,web,e2e");
        assert_eq!(waiting.missing(), set("web,e2e"));
        assert!(!waiting.are_complete());
        let closed = RecordParts {
            closed_at: Some(Timestamp(1)),
            ..waiting
        };
        assert!(closed.are_complete());
    }

    #[test]
    fn only_the_unnamed_part_alone_is_plain() {
        assert!(parts(&[""], "").are_plain());
        assert!(!parts(&["", "web"], "").are_plain());
        assert!(!parts(&[""], "web").are_plain());
        assert!(!parts(&["unit"], "").are_plain());
    }
}
