//! Files whose paths are read later: files by the ids in a report's table, which may come before or after its references, and
//! files of JSON, whose keys may come in any order.

use std::collections::HashMap;

use super::{FileId, Files, NO_FILE};

/// The bytes of an id, including free slots of the map.
const ID_BYTES: usize = 48;

impl Files {
    /// Enters the file with this id, even if its path is not known yet. Without an id, the file is unknown.
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

    /// Sets the path of the file with this id. If the table defines an id again, the new path applies from there on.
    pub(crate) fn name_id(&mut self, id: u64, path: &str) {
        if path.is_empty() {
            return;
        }
        let mut file = self.by_id.get(&id).copied();
        self.name_current(&mut file, Some(path));
        self.keep(id, self.current);
    }

    /// Starts another table, in which the same ids mean other files.
    pub(crate) fn forget_ids(&mut self) {
        self.memory += self.by_id.len() * ID_BYTES;
        // A cleared map would keep its size, and each later clearing would take as long.
        self.by_id = HashMap::new();
    }

    /// Enters a new file before its path is read, unless `file` is already known.
    pub(crate) fn enter_new(&mut self, file: &mut Option<FileId>) {
        file.get_or_insert_with(|| self.enter_unnamed());
    }

    /// Enters the file at `path`, or sets the path of an unnamed file.
    pub(crate) fn name_current(&mut self, file: &mut Option<FileId>, path: Option<&str>) {
        let path = path.unwrap_or_default();
        *file = Some(match *file {
            None => self.enter(path),
            Some(unnamed) => self.name(unnamed, path),
        });
    }

    fn keep(&mut self, id: u64, file: FileId) {
        if !self.overflowed && self.by_id.insert(id, file).is_none() {
            self.charge(ID_BYTES);
        }
    }
}
