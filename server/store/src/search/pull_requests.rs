//! Finds pull requests by their number, in repositories with the other words of a search in their names.

use super::{FoundPullRequest, MOST_FOUND};
use crate::{
    Reader, StoreError,
    sql::{ScopedText, readable},
};
use domain::{PullRequest, Typos, Words, folded};
use std::collections::HashSet;

/// The maximum number of records to read, the newest ones.
const MOST_READ: i64 = 500;

macro_rules! pull_requests {
    ($filter:literal) => {
        ScopedText::new(concat!(
            "select p.org_name, p.repo_name, c.pull_request from record_changes c
             join records r on r.id = c.record_id
             join repositories p on p.id = r.repository_id
             where c.pull_request = $1 and ",
            $filter,
            readable!("p"),
            " order by c.record_id desc limit $2"
        ))
    };
}

pub(crate) const PULL_REQUESTS: ScopedText = pull_requests!("");
const OF_REPOSITORY: ScopedText = pull_requests!("r.repository_id = $3 and ");

impl Reader {
    pub(super) async fn pull_requests_found(
        &self,
        text: &str,
        first: Option<i64>,
    ) -> Result<Vec<FoundPullRequest>, StoreError> {
        let Some((number, words)) = number_in(text) else {
            return Ok(Vec::new());
        };
        let mut found: Vec<FoundPullRequest> = Vec::new();
        if let Some(id) = first {
            found = self.all(OF_REPOSITORY.with((&number, 1_i64, id))).await?;
        }
        let others = self.all(PULL_REQUESTS.with((&number, MOST_READ)));
        found.extend(others.await?);
        let mut known = HashSet::new();
        let has_words = |found: &FoundPullRequest| {
            let name = folded(&found.repository.to_string());
            words.is_empty() || words.rank(&name, Typos::Refused).is_some()
        };
        found.retain(|found| known.insert(found.repository.key()) && has_words(found));
        found.truncate(MOST_FOUND);
        Ok(found)
    }
}

/// The number in a search such as `#1421` or `payments 1421`, and the other words.
fn number_in(text: &str) -> Option<(PullRequest, Words)> {
    let number = |word: &str| word.strip_prefix('#').unwrap_or(word).parse().ok();
    let mut numbers = text.split_whitespace().filter_map(number);
    let found = numbers.next()?;
    let words = text.split_whitespace();
    let words: Vec<_> = words.filter(|word| number(word).is_none()).collect();
    numbers
        .next()
        .is_none()
        .then(|| (found, Words::of(&words.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::number_in;
    use domain::Words;

    #[test]
    fn a_search_has_at_most_one_number() {
        for (text, words) in [("#1421", ""), ("pay 1421", "pay"), (" #1421  a b", "a b")] {
            let number = "1421".parse().expect("a number");
            assert_eq!(number_in(text), Some((number, Words::of(words))), "{text}");
        }
        for text in ["", "#", "a1421", "1 2", "##1"] {
            assert_eq!(number_in(text), None, "{text}");
        }
    }
}
