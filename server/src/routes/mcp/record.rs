//! The record that a call is about.

use super::{
    answer::{Answer, Refusal},
    names::name,
};
use crate::routes::readable::Readable;
use domain::RecordRef;
use store::Record;

/// The line of an answer if the lost lines are unknown.
pub(super) const LOST_UNKNOWN: &str = "Lines lost: unknown.";

/// The most other languages that are named.
const OTHERS: usize = 5;

/// A record, and the current records of its branch in other languages.
pub(super) struct Found {
    pub(super) record: Record,
    others: Vec<Record>,
    url: String,
}

impl Found {
    /// Finds the record by its number, or the last uploaded record of a branch.
    pub(super) async fn of(state: &Readable, wanted: &RecordRef) -> Result<Self, Refusal> {
        let mut found = state.reader.records_named(wanted).await?.into_iter();
        let Some(record) = found.next() else {
            return Err(missing(wanted));
        };
        let url = state.review.places.record(record.id);
        Ok(Self {
            record,
            others: found.take(OTHERS).collect(),
            url,
        })
    }

    /// An answer that begins with the names of the record, and ends with its page.
    pub(super) fn answer(&self) -> Answer {
        let mut answer = Answer::ending_with(format!("Page: {}", self.url));
        let record = &self.record;
        answer.line(&format!(
            "Record {}: {}, branch {}, commit {}, language {}.",
            record.id,
            name(&record.repository.to_string()),
            name(record.branch.as_str()),
            name(record.commit.as_str()),
            name(record.language.as_str()),
        ));
        let others = self.others.iter();
        let others = others
            .map(|other| format!("{} ({})", other.id, name(other.language.as_str())))
            .collect::<Vec<_>>();
        if !others.is_empty() {
            answer.line(&format!(
                "The branch has records of other languages: {}.",
                others.join(", ")
            ));
        }
        answer
    }

    /// A refusal that ends with the record's page.
    pub(super) fn refusal(&self, sentence: &str) -> Refusal {
        Refusal(format!("{sentence}\nPage: {}", self.url))
    }

    /// The record was deleted meanwhile.
    pub(super) fn gone(&self) -> Refusal {
        missing(&RecordRef::Id(self.record.id))
    }

    /// The lines of the record are not kept.
    pub(super) fn without_lines(&self) -> Refusal {
        self.refusal(&format!(
            "The lines of record {} are not kept: they have expired, or its coverage file has none; ask for a newer record, such as org/repo@branch.",
            self.record.id
        ))
    }
}

fn missing(wanted: &RecordRef) -> Refusal {
    Refusal(match wanted {
        RecordRef::Id(id) => format!(
            "There is no record {id}; take the number from the address of a record's page, or ask for org/repo@branch."
        ),
        RecordRef::CurrentOf(repository, branch) => format!(
            "The repository {} has no current record on the branch {}; check both names, or ask for the number of a record.",
            name(&repository.to_string()),
            name(branch.as_str())
        ),
    })
}
