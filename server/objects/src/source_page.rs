//! Finds the page that a coverage tool wrote for a source file, by the names of pages.

mod naming;
#[cfg(test)]
mod tests;

use super::{ReportObject, ReportsError, index::for_each_entry};
use naming::Named;
use std::cmp::Ordering;

/// The best page so far.
#[derive(Debug)]
struct SourcePage<'a> {
    source: Named<'a>,
    /// The folder of the report's start page.
    folder: &'a str,
    start_page: &'a str,
    /// `None` if two pages have the most evidence.
    best: Option<String>,
    evidence: usize,
}

impl<'a> SourcePage<'a> {
    fn new(path: &'a str, start_page: &'a str) -> Self {
        let folder = start_page.rfind('/').map_or("", |end| &start_page[..=end]);
        Self {
            source: Named::new(path),
            folder,
            start_page,
            best: None,
            evidence: 0,
        }
    }

    fn see(&mut self, entry: &str) {
        let Some(page) = entry.strip_prefix(self.folder) else {
            return;
        };
        let Some((page, "html" | "htm")) = page.rsplit_once('.') else {
            return;
        };
        if entry == self.start_page {
            return;
        }
        let evidence = self.source.evidence(page);
        match evidence.cmp(&self.evidence) {
            Ordering::Greater => (self.best, self.evidence) = (Some(entry.to_owned()), evidence),
            Ordering::Equal => self.best = None,
            Ordering::Less => {}
        }
    }
}

impl ReportObject {
    /// Returns the path of the page for the source file `path`, if the names of pages identify it. Blocks.
    pub fn page_of(&self, path: &str, start_page: &str) -> Result<Option<String>, ReportsError> {
        let mut page = SourcePage::new(path, start_page);
        for_each_entry(&self.contents, |entry, _| {
            if let Ok(entry) = std::str::from_utf8(entry) {
                page.see(entry);
            }
        })?;
        Ok(page.best)
    }
}
