//! Why the percentages of two records differ: groups of lines whose [shares](crate::share_of_change) of the change add up
//! exactly.

mod sentence;
#[cfg(test)]
mod tests;

use crate::{
    Change, Count, LineRange, LostLines, PartName, RecordParts, choice::choices, rounded_share,
    share_of_change,
};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Totals above this number are not explained: no source code has a trillion lines, and their products would not fit.
const MAX_TOTAL: u64 = 1 << 40;

/// Why the percentage of a record differs from its base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The count at the base.
    pub base: Count,
    /// The count at the head.
    pub head: Count,
    /// The groups, the largest share first.
    pub groups: Vec<ChangeGroup>,
    /// Whether lines were not compared, only the counts of files.
    pub is_by_file: bool,
}

/// An explanation with its sentence, for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The groups.
    pub explanation: Explanation,
    /// The most important groups, in a sentence.
    pub sentence: String,
    /// The lines that are no longer run, if the changes start from the base.
    pub lost: Option<LostLines>,
}

/// Lines that changed the percentage for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeGroup {
    /// Why.
    pub cause: ChangeCause,
    /// Their file; `None` if the group is of several files, or of no file.
    pub path: Option<String>,
    /// The part that is the cause; the unnamed part has an empty name.
    pub part: Option<PartName>,
    /// Covered lines at the head minus covered lines at the base.
    pub covered: i64,
    /// All lines at the head minus all lines at the base.
    pub total: i64,
    /// How many of the lines are known to flicker.
    pub flickering: u64,
    /// The lines of a file that were gained, lost, or added and not run, with their numbers at the head. Empty in a stored analysis.
    #[serde(skip)]
    pub lines: Vec<LineRange>,
    /// The number of files; 0 if the lines are of no file.
    pub files: u64,
    /// Whether these are all lines of the file.
    pub is_whole_file: bool,
}

choices! {
    /// Why lines change the percentage. Its word is the word in the API.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    ChangeCause:
    /// The commit added them.
    Added = "added",
    /// The commit removed them.
    Removed = "removed",
    /// They are unchanged, and run now.
    Gained = "gained",
    /// They are unchanged, and no longer run.
    Lost = "lost",
    /// They are unchanged, and measured only at the head: whole files, or lines of others.
    Appeared = "appeared",
    /// They are unchanged, and were measured only at the base: whole files, or lines of others.
    Vanished = "vanished",
    /// Only a part that is absent at the head ran or measured them.
    PartAbsent = "part_absent",
    /// Only one of the two records ignores their file.
    Ignored = "ignored",
    /// A rename moved their file into the view, or out of it.
    Moved = "moved",
    /// Their file changed since the base, and it is not known which lines.
    ChangedSince = "changed_since",
    /// The stated totals differ from the sums of the lines.
    Other = "other",
}

impl Explanation {
    /// The most groups. If there are more, the smallest groups of each cause are combined.
    pub const MAX_GROUPS: usize = 1000;

    /// Explains the change between two counts. The rest of the change becomes the group `other`. `None` if a count has no
    /// lines, too many lines, or more covered lines than lines.
    #[must_use]
    pub fn new(base: Count, head: Count, groups: Vec<ChangeGroup>) -> Option<Self> {
        let is_usable =
            |count: Count| (1..=MAX_TOTAL).contains(&count.total) && count.covered <= count.total;
        if !is_usable(base) || !is_usable(head) {
            return None;
        }
        let mut explanation = Self {
            base,
            head,
            groups,
            is_by_file: false,
        };
        let sum = |of: fn(&ChangeGroup) -> i64| explanation.groups.iter().map(of).sum::<i64>();
        let other = ChangeGroup {
            covered: less(head.covered, base.covered) - sum(|group| group.covered),
            total: less(head.total, base.total) - sum(|group| group.total),
            ..ChangeGroup::of_no_file(ChangeCause::Other)
        };
        if (other.covered, other.total) != (0, 0) {
            explanation.groups.push(other);
        }
        explanation.sort();
        Some(explanation)
    }

    /// The same explanation, marked as groups of files whose lines were not compared.
    #[must_use]
    pub fn by_file(self) -> Self {
        Self {
            is_by_file: true,
            ..self
        }
    }

    /// Sorts groups by the size of their share, and combines the smallest groups.
    fn sort(&mut self) {
        let mut groups = std::mem::take(&mut self.groups);
        groups.sort_by_cached_key(|group| {
            let size = self.share(group).unsigned_abs();
            (
                Reverse(size),
                group.cause,
                group.path.clone(),
                group.part.clone(),
            )
        });
        if groups.len() > Self::MAX_GROUPS {
            for small in groups.split_off(Self::MAX_GROUPS - ChangeCause::ALL.len()) {
                let same = |group: &&mut ChangeGroup| group.is_united_like(&small);
                match groups.iter_mut().rev().find(same) {
                    Some(united) => united.unite(&small),
                    None => groups.push(ChangeGroup {
                        path: None,
                        is_whole_file: false,
                        lines: Vec::new(),
                        ..small
                    }),
                }
            }
        }
        self.groups = groups;
    }

    /// The change, as a fraction of 1 with [`Self::denominator`].
    #[must_use]
    pub fn numerator(&self) -> i128 {
        self.groups.iter().map(|group| self.share(group)).sum()
    }

    /// What the shares are divided by.
    #[must_use]
    pub fn denominator(&self) -> i128 {
        i128::from(self.base.total) * i128::from(self.head.total)
    }

    /// The share of a group, as a fraction of 1 with [`Self::denominator`].
    #[must_use]
    pub fn share(&self, group: &ChangeGroup) -> i128 {
        self.share_of(group.covered, group.total)
    }

    fn share_of(&self, covered: i64, total: i64) -> i128 {
        let before = (i128::from(self.base.covered), i128::from(self.base.total));
        share_of_change((i128::from(covered), i128::from(total)), before)
    }

    /// A share in basis points, rounded half away from zero.
    #[must_use]
    pub fn points(&self, share: i128) -> Change {
        let points = self.rounded(share, 10_000);
        Change::from_basis_points(i32::try_from(points).unwrap_or_default())
    }

    /// A share as a number of `parts` of 1, rounded half away from zero.
    #[must_use]
    pub fn rounded(&self, share: i128, parts: i128) -> i64 {
        i64::try_from(rounded_share(share, self.denominator(), parts)).unwrap_or_default()
    }

    /// The change in a sentence of at most 200 characters. `delta` is the difference of the shown percentages; `parts` are the
    /// parts of the head.
    #[must_use]
    pub fn sentence(&self, delta: Change, parts: &RecordParts) -> String {
        sentence::sentence(self, delta, parts)
    }
}

impl ChangeGroup {
    /// A group without lines.
    #[must_use]
    pub fn of_no_file(cause: ChangeCause) -> Self {
        Self {
            cause,
            path: None,
            part: None,
            covered: 0,
            total: 0,
            flickering: 0,
            files: 0,
            is_whole_file: false,
            lines: Vec::new(),
        }
    }

    /// Why its lines change the percentage. `named` shows the name of a part.
    #[must_use]
    pub fn reason(&self, named: impl FnOnce(&str) -> String) -> String {
        let whole = if self.is_whole_file { "file" } else { "lines" };
        match self.cause {
            ChangeCause::Added => "new lines".to_owned(),
            ChangeCause::Removed => "removed lines".to_owned(),
            ChangeCause::Gained => "unchanged lines, now run".to_owned(),
            ChangeCause::Lost => "unchanged lines, no longer run".to_owned(),
            ChangeCause::Appeared => format!("{whole} now measured"),
            ChangeCause::Vanished => format!("{whole} no longer measured"),
            ChangeCause::PartAbsent => match self.part.as_ref().filter(|part| part.is_named()) {
                Some(part) => format!("lines of the absent part {}", named(part.as_str())),
                None => "lines of the absent unnamed part".to_owned(),
            },
            ChangeCause::Ignored if self.total < 0 => "file now ignored".to_owned(),
            ChangeCause::Ignored => "file no longer ignored".to_owned(),
            ChangeCause::Moved if self.total < 0 => "file renamed, out of the view".to_owned(),
            ChangeCause::Moved => "file renamed, into the view".to_owned(),
            ChangeCause::ChangedSince => "file changed since the base".to_owned(),
            ChangeCause::Other => "stated totals that differ from the sums of the lines".to_owned(),
        }
    }

    fn is_united_like(&self, other: &Self) -> bool {
        self.path.is_none() && self.cause == other.cause && self.part == other.part
    }

    fn unite(&mut self, other: &Self) {
        self.covered += other.covered;
        self.total += other.total;
        self.flickering += other.flickering;
        self.files += other.files;
    }
}

fn less(head: u64, base: u64) -> i64 {
    i64::try_from(i128::from(head) - i128::from(base)).unwrap_or_default()
}
