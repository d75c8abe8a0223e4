//! A real server of the S3 protocol, s3s-fs, in its own process. `COVERAGE_S3_SERVER` names the program if it is not in
//! `PATH`. Without the program, tests of object storage are skipped and say so.
//!
//! With `COVERAGE_TEST_REPORTS=s3`, every service of a test keeps its reports there instead of in its folder.

use super::{BINARY, files_below};
use objects::AwsVariables;
use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tempfile::TempDir;

const PROGRAM: &str = "COVERAGE_S3_SERVER";
const REPORTS: &str = "COVERAGE_TEST_REPORTS";

pub const BUCKET: &str = "coverage-reports";
pub const SECRET: &str = "s3cret-of-the-object-storage";

/// A port that was free when it was chosen may be taken by another test, so starting is tried again.
const TRIES: usize = 20;

/// A running server with one bucket, killed when dropped.
pub struct ObjectStorage {
    child: Option<Child>,
    port: u16,
    /// The address that services use.
    address: SocketAddr,
    root: PathBuf,
    _folder: Option<TempDir>,
}

impl ObjectStorage {
    /// A server with an empty bucket; `None` if the program is not installed.
    pub fn start() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mut storage = Self::start_in(folder.path())?;
        storage._folder = Some(folder);
        Some(storage)
    }

    /// The server for all services of this run, if they use one. It keeps its data in `folder`.
    pub fn of_run(folder: &Path) -> Option<Self> {
        let is_wanted = std::env::var(REPORTS).is_ok_and(|reports| reports == "s3");
        is_wanted
            .then(|| Self::start_in(folder).expect("s3s-fs, which COVERAGE_TEST_REPORTS asks for"))
    }

    fn start_in(folder: &Path) -> Option<Self> {
        let root = folder.join("s3");
        fs::create_dir_all(root.join(BUCKET)).unwrap();
        for _ in 0..TRIES {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            drop(listener);
            if let Some(child) = spawn(&root, port)? {
                return Some(Self {
                    child: Some(child),
                    port,
                    address: ([127, 0, 0, 1], port).into(),
                    root,
                    _folder: None,
                });
            }
        }
        panic!("no port is free");
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Makes services use another address, such as that of a proxy.
    pub fn set_address(&mut self, address: SocketAddr) {
        self.address = address;
    }

    /// `s3://…` of a prefix in the bucket.
    pub fn url(&self, prefix: &str) -> String {
        format!("s3://{BUCKET}/{prefix}")
    }

    /// The environment variables that an operator sets.
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_REGION", "eu-central-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "coverage".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    /// The settings for a service inside the test.
    pub fn aws(&self) -> AwsVariables {
        let variables = self.variables().into_iter();
        variables
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// The binary, configured for it except for its URL.
    pub fn command(&self) -> Command {
        let mut command = Command::new(BINARY);
        command.envs(self.variables());
        command
    }

    /// The bucket, as a folder.
    pub fn root(&self) -> PathBuf {
        self.root.join(BUCKET)
    }

    /// The objects in the bucket, as files.
    pub fn objects(&self) -> Vec<PathBuf> {
        files_below(self.root())
    }

    /// Parts of uploads that were neither completed nor aborted.
    pub fn parts(&self) -> Vec<PathBuf> {
        parts_beside(&self.root())
    }

    /// Waits until all multipart uploads have ended.
    pub async fn assert_no_parts(&self) {
        for _ in 0..200 {
            if self.parts().is_empty() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("parts stay: {:?}", self.parts());
    }

    /// Stops the process; stored data stays.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().unwrap();
        }
    }

    /// Starts it again at the same address.
    pub fn start_again(&mut self) {
        self.child = spawn(&self.root, self.port).flatten();
        assert!(self.child.is_some(), "its port is taken");
    }
}

impl Drop for ObjectStorage {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The objects of a bucket, and the parts of uploads that were neither completed nor aborted.
pub fn files_in_bucket(bucket: &Path) -> Vec<PathBuf> {
    [files_below(bucket.to_owned()), parts_beside(bucket)].concat()
}

fn parts_beside(bucket: &Path) -> Vec<PathBuf> {
    let beside = fs::read_dir(bucket.with_file_name("")).unwrap();
    let paths = beside.map(|entry| entry.unwrap().path());
    let is_part = |path: &PathBuf| path.to_string_lossy().contains(".part-");
    paths.filter(is_part).collect()
}

/// A process that has reported that it runs; `None` if the port is taken or the program is missing.
#[expect(
    clippy::print_stdout,
    reason = "a test that tried nothing has to say so"
)]
fn spawn(root: &Path, port: u16) -> Option<Option<Child>> {
    let program = std::env::var_os(PROGRAM).unwrap_or_else(|| "s3s-fs".into());
    let spawned = Command::new(&program)
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .args(["--access-key", "coverage", "--secret-key", SECRET])
        .arg(root)
        .env("RUST_LOG", "s3s_fs=info")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("no s3s-fs here: no object storage was tried");
            return None;
        }
        spawned => spawned.unwrap(),
    };
    let messages = BufReader::new(child.stdout.take().unwrap());
    let runs = messages
        .lines()
        .any(|line| line.unwrap().contains("server is running"));
    if !runs {
        child.wait().unwrap();
    }
    Some(runs.then_some(child))
}
