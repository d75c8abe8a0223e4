//! Replaces the paths of a coverage file by paths of the repository.

use crate::{
    repository_paths::{Job, Meaning, Named, Reason, RepositoryPaths},
    source_file::SourceFile,
};
use domain::{MatchedPaths, PartName, UnmatchedPath};
use lines::{FileLines, Line};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The longest path that is listed as unmatched, in bytes.
const NAMED_BYTES: usize = 255;

/// Two files with this many common coverable lines may be the same file.
const COMMON_LINES: usize = 10;

/// The checkout with which the paths of a coverage file are compared.
#[derive(Clone, Copy)]
pub(crate) struct Checkout<'a> {
    /// The repository's paths.
    pub listed: &'a RepositoryPaths,
    /// The job that wrote the coverage file. The coverage file has its sources and its project.
    pub job: Job<'a>,
    /// The part that was measured.
    pub part: &'a PartName,
}

/// Gives each file its path in the repository, if it has one. Paths of the same file are united. `groups` are the folders at the
/// start of paths that are names of groups.
///
/// Only files with different paths get a copy of their path, so copies need no more memory than the list.
pub(super) fn repair(
    files: Vec<SourceFile>,
    groups: &HashSet<String>,
    checkout: &Checkout<'_>,
) -> (Vec<SourceFile>, MatchedPaths) {
    let named = files.iter().map(|file| named(&file.path, groups));
    let named: Vec<_> = named.collect();
    let agree = |one: usize, other: usize| agree(&files[one].lines, &files[other].lines);
    let meanings = checkout.listed.meanings(&named, &checkout.job, &agree);
    let mut paths = MatchedPaths {
        unmatched: unmatched(&files, &meanings, checkout),
        ..MatchedPaths::default()
    };
    let mut repaired: Vec<SourceFile> = Vec::with_capacity(files.len());
    let mut others: BTreeMap<usize, Vec<SourceFile>> = BTreeMap::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for (mut file, meaning) in files.into_iter().zip(meanings) {
        if file.path.is_empty() {
            repaired.push(file);
            continue;
        }
        paths.of += 1;
        match meaning {
            Err(reason) => {
                keep_apart(&mut file.path, reason, checkout);
                repaired.push(file);
            }
            Ok(number) => {
                paths.matched += 1;
                if let Some(&place) = places.get(&number) {
                    others.entry(place).or_default().push(file);
                } else {
                    places.insert(number, repaired.len());
                    checkout.listed.get(number).clone_into(&mut file.path);
                    repaired.push(file);
                }
            }
        }
    }
    for (place, others) in others {
        if let Some(file) = repaired.get_mut(place) {
            file.unite(others);
        }
    }
    (repaired, paths)
}

/// Returns the first few paths that are no files of the repository.
fn unmatched(
    files: &[SourceFile],
    meanings: &[Meaning],
    checkout: &Checkout<'_>,
) -> Vec<UnmatchedPath> {
    let named = files
        .iter()
        .zip(meanings)
        .filter(|(file, _)| !file.path.is_empty());
    let unmatched = named.filter_map(|(file, meaning)| {
        let reason = match meaning.err()? {
            Reason::NotListed => "outside of the repository".to_owned(),
            Reason::Ambiguous(None) => "ambiguous".to_owned(),
            Reason::Ambiguous(Some(targets)) => {
                let [one, other] = targets.map(|target| cut(checkout.listed.get(target)));
                format!("ambiguous between {one} and {other}")
            }
            Reason::Claimed(by) => format!("claimed by {}", cut(&files[by].path)),
        };
        let path = cut(&file.path).to_owned();
        Some(UnmatchedPath { path, reason })
    });
    unmatched.take(MatchedPaths::NAMED).collect()
}

/// Splits a path into its group and the rest.
fn named<'a>(path: &'a str, groups: &HashSet<String>) -> Named<'a> {
    let slashes = path.rmatch_indices('/').map(|(at, _)| at);
    let mut slashes = slashes.filter(|_| !groups.is_empty());
    match slashes.find(|&at| groups.contains(&path[..at])) {
        Some(at) => Named {
            path: &path[at + 1..],
            group: Some(&path[..at]),
        },
        None => Named { path, group: None },
    }
}

/// Adds the name of the part to a path that another part may use for another file.
fn keep_apart(path: &mut String, reason: Reason, checkout: &Checkout<'_>) {
    let mut is_doubtful = matches!(reason, Reason::Ambiguous(_));
    while is_doubtful || checkout.listed.contains(path) {
        path.push_str(&format!(" ({})", checkout.part));
        is_doubtful = false;
    }
}

/// Returns whether the coverable lines of two files are so similar that both are the same file.
fn agree(one: &FileLines, other: &FileLines) -> bool {
    let (one, other) = (one.lines(), other.lines());
    let (few, many) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    if few.is_empty() {
        return false;
    }
    let has = |line: &&Line| {
        many.binary_search_by_key(&line.number(), |line| line.number())
            .is_ok()
    };
    let common = few.iter().filter(has).count();
    let are_equal = common == many.len();
    are_equal || (common >= COMMON_LINES && common * 10 >= few.len() * 9)
}

fn cut(path: &str) -> &str {
    &path[..path.floor_char_boundary(NAMED_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: &[u32]) -> SourceFile {
        let line = |&number: &u32| (Line::new(number, 1, false), None);
        SourceFile {
            path: path.to_owned(),
            lines: lines.iter().map(line).collect(),
            ..SourceFile::default()
        }
    }

    fn repaired(
        files: Vec<SourceFile>,
        sources: &[&str],
        listed: &[&str],
    ) -> (Vec<String>, MatchedPaths) {
        let listed = RepositoryPaths::read(listed.join("\0").into_bytes()).expect("a list");
        let sources: Vec<_> = sources.iter().map(|&source| source.to_owned()).collect();
        let checkout = Checkout {
            listed: &listed,
            job: Job {
                sources: &sources,
                ..Job::default()
            },
            part: &"unit".parse().expect("a name"),
        };
        let groups = HashSet::from(["web".to_owned()]);
        let (files, paths) = repair(files, &groups, &checkout);
        (files.into_iter().map(|file| file.path).collect(), paths)
    }

    fn of(paths: &[&str]) -> Vec<SourceFile> {
        paths.iter().map(|path| file(path, &[1])).collect()
    }

    #[test]
    fn files_get_the_paths_of_the_repository_and_others_keep_theirs() {
        let (paths, matched) = repaired(
            of(&["/w/src/a.c", "/usr/include/b.h", "", "c.c"]),
            &["/w/lib"],
            &["src/a.c", "lib/c.c"],
        );
        assert_eq!(paths, ["src/a.c", "/usr/include/b.h", "", "lib/c.c"]);
        assert_eq!((matched.matched, matched.of), (2, 3));
        assert_eq!(matched.unmatched[0].path, "/usr/include/b.h");
        assert_eq!(matched.unmatched[0].reason, "outside of the repository");
    }

    #[test]
    fn two_names_of_one_file_become_one_if_their_lines_agree() {
        let (paths, matched) = repaired(of(&["/w/src/a.c", "/v/src/a.c"]), &[], &["src/a.c"]);
        assert_eq!(paths, ["src/a.c"]);
        assert_eq!((matched.matched, matched.of), (2, 2));
        let many: Vec<_> = (1..=20).collect();
        let other: Vec<_> = (3..=22).collect();
        let files = vec![file("/w/src/a.c", &many), file("/v/src/a.c", &other)];
        assert_eq!(repaired(files, &[], &["src/a.c"]).0, ["src/a.c"]);
        let files = vec![file("/w/src/a.c", &[1, 2]), file("/v/src/a.c", &[1, 2, 3])];
        let (paths, matched) = repaired(files, &[], &["src/a.c"]);
        assert_eq!(paths, ["/w/src/a.c", "/v/src/a.c"]);
        assert_eq!((matched.matched, matched.of), (0, 2));
        assert_eq!(matched.unmatched[0].reason, "claimed by /v/src/a.c");
    }

    #[test]
    fn a_source_does_not_belong_to_an_absolute_path() {
        let (paths, _) = repaired(of(&["/v/x/b.c"]), &["/lib"], &["lib/v/x/b.c", "v/x/b.c"]);
        assert_eq!(paths, ["v/x/b.c"]);
    }

    #[test]
    fn the_name_of_a_group_is_no_folder_of_a_path() {
        let listed = ["web/src/A.java", "app/src/A.java"];
        let (paths, _) = repaired(of(&["web/A.java"]), &[], &listed);
        assert_eq!(paths, ["web/src/A.java"]);
    }

    #[test]
    fn an_ambiguous_path_belongs_to_its_part_alone() {
        let listed = ["a.py", "lib/a.py", "web/a.py", "a.py (unit)"];
        let (paths, matched) = repaired(of(&["a.py"]), &["/w/lib", "/w/web"], &listed);
        assert_eq!(paths, ["a.py (unit) (unit)"]);
        assert_eq!(
            (matched.matched, matched.unmatched[0].path.as_str()),
            (0, "a.py")
        );
        let reason = "ambiguous between lib/a.py and web/a.py";
        assert_eq!(matched.unmatched[0].reason, reason);
    }

    #[test]
    fn unmatched_paths_are_named_up_to_a_limit() {
        let names: Vec<_> = (0..20)
            .map(|number| format!("{number}/{}", "ü".repeat(200)))
            .collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let (_, matched) = repaired(of(&names), &[], &["a.c"]);
        assert_eq!((matched.matched, matched.of), (0, 20));
        assert_eq!(matched.unmatched.len(), MatchedPaths::NAMED);
        assert!(
            matched
                .unmatched
                .iter()
                .all(|unmatched| unmatched.path.len() <= NAMED_BYTES)
        );
    }
}
