//! Which reports are read to their end.

use crate::store::PointedReport;
use rand::RngExt;

/// Reports that are kept until they are read, where all are.
const AT_ONCE: usize = 500;

/// How many reports are read to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// So many, chosen at random.
    Sample(usize),
    /// Every one.
    All,
}

/// Reports that are still to be read.
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

    /// Each report that is offered is as likely as every other to be chosen, however many come.
    pub(super) fn offer(&mut self, report: PointedReport) {
        self.offered += 1;
        match self.contents {
            Contents::Sample(size) if self.chosen.len() >= size => {
                let place = rand::rng().random_range(0..self.offered);
                if let Some(chosen) = self.chosen.get_mut(place) {
                    *chosen = report;
                }
            }
            _ => self.chosen.push(report),
        }
    }

    /// Whether those that are chosen should be read before more come.
    pub(super) fn is_full(&self) -> bool {
        self.contents == Contents::All && self.chosen.len() >= AT_ONCE
    }

    /// Those that are chosen so far.
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
