//! The coverage files of one language and upload become one part. A run that is there in two formats counts once.

use crate::{
    IngestError, JobFolders,
    details::{Checkout, take_details},
    foreign_files::ForeignFile,
    lines::{Content, stored},
    repository_paths::{Job, RepositoryPaths},
    union,
};
use ::lines::State;
use domain::{GlobList, PartName, RepoName};
use formats::Report;
use std::sync::Arc;
use store::{NewLines, RecordDetails, Union};

/// Of 100 common lines, as many may have another state in the other format of a run: tools disagree about some lines.
const MOST_OTHER_STATES: usize = 1;

/// The checkout of an upload, and the rules about ignored files.
pub(super) struct Checked {
    pub(super) listed: Option<Arc<RepositoryPaths>>,
    pub(super) of_job: JobFolders,
    pub(super) repository: RepoName,
    pub(super) part: PartName,
    pub(super) rules: GlobList,
}

/// What was read of all coverage files.
pub(super) struct Read {
    /// The first coverage file, without its files.
    pub(super) report: Report,
    pub(super) taken: (RecordDetails, Option<NewLines>),
    /// Its content, if it is the only one with lines.
    pub(super) content: Option<Content>,
    /// The union, if several coverage files count.
    pub(super) union: Option<Union>,
    pub(super) notices: Vec<String>,
}

/// A coverage file with its lines.
struct Measured {
    name: String,
    report: Report,
    details: RecordDetails,
    lines: NewLines,
    content: Content,
}

/// Takes the details of coverage files and unites them. Blocks.
///
/// # Errors
///
/// If there are no files, or if the union has too many lines.
pub(super) fn united(files: Vec<ForeignFile>, checked: &Checked) -> Result<Read, IngestError> {
    let (mut measured, mut without_lines, mut notices) = (Vec::new(), None, Vec::new());
    let are_several = files.len() > 1;
    for file in files {
        let (name, mut report) = (file.name, file.report);
        let (mut details, content, why_not) = take(&mut report, checked);
        notices.extend(why_not.map(str::to_owned));
        let taken = content.and_then(|mut content| {
            let lines = stored(&mut content, &mut details.warnings)?;
            Some((lines, content))
        });
        let Some((lines, content)) = taken else {
            if are_several {
                notices.push(format!("{name} has no lines, so it is not united."));
            }
            without_lines.get_or_insert((report, details));
            continue;
        };
        let own = Measured {
            name,
            report,
            details,
            lines,
            content,
        };
        let same = measured.iter().find(|other| are_one_run(other, &own));
        match same {
            Some(first) => notices.push(format!(
                "{} has the same run as {} in another format, so only {} counts.",
                own.name, first.name, first.name
            )),
            None => measured.push(own),
        }
    }
    let mut all = measured.into_iter();
    let Some(first) = all.next() else {
        let (report, details) = without_lines.ok_or(IngestError::NoCoverageFile)?;
        return Ok(Read {
            report,
            taken: (details, None),
            content: None,
            union: None,
            notices,
        });
    };
    let (report, rest) = (first.report, all.collect::<Vec<_>>());
    if rest.is_empty() {
        return Ok(Read {
            report,
            taken: (first.details, Some(first.lines)),
            content: Some(first.content),
            union: None,
            notices,
        });
    }
    let mut several = vec![(first.name, first.details, first.content)];
    let rest = rest.into_iter();
    several.extend(rest.map(|other| (other.name, other.details, other.content)));
    Ok(Read {
        report,
        // The union has them.
        taken: (RecordDetails::default(), None),
        content: None,
        union: Some(union_of(several)?),
        notices,
    })
}

fn union_of(files: Vec<(String, RecordDetails, Content)>) -> Result<Union, IngestError> {
    let of_files = files.iter().flat_map(|(name, details, _)| {
        let named = move |warning: &String| format!("{name}: {warning}");
        details.warnings.iter().map(named)
    });
    let warnings: Vec<_> = of_files.collect();
    let files = files.into_iter();
    let mut union = union::of_files(
        files
            .map(|(_, details, content)| (details, content))
            .collect(),
    )?;
    union.details.warnings.extend(warnings);
    Ok(union)
}

fn take(
    report: &mut Report,
    checked: &Checked,
) -> (RecordDetails, Option<Content>, Option<&'static str>) {
    let checkout = checked.listed.as_deref().map(|listed| Checkout {
        listed,
        job: Job {
            root: checked.of_job.root.as_deref(),
            report_folder: checked.of_job.report.as_deref().unwrap_or_default(),
            repository: checked.repository.as_str(),
            ..Job::default()
        },
        part: &checked.part,
    });
    take_details(report, checkout.as_ref(), &checked.rules)
}

/// Whether two coverage files of different formats have the same run: the same files with nearly the same lines, which ran or did
/// not alike. Two files of one format are two runs.
fn are_one_run(one: &Measured, other: &Measured) -> bool {
    if one.report.format == other.report.format {
        return false;
    }
    let (mut common, mut all, mut differing) = (0, 0, 0);
    let (one, other) = (&one.content.0, &other.content.0);
    let mut files = one.files().zip(other.files());
    let have_same_paths = one.files().len() == other.files().len()
        && files.all(|((path, lines), (other_path, other_lines))| {
            let shared = lines.lines().iter().filter_map(|line| {
                let other = other_lines.state(line.number())?;
                Some((line.state() == State::Missed) != (other == State::Missed))
            });
            let (mut of_file, mut of_differing) = (0, 0);
            for differs in shared {
                of_file += 1;
                of_differing += usize::from(differs);
            }
            common += of_file;
            differing += of_differing;
            all += lines.lines().len().max(other_lines.lines().len());
            path == other_path
        });
    have_same_paths && common * 10 >= all * 9 && differing * 100 <= common * MOST_OTHER_STATES
}
