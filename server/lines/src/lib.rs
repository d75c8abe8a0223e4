#![doc = include_str!("../README.md")]

mod branches;
mod changed;
mod changes;
mod counts;
mod encoding;
mod file;
mod limits;
mod line;
mod ranges;
mod record;

pub use branches::Branches;
pub use changed::{ChangedLines, MeasuredChange};
pub use changes::{ChangedFile, Changes, ChangesError, ChangesParser, Hunk, Span};
pub use counts::Counts;
pub use encoding::{DecodeError, TooLarge};
pub use file::FileLines;
pub use limits::Limits;
pub use line::{Line, MAX_LINE, State};
pub use record::Lines;
