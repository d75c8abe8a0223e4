//! The result of a check: prints each finding at once, and keeps the repairable ones.

use super::Finding;
use serde::Serialize;
use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

/// The most findings kept for a repair. The next run finds the others.
const MAX_REPAIRABLE: usize = 100_000;

/// The time between two lines of progress.
const PAUSE: Duration = Duration::from_millis(500);

/// The findings so far, and where they are printed.
pub(crate) struct Outcome<'a> {
    out: &'a mut dyn Write,
    notes: &'a mut dyn Write,
    is_json: bool,
    shows_progress: bool,
    last_progress: Instant,
    /// Records whose reports were checked.
    pub records: u64,
    /// Of these, the reports that exist.
    pub present: u64,
    /// Reports that were read to their end.
    pub read: u64,
    pub found: u64,
    pub repairable: Vec<Finding>,
}

#[derive(Serialize)]
struct Line<'a> {
    state: &'static str,
    #[serde(flatten)]
    finding: &'a Finding,
}

impl<'a> Outcome<'a> {
    /// An empty result. Findings go to `out`; progress goes to `notes`, if that is a terminal.
    pub(crate) fn new(
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

    pub(super) fn found(&mut self, finding: Finding) -> io::Result<()> {
        self.print("found", &finding)?;
        self.found += 1;
        if finding.repair.is_some() && self.repairable.len() < MAX_REPAIRABLE {
            self.repairable.push(finding);
        }
        Ok(())
    }

    pub(super) fn repaired(&mut self, finding: &Finding) -> io::Result<()> {
        self.print("repaired", finding)
    }

    /// Prints a line for people, after clearing the progress.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        self.clear()?;
        writeln!(self.notes, "{text}")
    }

    pub(crate) fn notes(&mut self) -> &mut dyn Write {
        &mut *self.notes
    }

    /// Prints the progress, limited in frequency.
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
