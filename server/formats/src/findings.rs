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

    /// Chooses the total, for all formats: counts stated for the whole, then a rate stated for the whole,
    /// then the sum of the files. `None` if the report states neither counts nor a rate, and has too many files.
    pub(crate) fn settle(mut self, format: Format) -> Option<Report> {
        let summed = self.files.sum();
        if self.is_rate_of_nothing(summed.as_ref()) {
            self.rate = None;
        }
        let total = self.coverage(summed.as_ref())?;
        self.compare(total, summed.as_ref());
        if self.files.overflowed {
            self.warnings.push(Warning::TooManyFiles);
        } else if self.files.dropped_lines {
            self.warnings.push(Warning::TooManyLines);
        }
        let mut counters = summed.unwrap_or_default();
        for (counter, stated) in self.stated.iter() {
            // If the report states a total of 0 but its files list something, the sum of the files is used.
            if stated.total() > 0 || counters.get(counter).is_none() {
                counters.set(counter, stated);
            }
        }
        let overflowed = self.files.overflowed;
        Some(Report {
            format,
            tool: Tool {
                name: self.tool.name.map(|name| shown(name.as_bytes())),
                version: self.tool.version.map(|version| shown(version.as_bytes())),
            },
            total,
            counters: counters.non_empty(),
            files: if overflowed {
                Vec::new()
            } else {
                self.files.into_vec()
            },
            sources: self.sources,
            groups: self.groups,
            project: self
                .project
                .filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len())),
            warnings: self.warnings.into_vec(),
        })
    }

    /// Whether the report states 0 of 0 and a rate of 0 or 1, but its files list something to cover. Such a rate is ignored.
    fn is_rate_of_nothing(&self, summed: Option<&Counters>) -> bool {
        self.stated_total()
            .is_some_and(|(count, _)| count.total() == 0)
            && summed.is_some_and(|summed| self.listed_total(summed).is_some())
            && self
                .rate
                .is_some_and(|rate| matches!(rate.basis_points(), 0 | 10_000))
    }

    fn stated_total(&self) -> Option<(Count, Counter)> {
        let mut counters = self.total.iter();
        counters.find_map(|&counter| Some((self.stated.get(counter)?, counter)))
    }

    /// The sum of the files, if they have anything to cover.
    fn listed_total(&self, summed: &Counters) -> Option<(Count, Counter)> {
        let mut counters = self.total.iter();
        counters.find_map(|&counter| Some((summed.get(counter)?.non_empty()?, counter)))
    }

    fn coverage(&self, summed: Option<&Counters>) -> Option<Coverage> {
        let stated = self.stated_total();
        if let Some((count, counter)) = stated
            && count.total() > 0
        {
            return Some(Coverage::Counts(count, counter));
        }
        let listed = summed.map(|summed| self.listed_total(summed));
        if let Some(rate) = self.rate {
            let is_empty = stated.is_some() && listed == Some(None);
            return Some(if is_empty {
                Coverage::Empty { rate: Some(rate) }
            } else {
                Coverage::Rate(rate)
            });
        }
        Some(match listed? {
            Some((count, counter)) => Coverage::Counts(count, counter),
            None => Coverage::Empty { rate: None },
        })
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
