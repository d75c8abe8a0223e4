//! Real git as oracle: `git blame` names the commit that a line came with.

use super::blame::{Agreement, Chain, git};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use std::fs;
use tempfile::TempDir;

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

/// The files of a repository.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Files {
    /// Of 20 lines that are all different.
    Small,
    /// Of 600 lines. A third of them have the text of other lines, such as `}`.
    LikeCode,
}

struct Repository {
    folder: TempDir,
    files: Files,
    text: usize,
    names: [usize; 3],
}

impl Repository {
    fn new(files: Files) -> Self {
        Self {
            folder: TempDir::new().expect("a folder"),
            files,
            text: 0,
            names: [0; 3],
        }
    }

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
        // Steps choose one of 30 places.
        let at = at * lines.len().div_ceil(30).max(1);
        let at = at.min(lines.len());
        let end = (at + removed).min(lines.len());
        let new = (0..added.max(usize::from(lines.is_empty()))).map(|_| {
            self.text += 1;
            let common = ["}", "", "    return;"].get(self.text * 7 % 9);
            match common.filter(|_| self.files == Files::LikeCode) {
                Some(common) => (*common).to_owned(),
                None => format!("line {} with a text of its own", self.text),
            }
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

/// Makes the steps, and returns the commits of the main branch after which `has_record`.
fn make(
    repository: &mut Repository,
    steps: &[Step],
    has_record: impl Fn(usize) -> bool,
) -> Vec<String> {
    let folder = repository.folder.path().to_owned();
    git(&folder, &["init", "-qb", "main"]);
    let lines = match repository.files {
        Files::Small => 20,
        Files::LikeCode => 600,
    };
    for file in 0..3 {
        repository.edit(file, 0, 0, lines);
    }
    repository.commit();
    let mut commits = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        repository.make(step);
        if has_record(at) {
            commits.push(git(&folder, &["rev-parse", "HEAD"]).trim().to_owned());
        }
    }
    commits
}

/// Makes the steps, with a record for each commit of the main branch after which `has_record`. Tests that the origin of each line
/// contains the commit that blame names, and that a line is new since a record if blame names a later commit.
fn assert_agrees_with_blame(steps: &[Step], has_record: impl Fn(usize) -> bool) {
    let mut repository = Repository::new(Files::Small);
    let commits = make(&mut repository, steps, has_record);
    if commits.is_empty() {
        return;
    }
    let chain = Chain::of(repository.folder.path(), commits, |_| true, |_| false);
    let agreement = chain.agreement(false);
    assert_eq!(agreement.wrong, <Vec<String>>::new());
    let others = (
        agreement.unknown,
        agreement.wrongly_new,
        agreement.maybe_new,
    );
    assert_eq!(others, (0, 0, 0), "{agreement:?}");
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

/// Compares four histories of 60 steps, with a record for each.
fn of_all(is_cut: impl Fn(usize) -> bool) -> Agreement {
    let mut runner = TestRunner::deterministic();
    let mut sum = Agreement::default();
    for _ in 0..4 {
        // A file that is deleted comes back with few lines.
        let step = step().prop_filter("two files stay", |step| {
            !matches!(step, Step::Delete(0 | 1))
        });
        let steps = proptest::collection::vec(step, 60).new_tree(&mut runner);
        let steps = steps.expect("steps").current();
        let mut repository = Repository::new(Files::LikeCode);
        let commits = make(&mut repository, &steps, |_| true);
        let chain = Chain::of(repository.folder.path(), commits, |_| true, &is_cut);
        sum.add(chain.agreement(false));
    }
    sum
}

#[test]
fn blame_names_the_origin_of_999_in_1000_lines_of_generated_histories() {
    let whole = of_all(|_| false);
    assert!(whole.wrong.len() as u64 * 1_000 <= whole.lines());
}

#[test]
fn bounds_contain_what_blame_names_if_a_chain_is_cut() {
    let cut = of_all(|at| at % 12 == 7);
    assert_eq!(cut.wrong, <Vec<String>>::new());
    assert_eq!(cut.wrongly_new, 0);
    assert!(cut.unknown > 0);
}
