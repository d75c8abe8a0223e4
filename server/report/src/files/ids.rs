//! Files by the numbers that a report gives them, in a table that may stand before or after what refers to it.

use std::collections::HashMap;

use super::{FileId, Files, NO_FILE};

/// What a number costs, free slots of the map included.
const ID_BYTES: usize = 48;

impl Files {
    /// What is added from here on is of the file with this number, whether its path is known already or not;
    /// without a number, of no file that is known.
    #[inline]
    pub(crate) fn enter_id(&mut self, id: Option<u64>) {
        let Some(id) = id else {
            self.current = NO_FILE;
            return;
        };
        match self.by_id.get(&id) {
            Some(&file) => self.go_to(file),
            None => {
                let file = self.enter_unnamed();
                self.keep(id, file);
            }
        }
    }

    /// The file with this number has this path. Where the table names a number anew, so it is from here on.
    pub(crate) fn name_id(&mut self, id: u64, path: &str) {
        if path.is_empty() {
            return;
        }
        let unnamed = self.by_id.get(&id).copied();
        let unnamed = unnamed.filter(|file| self.entries[file.0].path.is_empty());
        let file = match unnamed {
            Some(file) => self.name(file, path),
            None => self.enter(path),
        };
        self.keep(id, file);
    }

    /// Another table begins, in which the same numbers are other files.
    pub(crate) fn forget_ids(&mut self) {
        self.memory += self.by_id.len() * ID_BYTES;
        // Cleared, it would keep its size, and clearing it again would cost as much.
        self.by_id = HashMap::new();
    }

    fn keep(&mut self, id: u64, file: FileId) {
        if !self.overflowed && self.by_id.insert(id, file).is_none() {
            self.charge(ID_BYTES);
        }
    }
}
