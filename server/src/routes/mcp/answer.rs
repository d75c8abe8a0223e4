//! An answer of a tool: text of bounded size, cut between items; or its refusal.

use crate::http::error::ApiError;
use store::StoreError;

/// The most bytes of the text as JSON has it, so that the whole answer stays below 2,000 bytes.
pub(super) const MAX_BYTES: usize = 1_800;

/// Lines of text, and a last line that always has room.
pub(super) struct Answer {
    text: String,
    end: String,
}

impl Answer {
    pub(super) fn ending_with(end: String) -> Self {
        Self {
            text: String::new(),
            end,
        }
    }

    /// The bytes that a further line may have.
    pub(super) fn room(&self) -> usize {
        let taken = size(&self.text) + size(&self.end) + NEW_LINE;
        MAX_BYTES.saturating_sub(taken)
    }

    /// Adds a line, if it has room.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let fits = size(line) <= self.room();
        if fits {
            self.text.push_str(line);
            self.text.push('\n');
        }
        fits
    }

    /// Adds items, one per line, as many as fit. If some of the `total` items do not fit, adds the line `more` with their number.
    pub(super) fn items(
        &mut self,
        total: usize,
        items: impl IntoIterator<Item = String>,
        more: impl Fn(usize) -> String,
    ) {
        let mut added = 0;
        for item in items {
            let is_last = added + 1 == total;
            let reserved = if is_last {
                0
            } else {
                size(&more(total)) + NEW_LINE
            };
            if size(&item) + reserved > self.room() || !self.line(&item) {
                break;
            }
            added += 1;
        }
        if added < total {
            self.line(&more(total - added));
        }
    }

    pub(super) fn finish(self) -> String {
        self.text + &self.end
    }
}

/// Cuts a sentence to the size of an answer.
pub(super) fn bounded(sentence: &str) -> String {
    if size(sentence) <= MAX_BYTES {
        return sentence.to_owned();
    }
    let mut taken = size("…");
    let fits = |char: &char| {
        taken += size(char.encode_utf8(&mut [0; 4]));
        taken <= MAX_BYTES
    };
    sentence.chars().take_while(fits).chain(['…']).collect()
}

/// The refusal of a tool: a sentence for the agent that states what to do. Names in it are delimited.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) String);

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self(ApiError::from(error).detail)
    }
}

/// A line break in JSON.
const NEW_LINE: usize = 2;

/// The bytes of a text in JSON.
pub(super) fn size(text: &str) -> usize {
    serde_json::to_string(text).map_or(0, |json| json.len() - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_json(text: &str) -> usize {
        serde_json::to_string(text).expect("JSON").len() - 2
    }

    #[test]
    fn the_size_is_that_in_json() {
        for text in ["", "a\"b\\c\nd\u{1}\u{7f}ü日…\t"] {
            assert!(in_json(text) <= size(text) && size(text) <= in_json(text) + 5);
        }
    }

    #[test]
    fn a_long_sentence_is_cut_between_characters() {
        for text in ["\"".repeat(5_000), "ü".repeat(5_000), "日\n".repeat(5_000)] {
            let cut = bounded(&text);
            assert!(in_json(&cut) <= MAX_BYTES && in_json(&cut) > MAX_BYTES - 8);
            assert!(cut.ends_with('…') && text.starts_with(cut.trim_end_matches('…')));
        }
        assert_eq!(bounded("short"), "short");
    }

    #[test]
    fn items_are_cut_as_a_whole_and_the_others_are_counted() {
        for length in [1, 10, 99, 600, 1_700, 5_000] {
            let mut answer = Answer::ending_with("the end".to_owned());
            answer.line("first");
            let item = |number: usize| format!("{number}: {}", "\"".repeat(length));
            answer.items(10_000, (0..10_000).map(item), |more| {
                format!("and {more} more")
            });
            let text = answer.finish();
            assert!(in_json(&text) <= MAX_BYTES, "{length}");
            let lines: Vec<_> = text.lines().collect();
            let shown = lines.len() - 3;
            let more = format!("and {} more", 10_000 - shown);
            assert_eq!(lines[lines.len() - 2..], [more.as_str(), "the end"]);
            if shown > 0 {
                assert_eq!(lines[shown], item(shown - 1));
            }
        }
        let mut answer = Answer::ending_with(String::new());
        answer.items(2, ["a".to_owned(), "b".to_owned()], |more| more.to_string());
        assert_eq!(answer.finish(), "a\nb\n");
    }
}
