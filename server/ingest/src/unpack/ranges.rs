//! The byte ranges of a zip that entries have claimed: no two entries may share bytes.

use std::collections::BTreeMap;

/// Ranges that do not overlap, by their start. Adjacent ranges are merged, so a normal archive ends up as a single range.
#[derive(Debug, Default)]
pub(super) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Claims `start..end`. Returns `false` if a part of it is already claimed.
    pub(super) fn claim(&mut self, start: u64, end: u64) -> bool {
        let before = self.0.range(..=start).next_back().map(|(&s, &e)| (s, e));
        let after = self.0.range(start..).next().map(|(&s, &e)| (s, e));
        let overlaps = before.is_some_and(|(_, before_end)| before_end > start)
            || after.is_some_and(|(after_start, _)| after_start < end);
        if overlaps {
            return false;
        }
        let start = match before {
            Some((before_start, before_end)) if before_end == start => before_start,
            _ => start,
        };
        let end = match after {
            Some((after_start, after_end)) if after_start == end => {
                self.0.remove(&after_start);
                after_end
            }
            _ => end,
        };
        self.0.insert(start, end);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_can_be_claimed_once() {
        let mut ranges = Ranges::default();
        assert!(ranges.claim(10, 20));
        assert!(ranges.claim(30, 40));
        for (start, end) in [
            (10, 20),
            (9, 11),
            (19, 21),
            (12, 13),
            (0, 50),
            (35, 36),
            (30, 31),
        ] {
            assert!(!ranges.claim(start, end), "{start}..{end}");
        }
        assert!(ranges.claim(20, 30), "the gap between them");
        assert_eq!(ranges.0.len(), 1, "adjacent ranges are merged");
        assert!(ranges.claim(0, 10) && ranges.claim(40, 50));
        assert_eq!(ranges.0.into_iter().collect::<Vec<_>>(), [(0, 50)]);
    }
}
