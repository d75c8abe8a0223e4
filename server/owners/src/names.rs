//! The owners that a file names, each once.

use std::collections::HashMap;

/// Names are the same if they differ in upper and lower case only.
#[derive(Debug, Default)]
pub(crate) struct Names {
    all: Vec<String>,
    place_of: HashMap<String, u32>,
}

impl Names {
    pub(crate) fn place(&mut self, name: &str) -> u32 {
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        *self
            .place_of
            .entry(name.to_ascii_lowercase())
            .or_insert_with(|| {
                self.all.push(name.to_owned());
                place
            })
    }

    pub(crate) fn into_all(self) -> Vec<String> {
        self.all
    }
}
