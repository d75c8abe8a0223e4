//! Where a record stands on its branch, and what an upload of it did.

mod earlier;
mod place;
mod series;

pub(super) use earlier::{Earlier, denial, earlier_upload};
pub(super) use place::{
    Claim, Place, branch_id, count_confirmed, make_newest_current, move_to, place,
};
pub(super) use series::Series;

use super::Record;
use domain::PartSet;

/// The result of publishing.
#[derive(Clone, Debug)]
pub struct Published {
    /// The record as it is now.
    pub record: Record,
    /// Whether it is a new record, not the retry of an earlier upload.
    pub is_new: bool,
    /// Whether it replaced an upload of the last hour, without a part and with other results: perhaps that of another job.
    pub replaces_others: bool,
    /// What happened to the upload.
    pub standing: Standing,
    /// Records of the commit in other languages that this part has completed, or which no longer carry it.
    pub completed: Vec<i64>,
    /// The keys of the HTML reports that this one replaced: no record points to them, and they are marked for deletion.
    pub replaced_reports: Vec<String>,
    /// Keys of older replaced HTML reports to remove now, because a quota leaves no room for them.
    pub crowded_out: Vec<String>,
}

/// What happened to an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its record is the current one of its branch and language.
    Current,
    /// It is a part of a commit that a newer one has superseded.
    Superseded,
    /// Its record is stored, but not current, since these parts of it are missing.
    Incomplete(PartSet),
    /// Its record is stored, but not current, for this reason.
    Unconfirmed(String),
    /// Nothing changed, because its commit already has a confirmed record. The text is the reason.
    Kept(String),
}
