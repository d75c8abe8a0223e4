//! Replaces the paths of a coverage file by those of the repository.

use super::paths::is_absolute;
use crate::ingest::{
    repository_paths::{RepositoryPaths, Source},
    source_file::SourceFile,
};
use domain::MatchedPaths;
use std::collections::{BTreeMap, HashMap};

/// The most sources to which a path is joined.
const MAX_SOURCES: usize = 20;

/// The most bytes of a path that is named as unmatched.
const NAMED_BYTES: usize = 255;

/// Gives each file its path in the repository, as far as `listed` has it. Files that turn out to be one are united.
///
/// Only files with different paths get a copy of their path, so copies need no more memory than the list.
pub(super) fn repair(
    files: Vec<SourceFile>,
    sources: &[String],
    listed: &RepositoryPaths,
) -> (Vec<SourceFile>, MatchedPaths) {
    let folders: Vec<_> = sources
        .iter()
        .take(MAX_SOURCES)
        .map(|source| Source::new(source))
        .collect();
    let mut paths = MatchedPaths::default();
    let mut repaired: Vec<SourceFile> = Vec::with_capacity(files.len());
    let mut others: BTreeMap<usize, Vec<SourceFile>> = BTreeMap::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for mut file in files {
        if file.path.is_empty() {
            repaired.push(file);
            continue;
        }
        paths.of += 1;
        let is_absolute = is_absolute(&file.path);
        let of_file = if is_absolute { &[] } else { &folders[..] };
        let Some(found) = listed.find(&file.path, of_file) else {
            if paths.unmatched.len() < MatchedPaths::NAMED {
                paths.unmatched.push(cut(&file.path).to_owned());
            }
            // Several sources have it. Under its own name it would be the file at the top.
            if let Some(source) = sources.first().filter(|_| listed.contains(&file.path)) {
                file.path.insert_str(0, &format!("{}/", cut(source)));
            }
            repaired.push(file);
            continue;
        };
        paths.matched += 1;
        match places.get(found) {
            Some(&place) => others.entry(place).or_default().push(file),
            None => {
                places.insert(found, repaired.len());
                found.clone_into(&mut file.path);
                repaired.push(file);
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

fn cut(path: &str) -> &str {
    &path[..path.floor_char_boundary(NAMED_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(paths: &[&str], sources: &[&str], listed: &[&str]) -> (Vec<String>, MatchedPaths) {
        let named = |path: &&str| SourceFile {
            path: (*path).to_owned(),
            counters: report::Counters::default(),
            lines: lines::FileLines::default(),
        };
        let listed = RepositoryPaths::read(listed.join("\0").into_bytes()).expect("a list");
        let sources: Vec<_> = sources.iter().map(|&source| source.to_owned()).collect();
        let (files, paths) = repair(paths.iter().map(named).collect(), &sources, &listed);
        (files.into_iter().map(|file| file.path).collect(), paths)
    }

    #[test]
    fn files_get_the_paths_of_the_repository_and_others_keep_theirs() {
        let (paths, matched) = repaired(
            &["/w/src/a.c", "/usr/include/b.h", "", "c.c"],
            &["/w/lib"],
            &["src/a.c", "lib/c.c"],
        );
        assert_eq!(paths, ["src/a.c", "/usr/include/b.h", "", "lib/c.c"]);
        assert_eq!((matched.matched, matched.of), (2, 3));
        assert_eq!(matched.unmatched, ["/usr/include/b.h"]);
    }

    #[test]
    fn two_names_of_one_file_become_one() {
        let (paths, matched) = repaired(&["/w/src/a.c", "/v/src/a.c"], &[], &["src/a.c"]);
        assert_eq!(paths, ["src/a.c"]);
        assert_eq!((matched.matched, matched.of), (2, 2));
    }

    #[test]
    fn a_source_does_not_belong_to_an_absolute_path() {
        let (paths, _) = repaired(&["/v/x/b.c"], &["/lib"], &["lib/v/x/b.c", "v/x/b.c"]);
        assert_eq!(paths, ["v/x/b.c"]);
    }

    #[test]
    fn an_ambiguous_path_does_not_become_the_file_at_the_top() {
        let listed = ["a.py", "lib/a.py", "web/a.py"];
        let (paths, matched) = repaired(&["a.py"], &["/w/lib", "/w/web"], &listed);
        assert_eq!(
            (paths, matched.matched),
            (vec!["/w/lib/a.py".to_owned()], 0)
        );
    }

    #[test]
    fn unmatched_paths_are_named_up_to_a_limit() {
        let names: Vec<_> = (0..20)
            .map(|number| format!("{number}/{}", "ü".repeat(200)))
            .collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let (_, matched) = repaired(&names, &[], &["a.c"]);
        assert_eq!((matched.matched, matched.of), (0, 20));
        assert_eq!(matched.unmatched.len(), MatchedPaths::NAMED);
        assert!(
            matched
                .unmatched
                .iter()
                .all(|path| path.len() <= NAMED_BYTES)
        );
    }
}
