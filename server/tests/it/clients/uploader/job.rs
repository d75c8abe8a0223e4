//! A job of a CI system: a git repository with coverage files, in which the uploader runs.

use crate::harness::{Reachable, TOKEN};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A command that runs a POSIX shell.
pub type Shell = &'static [&'static str];

/// The shells that the uploader supports.
pub const SHELLS: [Shell; 5] = [
    &["dash"],
    &["bash"],
    &["bash", "--posix"],
    &["busybox", "ash"],
    &["zsh", "--emulate", "sh"],
];

/// The installed shells.
pub fn installed() -> Vec<Shell> {
    let is_installed = |shell: &Shell| {
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", "exit 0"]);
        command.status().is_ok_and(|status| status.success())
    };
    SHELLS.into_iter().filter(is_installed).collect()
}

/// Every shell with a variant, and every variant with a shell; not each pair, which would run the same lines in the same shell
/// again.
pub fn in_shells<Variant: Copy>(variants: &[Variant]) -> Vec<(Shell, Variant)> {
    let shells = installed();
    let count = shells.len().max(variants.len());
    let variants = variants.iter().copied().cycle();
    shells
        .into_iter()
        .cycle()
        .zip(variants)
        .take(count)
        .collect()
}

/// The script, as it is in the repository.
pub const SCRIPT: &str = include_str!("../../../../uploader/upload.sh");

/// The folder of a job. The repository is the folder `repo` in it.
pub struct Job {
    folder: TempDir,
}

impl Job {
    /// A folder without a repository.
    pub fn without_git() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("repo")).unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        Self { folder }
    }

    /// A repository with one commit on the branch `main`.
    pub fn new() -> Self {
        let job = Self::without_git();
        job.git(&["init", "-q", "-b", "main"]);
        job.write(".gitignore", "coverage.xml\nhtmlcov\n");
        job.write("src/fee.py", "one\ntwo\n");
        job.commit("first");
        job
    }

    /// The same with a remote that cannot be reached.
    pub fn with_remote(address: &str) -> Self {
        let job = Self::new();
        job.git(&["remote", "add", "origin", address]);
        job
    }

    /// Makes `main` the default branch of the remote, as it is in a clone.
    pub fn has_cloned_main(&self) {
        let main = "refs/remotes/origin/main";
        self.git(&["update-ref", main, "main"]);
        self.git(&["symbolic-ref", "refs/remotes/origin/HEAD", main]);
    }

    /// A clone of another job's repository, with these arguments of `git clone`.
    pub fn clone_of(origin: &Self, arguments: &[&str]) -> Self {
        let job = Self::without_git();
        let address = format!("file://{}", origin.root().display());
        job.git(&[&["clone", "-q"], arguments, &[&address, "."]].concat());
        job
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// A folder that is first in `PATH`.
    pub fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// Adds a program that replaces one of the system.
    pub fn replace(&self, program: &str, script: &str) {
        let path = self.bin().join(program);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A coverage file of `src/fee.py` with these lines and hits, and an HTML report.
    pub fn write_coverage(&self, lines: &[(u32, u32)]) {
        self.write("coverage.xml", &python(lines));
        self.write("htmlcov/index.html", "<p>the HTML report");
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let output = git_command(&self.root(), self.folder.path())
            .args(arguments)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        let printed = String::from_utf8(output.stdout).unwrap();
        printed.trim_end().to_owned()
    }

    /// Commits all files, and returns the commit.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.head()
    }

    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// The uploader, with a token for this service.
    pub fn upload(&self, server: &impl Reachable) -> Run<'_> {
        self.upload_to(&server.url(""))
            .with(&[("COVERAGE_TOKEN", TOKEN)])
    }

    /// The uploader, without a token.
    pub fn upload_to(&self, url: &str) -> Run<'_> {
        Run {
            job: self,
            shell: &["sh"],
            variables: vec![("COVERAGE_URL".to_owned(), url.to_owned())],
            arguments: Vec::new(),
            before: "",
            path: None,
        }
    }
}

/// A coverage file of `src/fee.py` with these lines and hits.
pub fn python(lines: &[(u32, u32)]) -> String {
    let lines: String = lines
        .iter()
        .map(|(line, hits)| format!("<line number=\"{line}\" hits=\"{hits}\"/>"))
        .collect();
    format!(
        "<?xml version=\"1.0\"?><coverage><packages><package><classes>\
         <class filename=\"src/fee.py\"><lines>{lines}</lines></class></classes></package></packages></coverage>"
    )
}

/// The path of a program, whatever `PATH` a run has.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap();
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(name));
    paths.find(|path| path.is_file())
}

fn git_command(root: &Path, home: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root);
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "Kim Q.");
        command.env(format!("GIT_{role}_EMAIL"), "kim@example.com");
    }
    command.env("HOME", home).env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

pub struct Run<'a> {
    job: &'a Job,
    shell: Shell,
    variables: Vec<(String, String)>,
    arguments: Vec<String>,
    before: &'static str,
    path: Option<String>,
}

/// What a run printed, on both streams, and its exit code.
pub struct Ran {
    pub code: i32,
    pub printed: String,
}

impl Run<'_> {
    pub fn shell(mut self, shell: Shell) -> Self {
        self.shell = shell;
        self
    }

    pub fn with(mut self, variables: &[(&str, &str)]) -> Self {
        let variables = variables.iter();
        self.variables
            .extend(variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self
    }

    pub fn arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments
            .extend(arguments.iter().map(|text| (*text).to_owned()));
        self
    }

    /// Puts a line before the script, as a shell with other options has it.
    pub fn before(mut self, line: &'static str) -> Self {
        self.before = line;
        self
    }

    pub fn path(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Runs the script as a job does: `curl … | sh -s -- …`, without any other variable of this process.
    pub fn run(self) -> Ran {
        let script = self.job.folder.path().join("upload.sh");
        fs::write(&script, format!("{}{SCRIPT}", self.before)).unwrap();
        let usual = std::env::var("PATH").unwrap();
        let path = self.path.unwrap_or(usual);
        let mut command = Command::new(find_program(self.shell[0]).unwrap());
        let output = command
            .args(&self.shell[1..])
            .args(["-s", "--"])
            .args(self.arguments)
            .stdin(fs::File::open(&script).unwrap())
            .current_dir(self.job.root())
            .env_clear()
            .env("PATH", format!("{}:{path}", self.job.bin().display()))
            .env("HOME", self.job.folder.path())
            .env("TMPDIR", self.job.folder.path())
            .env("NO_PROXY", "127.0.0.1")
            .envs(self.variables)
            .output()
            .unwrap();
        let mut printed = String::from_utf8(output.stdout).unwrap();
        printed.push_str(&String::from_utf8_lossy(&output.stderr));
        let left: Vec<_> = fs::read_dir(self.job.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .filter(|name| name.to_string_lossy().starts_with("tmp."))
            .collect();
        assert!(left.is_empty(), "{left:?} are left behind");
        Ran {
            code: output.status.code().unwrap(),
            printed,
        }
    }
}
