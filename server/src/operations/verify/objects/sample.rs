//! Chooses the reports that are read to their end.

use rand::RngExt;
use store::PointedReport;

/// With [`Contents::All`], the number of reports collected before they are read.
const BATCH_REPORTS: usize = 500;

/// How many reports are read to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    Sample(usize),
    All,
}

/// The chosen reports that are not read yet.
pub(super) struct Sample {
    contents: Contents,
    chosen: Vec<PointedReport>,
    offered: usize,
}

impl Sample {
    pub(super) fn new(contents: Contents) -> Self {
        Self {
            contents,
            chosen: Vec::new(),
            offered: 0,
        }
    }

    /// Offers a report. All offered reports have the same probability of being chosen.
    pub(super) fn offer(&mut self, report: PointedReport) {
        self.offered += 1;
        match self.contents {
            Contents::Sample(size) if self.chosen.len() >= size => {
                let index = rand::rng().random_range(0..self.offered);
                if let Some(chosen) = self.chosen.get_mut(index) {
                    *chosen = report;
                }
            }
            _ => self.chosen.push(report),
        }
    }

    /// Whether the chosen reports should be read before more are offered.
    pub(super) fn is_full(&self) -> bool {
        self.contents == Contents::All && self.chosen.len() >= BATCH_REPORTS
    }

    pub(super) fn take(&mut self) -> Vec<PointedReport> {
        std::mem::take(&mut self.chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_all_means_all() {
        let chosen = |contents, offered: i64| {
            let mut sample = Sample::new(contents);
            for record_id in 0..offered {
                let key = record_id.to_string();
                sample.offer(PointedReport { record_id, key });
            }
            sample.take().len()
        };
        assert_eq!(chosen(Contents::Sample(10), 1_000), 10);
        assert_eq!(chosen(Contents::Sample(10), 3), 3);
        assert_eq!(chosen(Contents::Sample(0), 3), 0);
        assert_eq!(chosen(Contents::All, 1_000), 1_000);
    }
}
