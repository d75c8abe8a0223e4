//! The statements and branches of one file. The positions and the hits of each are in two maps by ids.

use std::collections::BTreeMap;

use super::super::lcov::numbered;
use super::id;
use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::Files;
use crate::json::Json;

/// The statements and branches of a file while it is read.
#[derive(Default)]
pub(super) struct Maps {
    statements: ById<Statement, 64>,
    /// The conditions, whose branches have the same names as in the LCOV reports of the same tools.
    conditions: ById<Condition, 96>,
}

#[derive(Default)]
struct Statement {
    line: Option<u32>,
    hits: Option<u64>,
}

#[derive(Default)]
struct Condition {
    line: Option<u32>,
    are_taken: Vec<bool>,
}

/// Values by their ids. Each takes `BYTES` of memory, including unused space in the nodes of the map.
#[derive(Default)]
struct ById<T, const BYTES: usize> {
    values: BTreeMap<u64, T>,
    /// The reserved bytes of memory.
    memory: usize,
}

impl<T: Default, const BYTES: usize> ById<T, BYTES> {
    /// `None` if the memory is not enough. Then the report has too many files anyway.
    fn get(&mut self, id: u64, files: &mut Files) -> Option<&mut T> {
        if !self.values.contains_key(&id) {
            if !files.take_memory(BYTES) {
                self.values.clear();
                return None;
            }
            self.memory += BYTES;
        }
        Some(self.values.entry(id).or_default())
    }
}

impl Maps {
    /// Reads `{"0": {"start": {"line": 1, …}, …}, …}`.
    pub(super) fn read_statements(
        &mut self,
        json: &mut Json<'_>,
        files: &mut Files,
    ) -> Result<(), ReportError> {
        json.members(|json| {
            let id = id(json.key());
            let line = first_line(json)?;
            if let Some(statement) = self.statements.get(id, files) {
                statement.line = line;
            }
            Ok(())
        })
    }

    /// Reads `{"0": 1, …}`, the hits of statements.
    pub(super) fn read_hits(
        &mut self,
        json: &mut Json<'_>,
        files: &mut Files,
    ) -> Result<(), ReportError> {
        json.members(|json| {
            let id = id(json.key());
            let hits = json.hits()?;
            if let Some(statement) = self.statements.get(id, files) {
                statement.hits = hits;
            }
            Ok(())
        })
    }

    /// Reads `{"0": {"loc": {"start": {"line": 1, …}, …}, "line": 1, …}, …}`. The line is in one of the two places.
    pub(super) fn read_conditions(
        &mut self,
        json: &mut Json<'_>,
        files: &mut Files,
    ) -> Result<(), ReportError> {
        json.members(|json| {
            let id = id(json.key());
            let (mut start, mut line) = (None, None);
            json.members(|json| {
                match json.key() {
                    "loc" => start = first_line(json)?,
                    "line" => line = json.integer()?,
                    _ => json.skip()?,
                }
                Ok(())
            })?;
            if let Some(condition) = self.conditions.get(id, files) {
                condition.line = start.or(line);
            }
            Ok(())
        })
    }

    pub(super) fn add_branch(&mut self, condition: u64, is_taken: bool, files: &mut Files) {
        if !files.with_lines() || !files.take_memory(2) {
            return;
        }
        self.conditions.memory += 2;
        if let Some(condition) = self.conditions.get(condition, files) {
            condition.are_taken.push(is_taken);
        }
    }

    /// Adds the lines of the statements, and the branches. A statement that is in only one of the maps does not count, as in
    /// istanbul.
    pub(super) fn finish(self, files: &mut Files) {
        files.give_back_memory(self.statements.memory);
        let mut count = Count::ZERO;
        for Statement { line, hits } in self.statements.values.into_values() {
            let Some(hits) = hits else { continue };
            count = count.plus(Count::one(hits > 0));
            if let Some(line) = line {
                files.line(line, hits);
            }
        }
        files.add(Counter::Statement, count.non_empty());
        files.give_back_memory(self.conditions.memory);
        for (id, condition) in self.conditions.values {
            let Some(line) = condition.line else { continue };
            let block = u32::try_from(id).unwrap_or(u32::MAX);
            for (branch, is_taken) in (0..).zip(condition.are_taken) {
                files.branch_on(line, numbered(block, branch), is_taken);
            }
        }
    }
}

/// Reads the line in `{"start": {"line": 1, …}, …}`.
fn first_line(json: &mut Json<'_>) -> Result<Option<u32>, ReportError> {
    let mut line = None;
    json.member("start", |json| {
        json.member("line", |json| {
            line = json.integer()?;
            Ok(())
        })
    })?;
    Ok(line)
}
