//! Real git as oracle: `git blame` names the commit that a line came with.

use super::{next, of_states};
use lines::{Changes, ChangesParser, History, Lines};
use proptest::prelude::*;
use std::{collections::HashMap, fs, path::Path};
use tempfile::TempDir;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = crate::changes::git::git(folder, arguments);
    String::from_utf8(output).expect("text")
}

/// What happens between two commits.
#[derive(Debug, Clone)]
enum Step {
    /// Replaces lines of a file.
    Edit {
        file: usize,
        at: usize,
        removed: usize,
        added: usize,
    },
    Rename(usize),
    Delete(usize),
    /// Edits a file on another branch, and merges it.
    Merge {
        file: usize,
        at: usize,
        added: usize,
    },
    /// Reverts the commit before.
    Revert,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..3_usize, 0..30_usize, 0..6_usize, 0..6_usize)
            .prop_map(|(file, at, removed, added)| Step::Edit { file, at, removed, added }),
        1 => (0..3_usize).prop_map(Step::Rename),
        1 => (0..3_usize).prop_map(Step::Delete),
        1 => (0..3_usize, 0..30_usize, 1..4_usize)
            .prop_map(|(file, at, added)| Step::Merge { file, at, added }),
        1 => Just(Step::Revert),
    ]
}

/// A repository whose lines are all different.
struct Repository {
    folder: TempDir,
    text: usize,
    names: [usize; 3],
}

impl Repository {
    fn path(&self, file: usize) -> String {
        format!("file{file}-{}.c", self.names[file])
    }

    fn find_names(&mut self) {
        for path in git(self.folder.path(), &["ls-files"]).lines() {
            let (file, name) = path["file".len()..path.len() - ".c".len()]
                .split_once('-')
                .expect("a name");
            self.names[file.parse::<usize>().expect("a file")] = name.parse().expect("a name");
        }
    }

    fn edit(&mut self, file: usize, at: usize, removed: usize, added: usize) {
        let path = self.folder.path().join(self.path(file));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = at.min(lines.len());
        let end = (at + removed).min(lines.len());
        let new = (0..added.max(usize::from(lines.is_empty()))).map(|_| {
            self.text += 1;
            format!("line {} with a text of its own", self.text)
        });
        lines.splice(at..end, new.collect::<Vec<_>>());
        fs::write(path, lines.join("\n") + "\n").expect("a file");
    }

    fn commit(&self) {
        git(self.folder.path(), &["add", "-A"]);
        git(self.folder.path(), &["commit", "-qm", "x", "--allow-empty"]);
    }

    fn make(&mut self, step: &Step) {
        let folder = self.folder.path().to_owned();
        match *step {
            Step::Edit {
                file,
                at,
                removed,
                added,
            } => self.edit(file, at, removed, added),
            Step::Rename(file) => {
                let old = folder.join(self.path(file));
                self.names[file] += 1;
                if old.exists() {
                    fs::rename(old, folder.join(self.path(file))).expect("a file");
                }
            }
            Step::Delete(file) => {
                let _gone = fs::remove_file(folder.join(self.path(file)));
            }
            Step::Merge { file, at, added } => {
                git(&folder, &["checkout", "-qb", "other"]);
                self.edit(file, at, 0, added);
                self.commit();
                git(&folder, &["checkout", "-q", "main"]);
                self.edit((file + 1) % 3, at, 0, added);
                self.commit();
                git(&folder, &["merge", "-q", "--no-edit", "other"]);
                git(&folder, &["branch", "-qD", "other"]);
                return;
            }
            Step::Revert => {
                let is_merge = git(&folder, &["rev-list", "--parents", "-1", "HEAD"])
                    .split(' ')
                    .count()
                    > 2;
                let mainline: &[&str] = if is_merge { &["-m1"] } else { &[] };
                git(
                    &folder,
                    &[&["revert", "--no-commit"], mainline, &["HEAD"]].concat(),
                );
                self.find_names();
            }
        }
        self.commit();
    }
}

fn changes(folder: &Path, base: &str) -> Changes {
    let diff = git(folder, &["diff", "-U0", "-M", "--no-color", base, "HEAD"]);
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_bytes()).expect("a diff");
    parser.finish().expect("a diff")
}

/// All lines of all files. Every third line runs.
fn measured(folder: &Path) -> Lines {
    let mut lines = Lines::default();
    for path in git(folder, &["ls-files"]).lines() {
        let text = fs::read_to_string(folder.join(path)).expect("a file");
        let states: String = text
            .lines()
            .enumerate()
            .map(|(at, _)| if at % 3 == 0 { 'x' } else { '.' })
            .collect();
        lines.add(path, of_states(&states));
    }
    lines
}

/// The commits that are in `head` and not in `base`.
fn between(folder: &Path, base: &str, head: &str) -> Vec<String> {
    let listed = git(folder, &["rev-list", head, &format!("^{base}")]);
    listed.lines().map(str::to_owned).collect()
}

/// Makes the steps, with a record for each commit of the main branch after which `has_record`. Tests that the origin of each line
/// contains the commit that blame names.
fn assert_agrees_with_blame(steps: &[Step], has_record: impl Fn(usize) -> bool) {
    let mut repository = Repository {
        folder: TempDir::new().expect("a folder"),
        text: 0,
        names: [0; 3],
    };
    let folder = repository.folder.path().to_owned();
    git(&folder, &["init", "-qb", "main"]);
    for file in 0..3 {
        repository.edit(file, 0, 0, 20);
    }
    repository.commit();
    let mut commits: Vec<String> = Vec::new();
    let mut newest: Option<(i64, Lines, History)> = None;
    for (at, step) in steps.iter().enumerate() {
        repository.make(step);
        if !has_record(at) {
            continue;
        }
        let lines = measured(&folder);
        let record = i64::try_from(commits.len()).expect("few");
        let history = match &newest {
            None => History::of(record, &lines, &lines, None),
            Some((base, of_base, history)) => {
                let changes = changes(&folder, &commits[usize::try_from(*base).expect("an index")]);
                next(record, &lines, (*base, of_base, history), &changes)
            }
        };
        commits.push(git(&folder, &["rev-parse", "HEAD"]).trim().to_owned());
        newest = Some((record, lines, history));
    }
    let Some((_, lines, history)) = newest else {
        return;
    };
    let mut spans: HashMap<(Option<i64>, i64), Vec<String>> = HashMap::new();
    let commit = |record: i64| commits[usize::try_from(record).expect("an index")].as_str();
    for (path, file, came) in history.files(&lines) {
        let blamed = git(
            &folder,
            &[
                "blame",
                "-s",
                "-l",
                "--root",
                commits.last().expect("one"),
                "--",
                path,
            ],
        );
        for ((line, came), blamed) in file.lines().iter().zip(came).zip(blamed.lines()) {
            let origin = came.origin;
            let span = spans.entry((origin.after, origin.at)).or_insert_with(|| {
                let head = commit(origin.at);
                match origin.after {
                    Some(after) => between(&folder, commit(after), head),
                    None => git(&folder, &["rev-list", head])
                        .lines()
                        .map(str::to_owned)
                        .collect(),
                }
            });
            let blamed = &blamed[..40];
            assert!(
                span.iter().any(|commit| commit == blamed),
                "{path}:{}: {origin:?}, blame {blamed}, commits {commits:?}",
                line.number()
            );
            if origin.after.is_none() {
                assert_eq!(
                    origin.at, 0,
                    "the first record alone has an unknown beginning"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn origins_contain_the_commit_that_blame_names(steps in proptest::collection::vec(step(), 1..14)) {
        assert_agrees_with_blame(&steps, |_| true);
    }

    #[test]
    fn origins_also_contain_it_if_only_some_commits_are_measured(
        steps in proptest::collection::vec(step(), 4..14),
        every in 2..4_usize,
    ) {
        // Over several commits, git finds a renamed and edited file by its likeness, and a restored line did not change.
        let steps: Vec<_> = steps.into_iter().filter(|step| !matches!(step, Step::Rename(_) | Step::Revert)).collect();
        assert_agrees_with_blame(&steps, |at| at % every == 0);
    }
}
