//! Some of the files of a record, and another count in place of their lines.

use super::{DecodeError, FileCounts, FilesEncoder, StoredFiles};
use domain::Metric;

impl StoredFiles {
    /// The files that `is_in` names. Their lines are what `metric` counts.
    pub(crate) fn selected(
        self,
        metric: Metric,
        is_in: impl Fn(&str) -> bool,
    ) -> Result<Self, DecodeError> {
        if self.encoded.is_none() {
            return Ok(self);
        }
        let mut encoder = FilesEncoder::new();
        let mut added = Ok(());
        self.each(|path, counts| {
            if added.is_ok() && is_in(path) {
                let counts = match metric {
                    Metric::Lines => counts,
                    _ => FileCounts {
                        lines: counts.of(metric),
                        ..FileCounts::default()
                    },
                };
                added = encoder.add(path, counts);
            }
        })?;
        // They are fewer than the stored ones, so they are not too many.
        let written = added.and_then(|()| encoder.finish());
        let (count, encoded) = written.map_or((0, None), |(count, encoded)| (count, Some(encoded)));
        Ok(Self {
            counter: match metric {
                Metric::Branches => "branch".to_owned(),
                Metric::Functions => "function".to_owned(),
                Metric::Lines | Metric::New => self.counter,
            },
            root: self.root,
            count,
            encoded,
        })
    }

    /// The sum of all files; `None` if they are not listed.
    pub(crate) fn sum(&self) -> Result<Option<FileCounts>, DecodeError> {
        let mut sum = FileCounts::default();
        self.each(|_, counts| sum = sum.plus(counts))?;
        Ok(self.encoded.is_some().then_some(sum))
    }
}
