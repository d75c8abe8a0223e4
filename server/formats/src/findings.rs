//! Determines the total from the stated counts and the listed files of a report.

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::error::{ReportError, shown};
use crate::files::Files;
use crate::format::Format;
use crate::json::Json;
use crate::limits::Limits;
use crate::rate::Rate;
use crate::report::{Coverage, Report, Tool};
use crate::warning::{Warning, Warnings};

/// The longest project name that is kept: the longest name of a folder on Linux (`NAME_MAX`).
const MAX_NAME_BYTES: usize = 255;

/// The results of a format's reader, before the total is chosen.
#[derive(Debug)]
pub(crate) struct Findings {
    /// The counts that the report states for the whole.
    pub(crate) stated: Counters,
    /// The counters of the total, in order of preference. The first counter that the report has is used.
    pub(crate) total: &'static [Counter],
    /// The line rate that the report states for the whole, if it is a number.
    pub(crate) rate: Option<Rate>,
    /// Whether the files and the total count the same things. If so, a difference adds a warning.
    pub(crate) is_comparable: bool,
    pub(crate) files: Files,
    pub(crate) tool: Tool,
    pub(crate) sources: Vec<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) project: Option<String>,
    pub(crate) warnings: Warnings,
}

impl Findings {
    pub(crate) fn new(limits: &Limits, with_lines: bool) -> Self {
        Self {
            stated: Counters::default(),
            total: &[Counter::Line],
            rate: None,
            is_comparable: true,
            files: Files::new(limits, with_lines),
            tool: Tool::default(),
            sources: Vec::new(),
            groups: Vec::new(),
            project: None,
            warnings: Warnings::default(),
        }
    }

    pub(crate) fn read_version(&mut self, json: &mut Json<'_>) -> Result<(), ReportError> {
        self.tool.version = json.string()?.map(str::to_owned);
        Ok(())
    }

    /// Reads an object with the counts of the whole report, each with a `covered` number and a total.
    pub(crate) fn read_totals(
        &mut self,
        json: &mut Json<'_>,
        total: &'static str,
    ) -> Result<(), ReportError> {
        self.stated
            .add_all(&json.counters(total, &mut self.warnings)?);
        Ok(())
    }

    /// Chooses the total, for all formats: counts stated for the whole, then a rate stated for the whole,
    /// then the sum of the files. `None` if the report states neither counts nor a rate, and has too many files.
    pub(crate) fn settle(mut self, format: Format) -> Option<Report> {
        let summed = self.files.sum();
        let total = self.coverage(summed.as_ref())?;
        self.compare(total, summed.as_ref());
        if self.files.overflowed {
            self.warnings.push(Warning::TooManyFiles);
        } else if self.files.dropped_lines {
            self.warnings.push(Warning::TooManyLines);
        } else if self.files.dropped_tests {
            self.warnings.push(Warning::TooManyTests);
        }
        let mut counters = summed.unwrap_or_default();
        for (counter, stated) in self.stated.iter() {
            // If the report states a total of 0 but its files list something, the sum of the files is used.
            if stated.total() > 0 || counters.get(counter).is_none() {
                counters.set(counter, stated);
            }
        }
        let tests = self.files.take_test_names();
        Some(Report {
            format,
            tool: Tool {
                name: self.tool.name.map(|name| shown(name.as_bytes())),
                version: self.tool.version.map(|version| shown(version.as_bytes())),
            },
            total,
            counters: counters.non_empty(),
            files: self.files.into_vec(),
            tests,
            sources: self.sources,
            groups: self.groups,
            project: self
                .project
                .filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len())),
            warnings: self.warnings.into_vec(),
        })
    }

    /// The first count of the total that is in `counters` and has at least this total.
    fn total_in(&self, counters: &Counters, least: u64) -> Option<(Count, Counter)> {
        self.total.iter().find_map(|&counter| {
            let count = counters.get(counter)?;
            (count.total() >= least).then_some((count, counter))
        })
    }

    fn coverage(&mut self, summed: Option<&Counters>) -> Option<Coverage> {
        let stated = self.total_in(&self.stated, 0);
        let listed = summed.map(|summed| self.total_in(summed, 1));
        // Tools state the rate of 0 of 0 as 1 or 0. If something is listed, such a rate is not the total.
        let is_of_nothing = |rate: Rate| matches!(rate.basis_points(), 0 | 10_000);
        match (stated, listed, self.rate) {
            (Some((count, counter)), ..) if count.total() > 0 => {
                Some(Coverage::Counts(count, counter))
            }
            (Some(_), Some(Some((count, counter))), Some(rate)) if is_of_nothing(rate) => {
                self.rate = None;
                Some(Coverage::Counts(count, counter))
            }
            (Some(_), Some(None), rate) => Some(Coverage::Empty { rate }),
            (_, _, Some(rate)) => Some(Coverage::Rate(rate)),
            (_, Some(Some((count, counter))), None) => Some(Coverage::Counts(count, counter)),
            (_, Some(None), None) => Some(Coverage::Empty { rate: None }),
            (_, None, None) => None,
        }
    }

    /// Adds warnings if the report contradicts itself.
    fn compare(&mut self, total: Coverage, summed: Option<&Counters>) {
        const ONE_POINT: u16 = 100;
        let stated = total.basis_points();
        let counter = match total {
            Coverage::Counts(count, counter) => {
                let rate = self.rate.map(Rate::basis_points);
                if let Some(rate) = rate.filter(|rate| rate.abs_diff(stated) > ONE_POINT) {
                    let stated = count;
                    self.warnings
                        .push(Warning::RateDisagreement { rate, stated });
                }
                counter
            }
            Coverage::Rate(_) => Counter::Line,
            Coverage::Empty { .. } => return,
        };
        // Files seldom have counts of statements, so statements are compared with lines.
        let nearest = match counter {
            Counter::Statement => Counter::Line,
            counter => counter,
        };
        let known = |counter| summed.and_then(|summed| summed.get(counter));
        let counted = known(counter).or(known(nearest)).and_then(Count::non_empty);
        if let Some(counted) = counted.filter(|_| self.is_comparable)
            && stated.abs_diff(counted.basis_points()) > ONE_POINT
        {
            self.warnings.push(Warning::Disagreement {
                stated,
                counted,
                counter,
            });
        }
    }
}

#[cfg(test)]
mod tests;
