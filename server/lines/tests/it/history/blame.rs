//! `git blame` as oracle of a chain of records, one for each of some commits.

use super::next;
use crate::changes::git::git as git_bytes;
use lines::{Changes, ChangesParser, FileLines, History, Line, Lines, Since};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

pub(super) fn git(folder: &Path, arguments: &[&str]) -> String {
    // Names of files may have any bytes.
    String::from_utf8_lossy(&git_bytes(folder, arguments)).into_owned()
}

/// A chain of records, as a service has it that gets one for each commit.
pub(super) struct Chain<'a> {
    folder: &'a Path,
    /// The commit of each record. Its index is the id of the record.
    commits: Vec<String>,
    lines: Lines,
    history: History,
}

/// How many lines agree with `git blame`.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    /// Lines whose commit is in their interval, which has a beginning.
    pub(super) right: u64,
    /// Lines whose commit is in their interval, which has no beginning.
    pub(super) unknown: u64,
    /// The other lines: path, number, interval, commit.
    pub(super) wrong: Vec<String>,
    /// Lines that are new since a record for one of both only.
    pub(super) wrongly_new: u64,
    /// Lines that `git blame` calls new, and whose origin does not say whether they are.
    pub(super) maybe_new: u64,
}

impl Agreement {
    pub(super) fn lines(&self) -> u64 {
        self.right + self.unknown + self.wrong.len() as u64
    }

    pub(super) fn add(&mut self, other: Self) {
        self.right += other.right;
        self.unknown += other.unknown;
        self.wrong.extend(other.wrong);
        self.wrongly_new += other.wrongly_new;
        self.maybe_new += other.maybe_new;
    }
}

impl<'a> Chain<'a> {
    /// Records of `commits`, the oldest first, of the files for which `is_measured`. Every third line runs. A record for whose index
    /// `is_cut` has no base.
    pub(super) fn of(
        folder: &'a Path,
        commits: Vec<String>,
        is_measured: impl Fn(&str) -> bool,
        is_cut: impl Fn(usize) -> bool,
    ) -> Self {
        let mut blobs = Blobs::of(folder);
        let mut newest: Option<(i64, Lines, History)> = None;
        for (at, commit) in commits.iter().enumerate() {
            let lines = blobs.measured(folder, commit, &is_measured);
            let record = i64::try_from(at).expect("few");
            let history = match &newest {
                Some((base, of_base, history)) if !is_cut(at) => {
                    let changes = changes(folder, &commits[at - 1], commit);
                    next(record, &lines, (*base, of_base, history), &changes)
                }
                _ => History::of(record, &lines, &lines, None),
            };
            newest = Some((record, lines, history));
        }
        let (_, lines, history) = newest.expect("commits");
        Self {
            folder,
            commits,
            lines,
            history,
        }
    }

    /// Compares the origin of each line of the newest record with `git blame`, and for each record whether the line is new since then.
    /// With `first_parents`, blame follows the main branch alone, like the chain: it never names a commit on either side of a merge.
    pub(super) fn agreement(&self, first_parents: bool) -> Agreement {
        let (first, head) = (&self.commits[0], self.commits.last().expect("one"));
        let range = format!("{first}..{head}");
        let touched = git(
            self.folder,
            &["log", "-m", "--format=", "--name-only", "-z", &range],
        );
        let touched: HashSet<&str> = touched
            .split('\0')
            .map(|path| path.trim_start_matches('\n'))
            .collect();
        let mut spans: HashMap<(Option<i64>, i64), HashSet<String>> = HashMap::new();
        let since: Vec<_> = (0..self.commits.len())
            .map(|record| (self.since(record), self.between(Some(record), head)))
            .collect();
        let mut agreement = Agreement::default();
        for (path, file, came) in self.history.files(&self.lines) {
            // Lines of other files are older than the first record.
            let blamed = touched.contains(path).then(|| {
                let mut blamed = vec!["blame", "-s", "-l", "--root", "--encoding=none"];
                blamed.extend(first_parents.then_some("--first-parent"));
                blamed.extend([&*range, "--", path]);
                git(self.folder, &blamed)
            });
            let mut blamed = blamed.as_deref().map(str::lines);
            for (line, came) in file.lines().iter().zip(came) {
                let blamed = blamed.as_mut().map(|lines| lines.next().expect("a line"));
                // `^` marks the lines that the first record has.
                let blamed = blamed.filter(|line| !line.starts_with('^'));
                let blamed = blamed.map(|line| &line[..40]);
                let origin = came.origin;
                let is_in = match blamed {
                    None => origin.after.is_none(),
                    Some(commit) => spans
                        .entry((origin.after, origin.at))
                        .or_insert_with(|| {
                            let after = origin.after.and_then(|after| usize::try_from(after).ok());
                            let at = usize::try_from(origin.at).expect("an index");
                            self.between(after, &self.commits[at])
                        })
                        .contains(commit),
                };
                match is_in {
                    true if origin.after.is_some() || origin.at == 0 => agreement.right += 1,
                    true => agreement.unknown += 1,
                    false => agreement.wrong.push(format!(
                        "{path}:{}: {origin:?}, blame {blamed:?}",
                        line.number()
                    )),
                }
                for (since, commits) in &since {
                    let is_new = blamed.is_some_and(|commit| commits.contains(commit));
                    match since.is_new(origin) {
                        Some(is) => agreement.wrongly_new += u64::from(is != is_new),
                        None => agreement.maybe_new += u64::from(is_new),
                    }
                }
            }
        }
        agreement
    }

    /// The commits that are in `head`, and not in the commit of the record `after`.
    fn between(&self, after: Option<usize>, head: &str) -> HashSet<String> {
        let after = after.map(|after| format!("^{}", self.commits[after]));
        let mut arguments = vec!["rev-list", head];
        arguments.extend(after.as_deref());
        let listed = git(self.folder, &arguments);
        listed.lines().map(str::to_owned).collect()
    }

    fn since(&self, record: usize) -> Since {
        let ids = |range: std::ops::Range<usize>| {
            range.map(|id| i64::try_from(id).expect("few")).collect()
        };
        let records = self.commits.len();
        Since {
            from: ids(record..records),
            later: ids(record + 1..records),
            until: ids(0..record + 1),
        }
    }
}

fn changes(folder: &Path, base: &str, head: &str) -> Changes {
    let diff = git_bytes(
        folder,
        &["diff", "-U0", "-M", "--no-color", "--text", base, head],
    );
    let mut parser = ChangesParser::default();
    parser.feed(&diff).expect("a diff");
    parser.finish().expect("a diff")
}

/// The numbers of lines of the files in a repository.
struct Blobs {
    known: HashMap<String, u32>,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Blobs {
    fn drop(&mut self) {
        let _gone = self.process.kill();
        let _status = self.process.wait();
    }
}

impl Blobs {
    fn of(folder: &Path) -> Self {
        let mut process = Command::new("git")
            .args(["cat-file", "--batch"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("git");
        Self {
            known: HashMap::new(),
            input: process.stdin.take().expect("a pipe"),
            output: BufReader::new(process.stdout.take().expect("a pipe")),
            process,
        }
    }

    fn measured(
        &mut self,
        folder: &Path,
        commit: &str,
        is_measured: impl Fn(&str) -> bool,
    ) -> Lines {
        let listed = git(folder, &["ls-tree", "-r", "-z", commit]);
        let mut files = BTreeSet::new();
        for entry in listed.split_terminator('\0') {
            let (about, path) = entry.split_once('\t').expect("an entry");
            let [mode, _, id] = about.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{entry}")
            };
            // Links to files and other repositories have no lines.
            if mode.starts_with("100") && is_measured(path) {
                files.insert((path, id));
            }
        }
        let mut lines = Lines::default();
        for (path, id) in files {
            let count = self.lines(id);
            let states = (1..=count)
                .map(|number| (Line::new(number, u64::from(number % 3 == 0), false), None));
            lines.add(path, states.collect::<FileLines>());
        }
        lines
    }

    fn lines(&mut self, id: &str) -> u32 {
        if let Some(known) = self.known.get(id) {
            return *known;
        }
        writeln!(self.input, "{id}").expect("a pipe");
        let mut about = String::new();
        self.output.read_line(&mut about).expect("a pipe");
        let size: usize = about
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .expect("an object");
        let mut text = vec![0; size + 1];
        self.output.read_exact(&mut text).expect("a pipe");
        text.pop();
        let ends = text.iter().filter(|byte| **byte == b'\n').count();
        let rest = usize::from(text.last().is_some_and(|last| *last != b'\n'));
        let count = u32::try_from(ends + rest).expect("few");
        self.known.insert(id.to_owned(), count);
        count
    }
}
