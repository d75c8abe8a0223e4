//! The statements of one file: their positions and their hits, in two maps by their ids.

use std::collections::BTreeMap;

use super::id;
use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::Files;
use crate::json::Json;

#[derive(Default)]
pub(super) struct Statements(BTreeMap<u64, Statement>);

#[derive(Default)]
struct Statement {
    line: Option<u32>,
    hits: Option<u64>,
}

/// The bytes of a statement in the map, including unused space in its nodes.
const STATEMENT_BYTES: usize = 64;

impl Statements {
    /// Reads `{"0": {"start": {"line": 1, …}, …}, …}`.
    pub(super) fn read_map(
        &mut self,
        json: &mut Json<'_>,
        files: &mut Files,
    ) -> Result<(), ReportError> {
        json.members(|json| {
            let id = id(json.key());
            json.members(|json| match json.key() {
                "start" => json.members(|json| match json.key() {
                    "line" => {
                        let line = json.integer()?;
                        self.update(id, files, |statement| statement.line = line);
                        Ok(())
                    }
                    _ => json.skip(),
                }),
                _ => json.skip(),
            })
        })
    }

    /// Reads `{"0": 1, …}`.
    pub(super) fn read_hits(
        &mut self,
        json: &mut Json<'_>,
        files: &mut Files,
    ) -> Result<(), ReportError> {
        json.members(|json| {
            let id = id(json.key());
            let hits = json.hits()?;
            self.update(id, files, |statement| statement.hits = hits);
            Ok(())
        })
    }

    /// If the memory is not enough, the report has too many files anyway.
    fn update(&mut self, id: u64, files: &mut Files, update: impl FnOnce(&mut Statement)) {
        let mut is_kept = true;
        let statement = self.0.entry(id).or_insert_with(|| {
            is_kept = files.take_memory(STATEMENT_BYTES);
            Statement::default()
        });
        update(statement);
        if !is_kept {
            self.0.clear();
        }
    }

    /// Adds the lines of the statements. A statement that is in only one of the maps does not count, as in istanbul.
    pub(super) fn finish(self, files: &mut Files) {
        files.give_back_memory(self.0.len() * STATEMENT_BYTES);
        let mut count = Count::ZERO;
        for Statement { line, hits } in self.0.into_values() {
            let Some(hits) = hits else { continue };
            count = count.plus(Count::one(hits > 0));
            if let Some(line) = line {
                files.line(line, hits);
            }
        }
        files.add(Counter::Statement, count.non_empty());
    }
}
