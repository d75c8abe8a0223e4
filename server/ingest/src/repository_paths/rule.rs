//! The rule that maps a path of a coverage file to a path of the repository. It does no I/O and keeps no state.
//!
//! A *root* is a prefix that is removed from a path, and a folder of the repository that replaces it. A root explains a path if
//! the result is a file of the repository. The root that explains most paths of a coverage file wins, unless another root
//! explains files that this one does not.

mod candidates;
mod choice;
mod claims;
mod endings;
mod letters;
mod proposals;
mod roots;

use super::{
    listing::RepositoryPaths,
    name::{MAX_BYTES, normalised},
};
use candidates::{Candidates, TooMany};
use choice::Chooser;
use letters::Letters;
use lines::is_absolute;
use std::collections::{BTreeMap, HashMap};

/// The most sources to which a path is joined.
const MAX_SOURCES: usize = 20;

/// What is known about the job that wrote a coverage file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Job<'a> {
    /// The folder of the checkout on the job's machine, an absolute path.
    pub root: Option<&'a str>,
    /// The folder of the coverage file within the repository.
    pub report_folder: &'a str,
    /// The name of the repository.
    pub repository: &'a str,
    /// The possible folders of relative paths, as the coverage file states them.
    pub sources: &'a [String],
    /// The project that the coverage file states.
    pub project: Option<&'a str>,
}

/// A file as a coverage file names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    /// The path.
    pub path: &'a str,
    /// The group of the file. Each group counts as a coverage file.
    pub group: Option<&'a str>,
}

/// The meaning of a path in a coverage file: the number of a file of the repository.
pub(crate) type Meaning = Result<u32, Reason>;

/// Why a path is no file of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// No root explains the path.
    NotListed,
    /// The path may be several files. Two of them by their numbers, if they are known.
    Ambiguous(Option<[u32; 2]>),
    /// Another path of the coverage file, given by its index, may be the same file of the repository, and their lines differ.
    Claimed(usize),
}

/// A meaning before paths of the same file are compared.
type Found = Result<Claim, Reason>;

/// The claim of a path to be a file of the repository.
#[derive(Clone, Copy, Debug)]
struct Claim {
    target: u32,
    /// How many paths the root explains. The maximum for a path below the checkout; 0 for a path that matches only without case.
    support: u64,
    /// Whether the removed prefix ends with the repository's name.
    is_named_like_repository: bool,
}

/// A job with normalised folders.
struct JobFolders<'a> {
    /// Each ends with `/`.
    roots: Vec<String>,
    /// Ends with `/`, or is empty.
    report_folder: String,
    repository: &'a str,
    project: Option<&'a str>,
    /// Each ends with `/`, or is empty.
    sources: Vec<String>,
}

impl<'a> JobFolders<'a> {
    fn of(job: &Job<'a>) -> Self {
        let with_end = |folder: String| match folder.ends_with('/') || folder.is_empty() {
            true => folder,
            false => folder + "/",
        };
        let root = job.root.map(normalised).filter(|root| is_absolute(root));
        let mut roots: Vec<_> = root.map(with_end).into_iter().collect();
        // Shells on Windows write `/c/` for `C:/`, tools do not.
        let of_shell = roots.first().and_then(|root| {
            let root = root.strip_prefix("/cygdrive").unwrap_or(root);
            let (drive, rest) = root.strip_prefix('/')?.split_once('/')?;
            let is_drive = matches!(drive.as_bytes(), [drive] if drive.is_ascii_alphabetic());
            is_drive.then(|| normalised(&format!("{drive}:/{rest}")))
        });
        roots.extend(of_shell.map(with_end));
        let folder = normalised(job.report_folder);
        let sources = job.sources.iter().take(MAX_SOURCES);
        let mut place = Self {
            report_folder: with_end(folder.trim_start_matches('/').to_owned()),
            roots,
            repository: job.repository,
            project: job.project,
            sources: Vec::new(),
        };
        for source in sources.map(|source| with_end(normalised(source))) {
            if !place.sources.contains(&source) {
                place.sources.push(source);
            }
        }
        place
    }

    /// Returns the rest of a normalised path below the checkout.
    fn below_root<'n>(&self, name: &'n str) -> Option<&'n str> {
        self.roots.iter().find_map(|root| {
            let (start, rest) = name.split_at_checked(root.len())?;
            // Windows does not distinguish case.
            let is_below = match root.starts_with('/') {
                true => start == root,
                false => start.eq_ignore_ascii_case(root),
            };
            is_below.then_some(rest)
        })
    }

    /// Returns the possible sources of a path.
    fn sources_of(&self, name: &str) -> impl Iterator<Item = &str> {
        let sources: &[String] = match is_absolute(name) {
            true => &[],
            false => &self.sources,
        };
        let sources = sources.iter().map(String::as_str);
        sources.filter(move |source| source.len() + name.len() <= MAX_BYTES)
    }

    /// Returns the path in each of its sources.
    fn joined(&self, name: &str) -> impl Iterator<Item = String> {
        let joined = |source: &str| [source, name].concat();
        self.sources_of(name).map(joined)
    }
}

impl RepositoryPaths {
    /// Returns the meaning of each file of a coverage file. `agree` returns whether the coverable lines of two files, given by
    /// their indexes in `files`, are so similar that both are the same file.
    pub(crate) fn meanings(
        &self,
        files: &[Named<'_>],
        job: &Job<'_>,
        agree: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<Meaning> {
        let place = JobFolders::of(job);
        let names: Vec<_> = files.iter().map(|file| normalised(file.path)).collect();
        let mut found = vec![Err(Reason::NotListed); files.len()];
        let mut first: HashMap<(Option<&str>, &str), usize> = HashMap::new();
        let mut repeated = Vec::new();
        let mut groups: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
        for (number, (file, name)) in files.iter().zip(&names).enumerate() {
            if name.is_empty() || name.len() > MAX_BYTES {
                continue;
            }
            let first = *first.entry((file.group, name)).or_insert(number);
            match first == number {
                true => groups.entry(file.group).or_default().push(number),
                false => repeated.push((number, first)),
            }
        }
        for (group, numbers) in &groups {
            let of_group: Vec<_> = numbers
                .iter()
                .map(|&number| names[number].as_str())
                .collect();
            for (&number, meaning) in numbers.iter().zip(of_one(self, &of_group, *group, &place)) {
                found[number] = meaning;
            }
        }
        let is_unknown = |found: &Found| matches!(found, Err(Reason::NotListed));
        let mut letters = None;
        for number in groups.into_values().flatten() {
            if is_unknown(&found[number]) {
                let letters = letters.get_or_insert_with(|| Letters::of(self));
                if let Some(target) = letters.find(&names[number], &place) {
                    found[number] = Ok(Claim {
                        target,
                        support: 0,
                        is_named_like_repository: false,
                    });
                }
            }
        }
        let mut meanings = claims::settled(&found, agree);
        for (number, first) in repeated {
            meanings[number] = meanings[first];
        }
        meanings
    }
}

/// Finds the meanings of the names in one coverage file.
fn of_one(
    listing: &RepositoryPaths,
    names: &[&str],
    group: Option<&str>,
    place: &JobFolders<'_>,
) -> Vec<Found> {
    let below: Vec<_> = names
        .iter()
        .map(|name| below_root(listing, name, place))
        .collect();
    let candidates = Candidates::of(listing, names, place);
    let mut chooser = candidates
        .as_ref()
        .map(|candidates| Chooser::new(candidates, group.or(place.project), place));
    let chosen = below.into_iter().enumerate().map(|(number, below)| {
        if let Some(below) = below {
            return below;
        }
        match &mut chooser {
            Ok(chooser) => chooser.choose(number),
            Err(TooMany) => Err(Reason::Ambiguous(None)),
        }
    });
    chosen.collect()
}

/// Returns the meaning of a name that, alone or joined to a source, is a file of the checkout.
fn below_root(listing: &RepositoryPaths, name: &str, place: &JobFolders<'_>) -> Option<Found> {
    if place.roots.is_empty() {
        return None;
    }
    let of = |name: &str| place.below_root(name).and_then(|rest| listing.find(rest));
    let mut targets: Vec<_> = place.joined(name).filter_map(|name| of(&name)).collect();
    targets.extend(of(name));
    let target = *targets.first()?;
    Some(match targets.iter().find(|&&other| other != target) {
        Some(&other) => Err(Reason::Ambiguous(Some([target, other]))),
        None => Ok(Claim {
            target,
            support: u64::MAX,
            is_named_like_repository: false,
        }),
    })
}
