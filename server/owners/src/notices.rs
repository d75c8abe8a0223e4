//! Sentences about lines that are malformed.

use std::fmt::Display;

/// How many lines are named.
const NAMED: usize = 5;

#[derive(Debug, Default)]
pub(crate) struct Notices {
    sentences: Vec<String>,
    more: usize,
}

impl Notices {
    pub(crate) fn skipped(&mut self, line: usize, why: &dyn Display) {
        self.add(&|| format!("Line {line} of CODEOWNERS is ignored: {why}."));
    }

    pub(crate) fn left_out(&mut self, line: usize, word: &str) {
        self.add(&|| format!("In line {line} of CODEOWNERS, {word} is not an owner."));
    }

    fn add(&mut self, sentence: &dyn Fn() -> String) {
        match self.sentences.len() < NAMED {
            true => self.sentences.push(sentence()),
            false => self.more += 1,
        }
    }

    pub(crate) fn finish(mut self) -> Vec<String> {
        match self.more {
            0 => {}
            1 => self
                .sentences
                .push("1 more line of CODEOWNERS has a problem.".into()),
            more => self
                .sentences
                .push(format!("{more} more lines of CODEOWNERS have problems.")),
        }
        self.sentences
    }
}
