//! The results of a commit as Markdown: for the comment of a pull request, the summary of a job, and chats. Names and paths are
//! escaped: they are only text.

#[cfg(test)]
mod tests;

use domain::{
    PullRequest, RecordParts, Repository, Verdict,
    links::{self, ReportLinks},
    text::markdown::{code, text},
};
use store::RecordSummary;

/// The maximum number of languages with a section.
const SECTIONS: usize = 10;

/// The maximum number of ranges of missed changed lines that the text before the table of files names.
const NAMED_RANGES: usize = 5;

/// The targets of links from other sites.
#[derive(Clone, Debug)]
pub struct Places {
    /// The address of this service.
    pub public_url: String,
    /// The addresses of HTML reports.
    pub reports: ReportLinks,
}

impl Places {
    /// The page of a record.
    pub fn record(&self, id: i64) -> String {
        format!("{}{}", self.public_url, links::record(id))
    }

    /// The page of a pull request.
    pub fn pull_request(&self, repository: &Repository, number: &PullRequest) -> String {
        let page = links::pull_request(repository, number);
        format!("{}{page}", self.public_url)
    }

    /// The HTML report of a record.
    pub fn report(&self, id: i64) -> String {
        let link = self.reports.report(id);
        match link.starts_with('/') {
            true => format!("{}{link}", self.public_url),
            false => link,
        }
    }
}

/// One section for each record of a commit. If there are several, each names its language.
pub(crate) fn markdown(records: &[&RecordSummary], places: &Places) -> String {
    let are_several = records.len() > 1;
    let sections = records.iter().take(SECTIONS);
    let sections = sections.map(|record| section(record, are_several, places));
    let mut sections: Vec<_> = sections.collect();
    if records.len() > SECTIONS {
        let others = records.len() - SECTIONS;
        sections.push(format!("And {others} more languages."));
    }
    sections.join("\n\n")
}

/// Whether a new comment is worth writing: changed or lost lines, missing parts, or a gate that is not passed.
pub(crate) fn is_worth_a_comment(record: &RecordSummary) -> bool {
    let changed = record.changed_lines.as_ref();
    let lost = record.lost.as_ref();
    let gate = record.gate.as_ref();
    changed.is_some_and(|changed| changed.coverable > 0)
        || record.unknown_changes.is_some()
        || lost.is_some_and(|lost| lost.lines > 0)
        || !record.parts.are_complete()
        || gate.is_some_and(|gate| gate.verdict != Verdict::Passed)
}

fn section(record: &RecordSummary, is_named: bool, places: &Places) -> String {
    let (results, language) = (record.results(), record.record.language.as_str());
    let headline = results.headline(is_named.then_some(language));
    let id = record.record.id;
    let report = record.has_report.then(|| places.report(id));
    let report = report.map_or_else(String::new, |report| format!(" · [report]({report})"));
    let request = record.pull_request.as_ref();
    let request = request.map(|number| places.pull_request(&record.record.repository, number));
    let details = request.unwrap_or_else(|| places.record(id));
    let links = format!("{report} · [details]({details})");
    let page = |text, path: &str, lines| {
        let href = links::source_lines(id, path, lines);
        format!("[{text}]({}{href})", places.public_url)
    };
    let explanation = record.explanation_sentence();
    let paragraphs = [
        Some(headline + &links),
        results.verdict(),
        results.missed(NAMED_RANGES, page),
        explanation.map(|sentence| text(&sentence)),
        results.table(page),
        Some(origin(record, places)),
    ];
    let paragraphs: Vec<_> = paragraphs.into_iter().flatten().collect();
    paragraphs.join("\n\n")
}

fn origin(record: &RecordSummary, places: &Places) -> String {
    let base = record.base.as_ref().map(|base| {
        let (commit, branch) = (code(base.record.commit.short()), text(base.branch.as_str()));
        format!("base {commit} ({branch})")
    });
    let head = code(record.record.commit.short());
    // The details lead to the pull request, which may have newer commits.
    let head = match record.pull_request {
        Some(_) => format!("head [{head}]({})", places.record(record.record.id)),
        None => format!("head {head}"),
    };
    let phrases = [base, Some(head), parts(record)];
    let phrases: Vec<_> = phrases.into_iter().flatten().collect();
    format!("<sub>{}</sub>", phrases.join(" · "))
}

/// The parts that arrived, are carried forward, or are missing.
fn parts(record: &RecordSummary) -> Option<String> {
    let RecordParts {
        arrived, carried, ..
    } = &record.parts;
    if record.parts.are_plain() {
        return None;
    }
    let names: Vec<_> = arrived.iter().map(|part| part.name.to_string()).collect();
    let missing = record.parts.missing();
    let of = match missing.is_empty() {
        true => format!("parts: {}", names.join(", ")),
        false => {
            let all = arrived.len() + missing.names().count();
            format!("{} of {all} parts: {}", arrived.len(), names.join(", "))
        }
    };
    let labels = carried
        .iter()
        .map(|part| part.label(record.record.updated_at));
    let carried = labels.map(|part| format!("carried forward: {part}"));
    let waiting = (!record.parts.are_complete()).then(|| format!("waiting for {missing}"));
    let phrases: Vec<_> = [of].into_iter().chain(carried).chain(waiting).collect();
    Some(text(&phrases.join("; ")))
}
