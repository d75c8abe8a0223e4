//! What a check comes to: findings are printed as they are found, and those that can be repaired are kept.

use super::Finding;
use serde::Serialize;
use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

/// Findings that are kept for a repair. More are found by the next run.
const MOST_KEPT: usize = 100_000;

/// From one line of progress to the next.
const PAUSE: Duration = Duration::from_millis(500);

/// What was found so far, and where it is printed.
pub struct Outcome<'a> {
    out: &'a mut dyn Write,
    notes: &'a mut dyn Write,
    is_json: bool,
    shows_progress: bool,
    last_progress: Instant,
    /// Records whose reports were looked for.
    pub records: u64,
    /// Of these, the reports that are there.
    pub present: u64,
    /// Reports that were read to their end.
    pub read: u64,
    /// All findings.
    pub found: u64,
    /// Those that can be repaired.
    pub repairable: Vec<Finding>,
}

#[derive(Serialize)]
struct Line<'a> {
    state: &'static str,
    #[serde(flatten)]
    finding: &'a Finding,
}

impl<'a> Outcome<'a> {
    /// Nothing so far. Findings go to `out`; progress goes to `notes`, if that is a terminal.
    pub fn new(
        out: &'a mut dyn Write,
        notes: &'a mut dyn Write,
        is_json: bool,
        shows_progress: bool,
    ) -> Self {
        Self {
            out,
            notes,
            is_json,
            shows_progress,
            last_progress: Instant::now(),
            records: 0,
            present: 0,
            read: 0,
            found: 0,
            repairable: Vec::new(),
        }
    }

    /// Something is wrong.
    pub(super) fn found(&mut self, finding: Finding) -> io::Result<()> {
        self.print("found", &finding)?;
        self.found += 1;
        if finding.repair.is_some() && self.repairable.len() < MOST_KEPT {
            self.repairable.push(finding);
        }
        Ok(())
    }

    /// It was repaired.
    pub(super) fn repaired(&mut self, finding: &Finding) -> io::Result<()> {
        self.print("repaired", finding)
    }

    /// A line for people, after the last progress.
    ///
    /// # Errors
    ///
    /// When it cannot be printed.
    pub fn note(&mut self, text: &str) -> io::Result<()> {
        self.clear()?;
        writeln!(self.notes, "{text}")
    }

    /// Where notes go, for a question.
    pub fn notes(&mut self) -> &mut dyn Write {
        &mut *self.notes
    }

    /// How far it is, now and then.
    pub(super) fn progress(&mut self, text: impl FnOnce() -> String) -> io::Result<()> {
        if self.shows_progress && self.last_progress.elapsed() >= PAUSE {
            self.last_progress = Instant::now();
            write!(self.notes, "\r\x1b[K{}", text())?;
            self.notes.flush()?;
        }
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        if self.shows_progress {
            write!(self.notes, "\r\x1b[K")?;
            self.notes.flush()?;
        }
        Ok(())
    }

    fn print(&mut self, state: &'static str, finding: &Finding) -> io::Result<()> {
        self.clear()?;
        if self.is_json {
            serde_json::to_writer(&mut *self.out, &Line { state, finding })?;
            return self.out.write_all(b"\n");
        }
        writeln!(self.out, "{state}\t{finding}")
    }
}
