#![doc = include_str!("../README.md")]

mod branches;
mod carried;
mod changed;
mod changes;
mod counts;
mod difference;
mod encoding;
mod file;
mod flicker;
mod history;
mod limits;
mod line;
mod named_branches;
mod pairs;
mod record;
mod roots;
mod test_sets;

pub use branches::Branches;
pub use carried::Moves;
pub use changed::{ChangedLines, MeasuredChange, extension};
pub use changes::{ChangedFile, Changes, ChangesError, ChangesParser, Hunk, Span};
pub use counts::Counts;
pub use difference::{AbsentParts, Cause, Difference, Effect, IgnoredPaths, LineGroup, Way};
pub use encoding::DecodeError;
pub use file::FileLines;
pub use flicker::{Flicker, FlickerSearch, FlickeringFile, OlderRun, differing, fingerprint};
pub use history::{History, HistoryBase, LineHistory, Origin, OriginCount, OriginCounts, Since};
pub use limits::{Limits, TooLarge};
pub use line::{Line, MAX_LINE, State};
pub use named_branches::{BranchCount, NamedBranches};
pub use record::Lines;
pub use roots::{PartRoot, UnionOfParts, has_drive, is_absolute};
pub use test_sets::{FileRun, TestRun, TestSets};
