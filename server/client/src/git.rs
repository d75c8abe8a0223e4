//! The working tree: its commits, and its changes since a commit.

use crate::error::ClientError;
use domain::{CommitHash, Repository};
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
        let top = run(&here, "rev-parse --show-toplevel", &[])?;
        Ok(Self {
            root: PathBuf::from(text(&top)),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The repository of the remote `origin`.
    pub(super) fn origin(&self) -> Option<Repository> {
        let address = self.run("config --get remote.origin.url", &[]).ok()?;
        repository_at(&text(&address))
    }

    fn run(&self, words: &str, names: &[&str]) -> Result<Vec<u8>, ClientError> {
        run(&self.root, words, names)
    }

    /// HEAD and its ancestors, the newest first.
    pub(crate) fn ancestors(&self) -> Result<Vec<CommitHash>, ClientError> {
        let listed = text(&self.run("rev-list", &[ANCESTORS, "HEAD"])?);
        let commits = listed.lines().filter_map(|line| line.parse().ok());
        Ok(commits.collect())
    }

    /// What the working tree changes since a commit, committed or not.
    pub(crate) fn changes_since(&self, commit: &str) -> Result<Changes, ClientError> {
        let diff = self.run(DIFF, &[commit, "--"])?;
        let mut parser = ChangesParser::whole();
        parser.feed(&diff).map_err(ClientError::Diff)?;
        parser.finish().map_err(ClientError::Diff)
    }

    /// The files that git neither tracks nor ignores.
    pub(crate) fn new_files(&self) -> Result<Vec<NewFile>, ClientError> {
        let listed = self.run("ls-files --others --exclude-standard -z", &[])?;
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
        let base = |of: &str| self.run("merge-base HEAD", &[of]);
        let known = format!("refs/remotes/origin/{}", branch.unwrap_or("HEAD"));
        let found = base(&known).or_else(|_| {
            let wanted = match branch {
                Some(branch) => format!("refs/heads/{branch}"),
                None => "HEAD".to_owned(),
            };
            // The CI system names this branch. The name must not become a refspec with a target.
            self.run("check-ref-format --allow-onelevel", &[&wanted])?;
            let depth = self.is_shallow()?.then_some("--unshallow");
            let names: Vec<_> = depth.into_iter().chain(["origin", &wanted]).collect();
            self.run(FETCH, &names)?;
            base("FETCH_HEAD")
        });
        found.map(|commit| text(&commit))
    }

    fn is_shallow(&self) -> Result<bool, ClientError> {
        let answer = self.run("rev-parse --is-shallow-repository", &[])?;
        Ok(text(&answer) == "true")
    }

    /// The parents of HEAD. A commit names them even in a shallow clone.
    pub(crate) fn parents(&self) -> Result<Vec<String>, ClientError> {
        let commit = text(&self.run("cat-file commit HEAD", &[])?);
        let head = commit.lines().take_while(|line| !line.is_empty());
        let parents = head.filter_map(|line| line.strip_prefix("parent "));
        Ok(parents.map(str::to_owned).collect())
    }

    /// Returns the hash of a commit, which is fetched from the remote if the clone does not have it. `None` if that fails.
    pub(crate) fn fetched(&self, commit: &str) -> Option<String> {
        let wanted = format!("{commit}^{{commit}}");
        let known = || {
            let hash = self.run("rev-parse --verify --quiet --end-of-options", &[&wanted]);
            hash.ok().map(|hash| text(&hash))
        };
        known().or_else(|| {
            if !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            self.run("fetch --quiet --no-tags --depth=1 origin", &[commit])
                .ok()?;
            known()
        })
    }

    /// The content of a file in HEAD; `None` if HEAD has no such file.
    pub(crate) fn committed(&self, path: &str) -> Option<Vec<u8>> {
        self.run("cat-file blob", &[&format!("HEAD:{path}")]).ok()
    }

    /// The paths of all files that git tracks or does not ignore, each with a NUL after it.
    pub(crate) fn paths(&self) -> Result<Vec<u8>, ClientError> {
        self.run("ls-files -z --cached --others --exclude-standard", &[])
    }
}

const DIFF: &str = "-c core.quotePath=off diff -U0 --inter-hunk-context=0 -M --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/ --end-of-options";

/// Gives up a transfer that stalls for a minute.
const FETCH: &str = "-c http.lowSpeedLimit=1 -c http.lowSpeedTime=60 fetch --quiet --no-tags";

/// Runs git in a folder. `names` are arguments that may contain spaces.
fn run(folder: &Path, words: &str, names: &[&str]) -> Result<Vec<u8>, ClientError> {
    let mut command = Command::new("git");
    command.current_dir(folder).stdin(Stdio::null());
    command.args(words.split(' ')).args(names);
    command
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
    let about = path.metadata().ok()?;
    if !about.is_file() || about.len() > MAX_SOURCE {
        return None;
    }
    let (mut content, file) = (Vec::new(), File::open(path).ok()?);
    // The file may grow meanwhile.
    file.take(MAX_SOURCE).read_to_end(&mut content).ok()?;
    if content.contains(&0) {
        return None;
    }
    let ends = content.iter().filter(|&&byte| byte == b'\n').count();
    let has_rest = content.last().is_some_and(|&last| last != b'\n');
    u32::try_from(ends + usize::from(has_rest)).ok()
}

/// Returns the repository of an address such as `https://git.example.com/acme/payments.git` or `git@git.example.com:acme/payments`.
fn repository_at(address: &str) -> Option<Repository> {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => address.split_once(':')?.1,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    path.replacen("/_git/", "/", 1).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::repository_at;

    #[test]
    fn the_name_follows_the_host() {
        for (address, name) in [
            ("https://git.example.com/acme/payments.git", "acme/payments"),
            (
                "https://kim:secret@git.example.com:8443/acme/payments/",
                "acme/payments",
            ),
            (
                "ssh://git@git.example.com:22/acme/tools/payments",
                "acme/tools/payments",
            ),
            ("git@git.example.com:acme/payments.git", "acme/payments"),
            ("git@git.example.com:/acme/payments.git", "acme/payments"),
            (
                "https://acme@dev.azure.com/acme/shop/_git/payments",
                "acme/shop/payments",
            ),
        ] {
            let found = repository_at(address).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(name), "{address}");
        }
        for other in [
            "",
            "/srv/git/payments.git",
            "https://git.example.com",
            "git@git.example.com:payments",
            "file:///a b/c",
        ] {
            assert_eq!(repository_at(other), None, "{other}");
        }
    }
}
