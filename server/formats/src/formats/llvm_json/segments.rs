//! Hits of lines from segments: `[line, column, count, has count, starts a region, is a gap]`, in the order of the source.
//!
//! A segment extends to the next one. A line has hits if a region with a count starts on it, or if the segment that continues
//! from earlier lines has a count. Its hits are the highest of these counts. A line has no hits if it begins with the start of a
//! region without a count, which the preprocessor left out.
//!
//! Source: `LineCoverageStats` in
//! <https://github.com/llvm/llvm-project/blob/main/llvm/lib/ProfileData/Coverage/CoverageMapping.cpp>.

use crate::error::ReportError;
use crate::files::Files;
use crate::json::Json;

pub(super) fn read(json: &mut Json<'_>, files: &mut Files) -> Result<(), ReportError> {
    let mut lines = Lines::default();
    json.items_if_any(|json, _| {
        let segment = Segment::read(json)?;
        lines.add(segment, files);
        Ok(())
    })?;
    lines.finish(files);
    Ok(())
}

#[derive(Default, Clone, Copy)]
struct Segment {
    line: u32,
    count: u64,
    has_count: bool,
    is_entry: bool,
    is_gap: bool,
}

impl Segment {
    fn read(json: &mut Json<'_>) -> Result<Self, ReportError> {
        let mut segment = Self::default();
        json.items_if_any(|json, at| {
            match at {
                0 => segment.line = json.integer()?.unwrap_or(0),
                2 => segment.count = json.hits()?.unwrap_or(0),
                3 => segment.has_count = json.is_so()?,
                4 => segment.is_entry = json.is_so()?,
                // Missing before LLVM 9.
                5 => segment.is_gap = json.is_so()?,
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(segment)
    }
}

/// The line whose segments are being read.
#[derive(Default)]
struct Lines {
    line: u32,
    /// The count of the segment that continues from earlier lines, if it has one.
    wrapped: Option<u64>,
    /// The first and the last segment on this line.
    first: Option<Segment>,
    last: Segment,
    /// Whether a region with a count starts on this line, and the highest count of these regions that are not gaps.
    has_region: bool,
    highest: u64,
}

impl Lines {
    fn add(&mut self, segment: Segment, files: &mut Files) {
        if self.first.is_some() && segment.line != self.line {
            self.finish_line(files);
            if let Some(hits) = self.wrapped {
                for line in self.line + 1..segment.line {
                    if !files.with_lines() {
                        break;
                    }
                    files.hits(line, hits);
                }
            }
        }
        self.line = segment.line;
        self.first = self.first.or(Some(segment));
        self.last = segment;
        if segment.is_entry && segment.has_count {
            self.has_region = true;
            if !segment.is_gap {
                self.highest = self.highest.max(segment.count);
            }
        }
    }

    fn finish_line(&mut self, files: &mut Files) {
        let is_left_out = |first: Segment| first.is_entry && !first.has_count;
        let goes_on = self.wrapped.is_some() && !self.first.is_some_and(is_left_out);
        if self.has_region || goes_on {
            let hits = self.highest.max(self.wrapped.unwrap_or(0));
            files.hits(self.line, hits);
        }
        self.wrapped = self.last.has_count.then_some(self.last.count);
        (self.first, self.has_region, self.highest) = (None, false, 0);
    }

    fn finish(mut self, files: &mut Files) {
        if self.first.is_some() {
            self.finish_line(files);
        }
    }
}
