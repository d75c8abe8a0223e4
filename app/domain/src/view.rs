//! Views: named sets of the files of a repository, and their counts.

use crate::{
    BranchName, Change, Count, Day, DayPoint, Language, NewCount, NewSince, PartName, Percentage,
    Repository, Timestamp, choice::choices, query::query,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};
use thiserror::Error;

choices! {
    /// A kind of view.
    #[derive(Default)]
    ViewKind:
    /// The files below a folder.
    #[default]
    Folder = "folder" => "Folders",
    /// The files of an owner.
    Owner = "owner" => "Owners",
    /// The files that patterns in the settings name.
    View = "view" => "Custom",
}

/// A view of a repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ViewName {
    /// The files below a folder: `folder:server/src`.
    Folder(String),
    /// The files of an owner: `owner:@acme/payments`.
    Owner(String),
    /// The files without an owner: `owner:none`.
    NoOwner,
    /// The files that patterns in the settings name: `view:api`.
    Named(PartName),
}

/// The text is no [`ViewName`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be folder:, owner: or view: and a name")]
pub struct ViewNameError;

/// The name of the files without an owner.
const NONE: &str = "none";

const MAX_FOLDER_BYTES: usize = 1_024;
const MAX_OWNER_BYTES: usize = 255;

impl ViewName {
    /// The view of an owner; of the files without an owner if `None`.
    pub fn of_owner(owner: Option<&str>) -> Self {
        owner.map_or(Self::NoOwner, |owner| Self::Owner(owner.to_owned()))
    }

    /// Its kind.
    pub fn kind(&self) -> ViewKind {
        match self {
            Self::Folder(_) => ViewKind::Folder,
            Self::Owner(_) | Self::NoOwner => ViewKind::Owner,
            Self::Named(_) => ViewKind::View,
        }
    }

    /// The name without its kind.
    pub fn name(&self) -> &str {
        match self {
            Self::Folder(name) | Self::Owner(name) => name,
            Self::NoOwner => NONE,
            Self::Named(name) => name.as_str(),
        }
    }
}

impl FromStr for ViewName {
    type Err = ViewNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, name) = text.split_once(':').ok_or(ViewNameError)?;
        let is_name =
            |most| (1..=most).contains(&name.len()) && !name.chars().any(char::is_control);
        let has_empty_component = || name.split('/').any(str::is_empty);
        match kind {
            "folder" if is_name(MAX_FOLDER_BYTES) && !has_empty_component() => {
                Ok(Self::Folder(name.to_owned()))
            }
            "owner" if name == NONE => Ok(Self::NoOwner),
            "owner" if is_name(MAX_OWNER_BYTES) => Ok(Self::Owner(name.to_owned())),
            "view" => name.parse().map(Self::Named).map_err(|_| ViewNameError),
            _ => Err(ViewNameError),
        }
    }
}

impl fmt::Display for ViewName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind(), self.name())
    }
}

impl TryFrom<String> for ViewName {
    type Error = ViewNameError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ViewName> for String {
    fn from(view: ViewName) -> Self {
        view.to_string()
    }
}

/// The counts of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// The number of files.
    pub files: u64,
    /// Their lines.
    pub lines: Count,
}

impl FileSum {
    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            lines: self.lines.plus(other.lines),
        }
    }
}

/// How many lines of a record are new, and how many of these ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTotals {
    /// The record.
    pub record_id: i64,
    /// Since when lines count as new: an upload of the main branch.
    pub since: Timestamp,
    /// Its new lines.
    pub new: NewCount,
}

/// What is counted of a view, or of a whole repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewCounts {
    /// Its files now.
    pub now: FileSum,
    /// Its lines at the beginning of the period; `None` if there was no record with a list of files.
    pub before: Option<Count>,
    /// Its new lines; `None` without a history of lines.
    pub new: Option<NewCount>,
}

impl ViewCounts {
    /// Known counts of no files.
    pub fn zero() -> Self {
        Self {
            now: FileSum::default(),
            before: Some(Count::default()),
            new: Some(NewCount::default()),
        }
    }

    /// Its percentage; `None` without lines.
    pub fn percentage(&self) -> Option<Percentage> {
        Percentage::of(self.now.lines)
    }

    /// The change of the percentage in the period; `None` if one of both is unknown.
    pub fn delta(&self) -> Option<Change> {
        let before = self.before.and_then(Percentage::of)?;
        Some(Change::between(before, self.percentage()?))
    }

    /// The sum of both. What is unknown in one of both is unknown in the sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            now: self.now.plus(other.now),
            before: self.before.zip(other.before).map(|(a, b)| a.plus(b)),
            new: self.new.zip(other.new).map(|(a, b)| a.plus(b)),
        }
    }
}

query! {
    /// The choices for a list of views.
    #[derive(Default)]
    pub struct ViewsQuery {
        /// The branch; the main branch if `None`.
        pub branch: Option<BranchName> = "branch_name",
        /// Only this language; the sum of all if `None`.
        pub language: Option<Language> = "language",
        /// Only views of this kind; all kinds if `None`.
        pub kind: Option<ViewKind> = "kind",
        /// The folder whose folders are listed; empty for the folders at the top.
        pub under: String = "under",
        /// The day from which on the change is counted; three months before the last day if `None`.
        pub from: Option<Day> = "from",
        /// The last day; today if `None`.
        pub to: Option<Day> = "to",
        /// Since when lines count as new; as the settings of the main branch say if `None`.
        pub since: Option<NewSince> = "since",
    }
}

/// The views of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Views {
    /// The branch.
    pub branch: BranchName,
    /// The end of the period; when it was read, if the period ends today.
    pub until: Timestamp,
    /// The beginning of the period in which the change is counted: a record that was current then, or the first one.
    pub from: Timestamp,
    /// The whole repository, with the totals that coverage files state; `None` if one of them states no lines.
    pub whole: Option<ViewCounts>,
    /// What the stated totals have more than the files: covered and total lines. Negative if the files have more.
    pub other: Option<(i64, i64)>,
    /// The listed folder; empty for the top.
    pub under: String,
    /// The files that are directly in the listed folder, in no folder below it.
    pub direct: ViewCounts,
    /// The views, by name.
    pub views: Vec<(ViewName, ViewCounts)>,
    /// The record whose files are counted, if it is only one.
    pub record: Option<i64>,
    /// The folders that have folders.
    pub parents: BTreeSet<ViewName>,
    /// The trend of each view, if the branch has one language or one is chosen.
    pub points: BTreeMap<ViewName, Vec<DayPoint>>,
    /// The trend of the whole repository, likewise.
    pub whole_points: Vec<DayPoint>,
    /// The trend of the files that are directly in the listed folder, likewise.
    pub direct_points: Vec<DayPoint>,
    /// Since when lines are new.
    pub since: NewSince,
    /// Why views are missing, one sentence each.
    pub notices: Vec<String>,
}

/// An owner over the repositories of an org.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerRow {
    /// The owner.
    pub owner: ViewName,
    /// The sum over its repositories.
    pub counts: ViewCounts,
    /// The repositories in which it has files.
    pub repositories: Vec<(Repository, ViewCounts)>,
}

/// A repository of an org.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedRepository {
    /// The repository.
    pub repository: Repository,
    /// Whether it defines owners.
    pub has_owners: bool,
    /// Whether its first record is from after the beginning of the period: its change is from that record on.
    pub is_new: bool,
    /// Its counts, with the totals that its coverage files state; `None` if one of them states no lines or lists no files.
    pub counts: Option<ViewCounts>,
}

impl OwnedRepository {
    /// The sum of the repositories that define no owners; `None` if all define owners, `Some(None)` if the counts of one are
    /// unknown.
    pub fn without_owners(all: &[Self]) -> Option<Option<ViewCounts>> {
        let mut others = all.iter().filter(|row| !row.has_owners).peekable();
        others.peek()?;
        Some(others.try_fold(ViewCounts::zero(), |sum, row| Some(sum.plus(row.counts?))))
    }
}

/// The owners of an org.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgOwners {
    /// When it was read.
    pub now: Timestamp,
    /// The beginning of the period in which changes are counted.
    pub from: Timestamp,
    /// The owners, by name.
    pub owners: Vec<OwnerRow>,
    /// The repositories that define owners; `None` if one of them states no lines.
    pub whole: Option<ViewCounts>,
    /// What the stated totals of these repositories have more than their files: covered and total lines.
    pub other: Option<(i64, i64)>,
    /// The number of repositories that define owners.
    pub repositories: u64,
    /// The number of repositories that define none: they are not counted.
    pub undefined: u64,
    /// All repositories, by name.
    pub by_repository: Vec<OwnedRepository>,
    /// Why owners are missing, one sentence each.
    pub notices: Vec<String>,
}

impl OrgOwners {
    /// No owners and no repositories.
    pub fn empty(now: Timestamp) -> Self {
        Self {
            now,
            from: now,
            owners: Vec::new(),
            whole: Some(ViewCounts::zero()),
            other: Some((0, 0)),
            repositories: 0,
            undefined: 0,
            by_repository: Vec::new(),
            notices: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_read_as_it_is_written() {
        for text in [
            "folder:server/src",
            "folder:a:b",
            "owner:@acme/payments",
            "owner:jo@example.org",
            "owner:none",
            "view:api",
        ] {
            let view: ViewName = text.parse().expect(text);
            assert_eq!(view.to_string(), text);
        }
        for text in [
            "",
            "folder",
            "folder:",
            "folder:/a",
            "folder:a/",
            "folder:a//b",
            "owner:",
            "view:",
            "view:A b",
            "team:a",
            "owner:a\nb",
        ] {
            assert_eq!(text.parse::<ViewName>(), Err(ViewNameError), "{text}");
        }
    }

    #[test]
    fn an_unknown_summand_makes_the_sum_unknown() {
        let count = |covered, total| Count { covered, total };
        let known = ViewCounts {
            now: FileSum {
                files: 1,
                lines: count(3, 4),
            },
            before: Some(count(1, 4)),
            new: Some(NewCount {
                lines: count(1, 1),
                unknown: 2,
            }),
        };
        let unknown = ViewCounts {
            before: None,
            new: None,
            ..known
        };
        let sum = known.plus(unknown);
        assert_eq!(
            sum.now,
            FileSum {
                files: 2,
                lines: count(6, 8)
            }
        );
        assert_eq!((sum.before, sum.new, sum.delta()), (None, None, None));
        let delta = known.plus(known).delta();
        assert_eq!(delta.map(Change::basis_points), Some(5_000));
    }
}
