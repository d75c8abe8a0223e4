//! The clients themselves, each with a time limit. `scripts/with-foreign-clients.sh` installs them; a test of a client that is
//! not installed says that it did not run.

use crate::{
    clients::uploader::{Job, Ran},
    harness::{Reachable, TestServer},
};
use std::{env, path::PathBuf, process::Command};
use tokio::task::spawn_blocking;

/// After so many seconds, a client is ended.
const SECONDS: &str = "60";

/// The folder with what Python runs before a client.
const PYTHON_PATH: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/clients/foreign/python"
);

/// A client, and the command of a job that uploads with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    pub(super) name: &'static str,
    folder: &'static str,
    pub(super) command: &'static str,
}

const fn client(name: &'static str, folder: &'static str, command: &'static str) -> Client {
    Client {
        name,
        folder,
        command,
    }
}

/// In one call.
pub(super) const CLI: Client = client(
    "codecov-cli",
    "codecov-cli",
    "codecovcli -u $URL upload-coverage -t $TOKEN --fail-on-error -f $FILE --disable-search --plugin noop --git-service github $OPTIONS",
);
pub(super) const CLI_THREE_CALLS: Client = client(
    "codecov-cli, three calls",
    "codecov-cli",
    "codecovcli -u $URL upload-process -t $TOKEN --fail-on-error -f $FILE --disable-search --plugin noop --git-service github $OPTIONS",
);
pub(super) const CLI_LEGACY: Client = client(
    "codecov-cli --legacy",
    "codecov-cli",
    "codecovcli -u $URL upload-coverage --legacy -t $TOKEN --fail-on-error -f $FILE --disable-search --plugin noop --git-service github $OPTIONS",
);
/// Codecov's Action with codecov-cli. `COVERAGE_CODECOV_ACTION` names a checkout of it.
pub(super) const ACTION: Client = client(
    "Codecov's Action",
    "codecov-cli",
    "python $PYTHONPATH/composite_action.py $ACTION",
);
/// It does not name the repository outside of a CI system.
pub(super) const NPM: Client = client(
    "codecov (npm)",
    "codecov-npm",
    "codecov -u $URL -t $TOKEN -f $FILE --disable=gcov $OPTIONS",
);
pub(super) const PYPI: Client = client(
    "codecov (PyPI)",
    "codecov-pypi",
    "codecov --url $URL -t $TOKEN -f $FILE -r acme/payments -X gcov search $OPTIONS",
);
/// It reads the data of coverage.py in `.coverage`.
pub(super) const COVERALLS_PYPI: Client = client("coveralls (PyPI)", "coveralls-pypi", "coveralls");
pub(super) const COVERALLS_NPM: Client =
    client("coveralls (npm)", "coveralls-npm", "coveralls <$FILE");
pub(super) const COVERALLS_NEXT: Client =
    client("coveralls-next", "coveralls-next", "coveralls <$FILE");
/// It runs gcov. It does not name the repository.
pub(super) const CPP: Client = client("cpp-coveralls", "cpp-coveralls", "cpp-coveralls");
/// It is a formatter of SimpleCov.
pub(super) const RUBY: Client = client(
    "coveralls (Ruby)",
    "coveralls-ruby",
    "COVERALLS_RUN_LOCALLY=1 ruby measure.rb",
);

pub(super) const OF_CODECOV: [Client; 5] = [CLI, CLI_THREE_CALLS, CLI_LEGACY, NPM, PYPI];

impl Client {
    /// The client with another command.
    pub(super) const fn with(self, command: &'static str) -> Self {
        Self { command, ..self }
    }

    /// Whether it is installed; if not, this is said.
    #[expect(clippy::print_stderr, reason = "a test is never skipped silently")]
    pub(super) fn is_installed(self) -> bool {
        let is_installed = self.path().is_some_and(|folder| folder.is_dir());
        if !is_installed {
            let name = self.name;
            eprintln!("{name} did not run: scripts/with-foreign-clients.sh installs it");
        }
        is_installed
    }

    fn path(self) -> Option<PathBuf> {
        let clients = env::var_os("COVERAGE_FOREIGN_CLIENTS").map(PathBuf::from);
        clients.map(|clients| clients.join(self.folder))
    }

    /// The folder of the Action, if it is there; if not, this is said.
    #[expect(clippy::print_stderr, reason = "a test is never skipped silently")]
    pub(super) fn action(self) -> Option<String> {
        let folder = env::var("COVERAGE_CODECOV_ACTION").ok();
        if folder.is_none() {
            eprintln!("Codecov's Action did not run: COVERAGE_CODECOV_ACTION names no checkout");
        }
        folder.filter(|_| self.is_installed())
    }

    /// Runs its command in the repository of a job, in another thread, because the service runs in this one. `FILE` is
    /// `coverage.lcov`, and there are no `OPTIONS`, unless the variables name others.
    pub(super) async fn run(
        self,
        job: &Job,
        server: &TestServer,
        token: &str,
        variables: &[(&str, &str)],
    ) -> Ran {
        let (folder, url) = (self.path().unwrap(), server.url(""));
        let path = env::var("PATH").unwrap();
        let programs = ["bin", "node_modules/.bin"].map(|bin| folder.join(bin));
        let path = format!("{}:{}:{path}", programs[0].display(), programs[1].display());
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after", "5", SECONDS, "sh", "-c", self.command])
            .current_dir(job.root())
            .env_clear()
            .env("PATH", path)
            .env("PYTHONPATH", PYTHON_PATH)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("HOME", job.bin())
            .env("LANG", "C.UTF-8")
            .env("NO_PROXY", "127.0.0.1")
            .env("FILE", "coverage.lcov")
            .env("URL", &url)
            .env("TOKEN", token)
            .env("COVERALLS_HOST", &url)
            .env("COVERALLS_ENDPOINT", &url)
            .env("COVERALLS_REPO_TOKEN", token)
            .envs(variables.iter().copied());
        let output = spawn_blocking(move || command.output());
        let output = output.await.unwrap().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        Ran {
            code: output.status.code().unwrap(),
            printed: String::from_utf8_lossy(&printed).into_owned(),
        }
    }

    /// Runs its command, which must succeed, and returns what it printed.
    pub(super) async fn succeed(
        self,
        job: &Job,
        server: &TestServer,
        token: &str,
        variables: &[(&str, &str)],
    ) -> String {
        let ran = self.run(job, server, token, variables).await;
        assert_eq!(ran.code, 0, "{}: {}", self.name, ran.printed);
        ran.printed
    }
}
