//! Finds authors whose names contain the words of a search.

use super::compared::{Names, all_names};
use crate::{
    Reader, StoreError,
    sql::{ScopedText, readable_record},
};
use domain::CommitAuthor;

pub(crate) const AUTHORS: &str = all_names!("records", "commit_author");

const NAMES: Names = Names {
    all: AUTHORS,
    readable: ScopedText::new(concat!(
        "select distinct r.commit_author from records r where ",
        readable_record!("r"),
        " order by r.commit_author limit $1"
    )),
};

impl Reader {
    /// Returns at most 10 authors whose names contain the words of `text`, the best first.
    pub async fn authors_found(&self, text: &str) -> Result<Vec<CommitAuthor>, StoreError> {
        let found = self.names_found(&NAMES, text).await?.into_iter();
        Ok(found
            .map(CommitAuthor::try_from)
            .collect::<Result<_, _>>()?)
    }
}
