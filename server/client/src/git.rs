//! The working tree: its commits, and its changes since a commit.

use crate::error::ClientError;
use domain::CommitHash;
use lines::{Changes, ChangesParser};
use std::{
    env,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How far back an ancestor with a record is searched.
const ANCESTORS: &str = "--max-count=5000";

/// Larger files are not source code.
const MAX_SOURCE: u64 = 8 << 20;

pub(crate) struct Git {
    root: PathBuf,
}

/// A file that git does not track, and its number of lines.
pub(crate) struct NewFile {
    pub(crate) path: String,
    pub(crate) lines: u32,
}

impl Git {
    /// Finds the working tree of the current folder.
    pub(crate) fn here() -> Result<Self, ClientError> {
        let here = env::current_dir()?;
        let top = run(&here, &["rev-parse", "--show-toplevel"])?;
        Ok(Self {
            root: PathBuf::from(text(&top)),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn origin(&self) -> Option<String> {
        let address = run(&self.root, &["config", "--get", "remote.origin.url"]).ok()?;
        Some(text(&address)).filter(|address| !address.is_empty())
    }

    /// HEAD and its ancestors, the newest first.
    pub(crate) fn ancestors(&self) -> Result<Vec<CommitHash>, ClientError> {
        let listed = run(&self.root, &["rev-list", ANCESTORS, "HEAD"])?;
        let listed = text(&listed);
        Ok(listed
            .lines()
            .filter_map(|line| line.parse().ok())
            .collect())
    }

    /// What the working tree changes since a commit, committed or not.
    pub(crate) fn changes_since(&self, commit: &str) -> Result<Changes, ClientError> {
        let arguments = [
            "-c",
            "core.quotePath=off",
            "diff",
            "-U0",
            "--inter-hunk-context=0",
            "-M",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "--end-of-options",
            commit,
            "--",
        ];
        let diff = run(&self.root, &arguments)?;
        let mut parser = ChangesParser::whole();
        parser.feed(&diff).map_err(ClientError::Diff)?;
        parser.finish().map_err(ClientError::Diff)
    }

    /// The files that git neither tracks nor ignores.
    pub(crate) fn new_files(&self) -> Result<Vec<NewFile>, ClientError> {
        let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
        let listed = run(&self.root, &arguments)?;
        let paths = listed
            .split(|&byte| byte == 0)
            .filter(|path| !path.is_empty());
        let files = paths.filter_map(|path| {
            let path = String::from_utf8(path.to_vec()).ok()?;
            let lines = lines_in(&self.root.join(&path))?;
            Some(NewFile { path, lines })
        });
        Ok(files.collect())
    }

    /// The commit where HEAD left a branch of the remote; `None` is its default branch. Missing commits are fetched, since CI
    /// systems clone only the newest commit, or one branch.
    pub(crate) fn fork_point(&self, branch: Option<&str>) -> Result<String, ClientError> {
        let base = |of: &str| run(&self.root, &["merge-base", "HEAD", of]);
        let known = format!("refs/remotes/origin/{}", branch.unwrap_or("HEAD"));
        let found = base(&known).or_else(|_| {
            let wanted = match branch {
                Some(branch) => format!("refs/heads/{branch}"),
                None => "HEAD".to_owned(),
            };
            // The CI system names this branch. The name must not become a refspec with a target.
            run(
                &self.root,
                &["check-ref-format", "--allow-onelevel", &wanted],
            )?;
            let mut fetch = STALLED.to_vec();
            fetch.extend(["fetch", "--quiet", "--no-tags"]);
            if self.is_shallow()? {
                fetch.push("--unshallow");
            }
            fetch.extend(["origin", &wanted]);
            run(&self.root, &fetch)?;
            base("FETCH_HEAD")
        });
        found.map(|commit| text(&commit))
    }

    fn is_shallow(&self) -> Result<bool, ClientError> {
        let answer = run(&self.root, &["rev-parse", "--is-shallow-repository"])?;
        Ok(text(&answer) == "true")
    }

    /// The parents of HEAD. A commit names them even in a shallow clone.
    pub(crate) fn parents(&self) -> Result<Vec<String>, ClientError> {
        let commit = run(&self.root, &["cat-file", "commit", "HEAD"])?;
        let commit = text(&commit);
        let head = commit.lines().take_while(|line| !line.is_empty());
        let parents = head.filter_map(|line| line.strip_prefix("parent "));
        Ok(parents.map(str::to_owned).collect())
    }

    /// Returns the hash of a commit, which is fetched from the remote if the clone does not have it. `None` if that fails.
    pub(crate) fn fetched(&self, commit: &str) -> Option<String> {
        let wanted = format!("{commit}^{{commit}}");
        let known = || {
            let arguments = [
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &wanted,
            ];
            run(&self.root, &arguments).ok().map(|hash| text(&hash))
        };
        known().or_else(|| {
            if !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            let arguments = [
                "fetch",
                "--quiet",
                "--no-tags",
                "--depth=1",
                "origin",
                commit,
            ];
            run(&self.root, &arguments).ok()?;
            known()
        })
    }

    /// The content of a file in HEAD; `None` if HEAD has no such file.
    pub(crate) fn committed(&self, path: &str) -> Option<Vec<u8>> {
        run(&self.root, &["cat-file", "blob", &format!("HEAD:{path}")]).ok()
    }

    /// The paths of all files that git tracks or does not ignore, each with a NUL after it.
    pub(crate) fn paths(&self) -> Result<Vec<u8>, ClientError> {
        let all = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ];
        run(&self.root, &all)
    }
}

/// Options that make git give up a transfer that stalls for a minute.
const STALLED: [&str; 4] = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"];

fn run(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, ClientError> {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments);
    command
        .stdin(Stdio::null())
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0");
    let output = command
        .output()
        .map_err(|error| ClientError::Git(error.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let errors = text(&output.stderr);
    let first = errors
        .lines()
        .next()
        .unwrap_or("it failed without a message");
    Err(ClientError::Git(first.to_owned()))
}

fn text(printed: &[u8]) -> String {
    String::from_utf8_lossy(printed).trim_end().to_owned()
}

/// The number of lines of a text file; `None` if it is not one.
fn lines_in(path: &Path) -> Option<u32> {
    let mut file = File::open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() || about.len() > MAX_SOURCE {
        return None;
    }
    let mut content = Vec::new();
    file.by_ref()
        .take(MAX_SOURCE)
        .read_to_end(&mut content)
        .ok()?;
    if content.contains(&0) {
        return None;
    }
    let ends = content.iter().filter(|&&byte| byte == b'\n').count();
    let has_rest = content.last().is_some_and(|&last| last != b'\n');
    u32::try_from(ends + usize::from(has_rest)).ok()
}
