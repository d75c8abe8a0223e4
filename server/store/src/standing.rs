//! The position of a record on its branch, and the effect of an upload on it.

mod decision;
mod earlier;
mod series;
mod trust;

pub(super) use decision::{
    Claim, Decision, branch_id, count_confirmed, decide, is_last, make_newest_current, move_to,
};
pub(super) use earlier::{Earlier, earlier_upload};
pub(super) use series::{Series, StoredKey};
pub(super) use trust::Trust;

use super::Record;
use domain::PartSet;

/// The result of publishing.
#[derive(Clone, Debug)]
pub struct Published {
    /// The record after the upload.
    pub record: Record,
    /// Whether the record is new, not the retry of an earlier upload.
    pub is_new: bool,
    /// Whether the upload replaced an upload of the last hour, without a part and with other results: perhaps of another job.
    pub replaces_others: bool,
    /// The effect of the upload.
    pub standing: Standing,
    /// Records of the commit in other languages that this part has completed, or that no longer carry it.
    pub completed: Vec<i64>,
    /// Records of commits from a merge queue that the branch is now known to contain.
    pub landed: Vec<i64>,
    /// The keys of the HTML reports that this upload replaced. No record points to them, and they are marked for deletion.
    pub replaced_reports: Vec<String>,
    /// The keys of older replaced HTML reports to remove now, because a quota leaves no room for them.
    pub crowded_out: Vec<String>,
}

impl Published {
    pub(super) fn unchanged(record: Record, standing: Standing) -> Self {
        Self {
            record,
            is_new: false,
            replaces_others: false,
            standing,
            completed: Vec::new(),
            landed: Vec::new(),
            replaced_reports: Vec::new(),
            crowded_out: Vec::new(),
        }
    }
}

/// The effect of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The record is the current one of its branch and language.
    Current,
    /// The upload is a part of a commit that a newer commit has superseded.
    Superseded,
    /// The record is stored, but not current, because these parts are missing.
    Incomplete(PartSet),
    /// The record is stored, but not current: a merge queue tests its commit.
    Provisional,
    /// The record is stored, but not current, for this reason.
    Unconfirmed(String),
    /// Nothing changed, because the commit already has a confirmed record. The text is the reason.
    Kept(String),
}
