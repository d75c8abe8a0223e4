//! The branches of one file: their lines and whether they were taken, in two maps by the ids of their conditions. Their names
//! equal the names in the LCOV reports of the same tools.

use std::collections::BTreeMap;

use super::super::lcov::numbered;
use super::id;
use crate::error::ReportError;
use crate::files::Files;
use crate::json::Json;

#[derive(Default)]
pub(super) struct Branches {
    conditions: BTreeMap<u64, Condition>,
    /// The reserved bytes of memory.
    memory: usize,
}

#[derive(Default)]
struct Condition {
    line: Option<u32>,
    are_taken: Vec<bool>,
}

/// The bytes of a condition in the map, including unused space in its nodes.
const CONDITION_BYTES: usize = 96;

impl Branches {
    /// Reads `{"0": {"loc": {"start": {"line": 1, …}, …}, "line": 1, …}, …}`. The line is in one of the two places.
    pub(super) fn read_map(
        &mut self,
        json: &mut Json<'_>,
        files: &mut Files,
    ) -> Result<(), ReportError> {
        json.members(|json| {
            let id = id(json.key());
            let (mut start, mut line) = (None, None);
            json.members(|json| match json.key() {
                "loc" => json.members(|json| match json.key() {
                    "start" => json.members(|json| match json.key() {
                        "line" => {
                            start = json.integer()?;
                            Ok(())
                        }
                        _ => json.skip(),
                    }),
                    _ => json.skip(),
                }),
                "line" => {
                    line = json.integer()?;
                    Ok(())
                }
                _ => json.skip(),
            })?;
            if let Some(condition) = self.condition(id, files) {
                condition.line = start.or(line);
            }
            Ok(())
        })
    }

    /// Adds the next branch of a condition.
    pub(super) fn add(&mut self, id: u64, is_taken: bool, files: &mut Files) {
        if !files.with_lines() || !files.take_memory(2) {
            return;
        }
        self.memory += 2;
        if let Some(condition) = self.condition(id, files) {
            condition.are_taken.push(is_taken);
        }
    }

    /// `None` if the memory is not enough. Then the report has too many files anyway.
    fn condition(&mut self, id: u64, files: &mut Files) -> Option<&mut Condition> {
        if !self.conditions.contains_key(&id) {
            if !files.take_memory(CONDITION_BYTES) {
                self.conditions.clear();
                return None;
            }
            self.memory += CONDITION_BYTES;
        }
        Some(self.conditions.entry(id).or_default())
    }

    /// Adds the branches to the lines of the file.
    pub(super) fn finish(self, files: &mut Files) {
        files.give_back_memory(self.memory);
        for (id, condition) in self.conditions {
            let Some(line) = condition.line else { continue };
            let block = u32::try_from(id).unwrap_or(u32::MAX);
            for (branch, is_taken) in (0..).zip(condition.are_taken) {
                files.branch_on(line, numbered(block, branch), is_taken);
            }
        }
    }
}
