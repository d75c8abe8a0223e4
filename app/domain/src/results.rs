//! The results of a record, or of a job whose coverage is not uploaded: in one line, and as Markdown. Names and paths in Markdown
//! are escaped: they are only text.

use crate::{
    ChangedLines, Gate, LineRange, LostLines, Percentage, Verdict,
    line_range::length,
    lines_in_words,
    text::{counted, listed, markdown},
};
use std::{cmp::Reverse, collections::BTreeMap};

/// The maximum number of files in a table.
const FILES: usize = 20;

/// The results of a record or a job.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    /// The coverage; `None` if the number of lines is not known.
    pub percentage: Option<Percentage>,
    /// The change since the base, in parentheses after a space; often empty.
    pub delta: String,
    /// The changed lines, if they are known.
    pub changed: Option<&'a ChangedLines>,
    /// The lost lines, if they are known.
    pub lost: Option<&'a LostLines>,
    /// Whether the changes were stated, but the lost lines are unknown.
    pub lacks_lost_lines: bool,
    /// The verdict of the gate; `None` if no rule is set.
    pub gate: Option<&'a Gate>,
}

#[derive(Default)]
struct Row {
    covered: u64,
    coverable: u64,
    lost: u64,
}

impl Results<'_> {
    /// The coverage, the changed lines as a text, and whether lost lines are unknown.
    fn phrases(&self, coverage: String, changed: impl Fn(&ChangedLines) -> String) -> Vec<String> {
        let changed = self.changed.map(changed);
        let lost = self.lacks_lost_lines.then(|| "lost: unknown".to_owned());
        let coverage = Some(coverage + &self.delta);
        [coverage, changed, lost].into_iter().flatten().collect()
    }

    fn total(&self) -> String {
        let percentage = self.percentage.map(|percentage| format!("{percentage} %"));
        percentage.unwrap_or_else(|| "the number of lines is not known".to_owned())
    }

    /// The coverage, its change and the changed lines, in one line.
    pub fn line(&self) -> String {
        let phrases = self.phrases(self.total(), ChangedLines::sentence);
        phrases.join(", ")
    }

    /// [`Self::line`] as Markdown, with the language, if there are several.
    pub fn headline(&self, language: Option<&str>) -> String {
        let coverage = match language.map(markdown::text) {
            Some(language) => format!("**Coverage of {language}: {}**", self.total()),
            None => format!("**Coverage {}**", self.total()),
        };
        let phrases = self.phrases(coverage, |changed| match changed.coverable {
            0 => markdown::text(&changed.sentence()),
            coverable => {
                let (covered, unknown) = (changed.covered, changed.unknown_in_words());
                format!("changed lines **{covered} of {coverable}**{unknown}")
            }
        });
        phrases.join(" · ")
    }

    /// The verdict of the gate, its reasons and the skipped rules, as Markdown.
    pub fn verdict(&self) -> Option<String> {
        let gate = self.gate?;
        let joined = |all: &[String]| {
            let all: Vec<_> = all.iter().map(|one| markdown::text(one)).collect();
            all.join("; ")
        };
        let reasons = joined(&gate.reasons);
        let verdict = match gate.verdict {
            Verdict::Failed => format!("❌ **Gate failed**: {reasons}"),
            Verdict::Passed if gate.reasons.is_empty() => "✅ Gate passed".to_owned(),
            Verdict::Passed => format!("✅ Gate passed, {reasons}"),
            Verdict::Incomplete => format!("⏳ Gate incomplete: {reasons}"),
            Verdict::Unknown => format!("❔ **Gate unknown**: {reasons}"),
        };
        Some(match gate.skipped_beside() {
            [] => verdict,
            skipped => format!("{verdict} (skipped {})", joined(skipped)),
        })
    }

    /// The changed lines that are not covered, as Markdown, of which at most `most` ranges are named. The files with the most lines
    /// come first. `link` makes a link of a text, to lines of a file.
    pub fn missed(
        &self,
        most: usize,
        link: impl Fn(String, &str, Option<LineRange>) -> String,
    ) -> Option<String> {
        let changed = self.changed?;
        let missed = changed.coverable.checked_sub(changed.covered);
        let lines = missed.filter(|lines| *lines > 0)?;
        let mut files: Vec<_> = changed.files.iter().collect();
        files.sort_by_key(|file| Reverse(file.missed_lines()));
        let ranges = files.into_iter().flat_map(|file| {
            let ranges = file.not_covered().into_iter();
            ranges.map(move |range| (&file.path, range))
        });
        let named = listed(ranges, most, |(path, range)| {
            let text = format!("{} {}", markdown::code(path), lines_in_words(range));
            link(text, path, Some(range))
        });
        let are = if lines == 1 { "line is" } else { "lines are" };
        Some(format!("{lines} changed {are} not covered: {named}"))
    }

    /// The files with changed coverable lines or with lost lines, as a table of Markdown. The files with the most missed and lost
    /// lines come first. `link` makes a link of a text, to a file.
    pub fn table(
        &self,
        link: impl Fn(String, &str, Option<LineRange>) -> String,
    ) -> Option<String> {
        let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
        let changed = self.changed.iter().flat_map(|changed| &changed.files);
        for file in changed.filter(|file| file.coverable > 0) {
            let row = rows.entry(&file.path).or_default();
            (row.covered, row.coverable) = (file.covered, file.coverable);
        }
        for (path, ranges) in self.lost.iter().flat_map(|lost| &lost.files) {
            rows.entry(path).or_default().lost = ranges.iter().copied().map(length).sum();
        }
        if rows.is_empty() {
            return None;
        }
        let count = rows.len();
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, row)| Reverse(row.coverable - row.covered + row.lost));
        let lines = rows.iter().take(FILES).map(|(path, row)| {
            let file = link(markdown::code_in_table(path), path, None);
            let lost = match self.lost {
                Some(_) => row.lost.to_string(),
                None => "unknown".to_owned(),
            };
            let changed = match row.coverable {
                0 => "–".to_owned(),
                coverable => format!("{} of {coverable}", row.covered),
            };
            format!("| {file} | {changed} | {lost} |")
        });
        let lines: Vec<_> = lines.collect();
        let others = match count.saturating_sub(FILES) {
            0 => String::new(),
            others => format!("\n\nAnd {others} more files."),
        };
        let files = counted(count as u64, "file");
        // Markdown within HTML needs the empty lines.
        Some(format!(
            "<details><summary>{files}</summary>\n\n| file | changed lines covered | lines lost |\n|---|--:|--:|\n{}{others}\n\n</details>",
            lines.join("\n")
        ))
    }
}
