//! A server for each test, archives, and helpers to upload and read.

mod archive;
mod balancer;
mod database;
mod fixed;
mod forge;
mod issuer;
mod login_issuer;
mod preloaded;
mod process;
mod reachable;
mod receiver;
mod s3;
mod upload;

pub use archive::{Archive, Zip, ZipEntry, bzip2, gzip, noise, xz, zstd};
pub use balancer::Balancer;
use database::migrated_database_url;
pub use database::{database_url, is_postgres, remove_database};
pub use forge::{
    COMMIT, ForgeBehaviour, ForgeStandIn, GOOD, KINDS, Kind, NO_COMMIT, OpenPull, READS_ONLY,
    STATUSES_ONLY, TREE_OF_HEAD,
};
pub use issuer::{IssuerBehaviour, RUNNER_TOKEN, SigningKey, TestIssuer};
pub use login_issuer::{CLIENT, LoginFault, LoginIssuer};
pub use preloaded::preloaded;
pub use process::{BINARY, ServerProcess};
pub use reachable::Reachable;
pub use receiver::{Notified, Receiver, ReceiverBehaviour};
pub use s3::{BUCKET, ObjectStorage, SECRET, files_in_bucket};
pub use upload::Upload;

use clap::{CommandFactory, FromArgMatches};
use reqwest::Client;
use server::commands::{Cli, Command};
use sqlx::{AnyConnection, Connection};
use std::{net::SocketAddr, path::PathBuf, time::Duration};
use store::Store;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle, time::timeout};

pub const TOKEN: &str = "t0ken";

/// Fails after two minutes, for tests that would otherwise wait forever.
pub async fn within_deadline<T>(work: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(120), work)
        .await
        .expect("it did not happen within two minutes")
}

/// Removes replaced reports at once, for tests that count stored reports.
pub const NO_GRACE: [&str; 2] = ["--report-grace", "0"];

/// A running service with its own database and folder, removed when dropped.
pub struct TestServer {
    pub folder: TempDir,
    pub client: Client,
    address: SocketAddr,
    database_url: String,
    /// The bucket of its reports; `None` if they are in its folder.
    bucket: Option<PathBuf>,
    /// The variables with the place of the reports, for commands.
    variables: Vec<(&'static str, String)>,
    /// The storage of the bucket, if it belongs to this server.
    _storage: Option<ObjectStorage>,
    stop: Option<oneshot::Sender<()>>,
    running: Option<JoinHandle<()>>,
    database: DatabaseGuard,
}

async fn create_tables(url: String) {
    Store::open(&url).await.unwrap().close().await;
}

/// Removes the PostgreSQL database, which would outlive the folder.
struct DatabaseGuard(Option<PathBuf>);

impl Drop for DatabaseGuard {
    fn drop(&mut self) {
        if let Some(folder) = &self.0
            && is_postgres()
        {
            remove_database(folder);
        }
    }
}

impl TestServer {
    pub async fn start() -> Self {
        Self::start_with(&["--upload-token", TOKEN]).await
    }

    /// Starts it without a grace period: replaced reports are removed at once.
    pub async fn start_without_grace() -> Self {
        Self::start_with(&[&["--upload-token", TOKEN], &NO_GRACE[..]].concat()).await
    }

    /// Starts it with flags, and with changes of fixed values: the name of the field, such as `max_streams`, and its value.
    pub async fn start_with(arguments: &[&str]) -> Self {
        Self::start_in(TempDir::new().unwrap(), arguments).await
    }

    /// Starts it on a folder that may contain data of an earlier server.
    pub async fn start_in(folder: TempDir, arguments: &[&str]) -> Self {
        let storage = ObjectStorage::of_run(folder.path());
        let place = storage.as_ref().map(|storage| (storage, ""));
        let mut server = Self::start_at(folder, place, arguments).await;
        server._storage = storage;
        server
    }

    /// Starts it with its reports under a prefix in a bucket.
    pub async fn start_on(storage: &ObjectStorage, prefix: &str) -> Self {
        let arguments = ["--upload-token", TOKEN];
        Self::start_at(TempDir::new().unwrap(), Some((storage, prefix)), &arguments).await
    }

    /// Starts it with its database in `folder`, and its reports too unless a bucket is named.
    pub async fn start_at(
        folder: TempDir,
        place: Option<(&ObjectStorage, &str)>,
        arguments: &[&str],
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let database = migrated_database_url(folder.path(), create_tables);
        let reports = match place {
            Some((storage, prefix)) => storage.url(prefix),
            None => folder.path().join("reports").display().to_string(),
        };
        let site = folder.path().join("site").display().to_string();
        let own = [
            "coverage-dashboard",
            "serve",
            "--database-url",
            &database,
            "--reports-url",
            &reports,
            "--site-root",
            &site,
        ];
        // Identities need an audience that the operator states.
        let public_url = format!("http://{address}");
        let stated = ["--public-url", &public_url];
        let is_stated = arguments.contains(&"--public-url");
        let needs_url = ["--oidc-issuers", "--login-issuer"];
        let needs_url = needs_url.iter().any(|flag| arguments.contains(flag));
        let stated = if needs_url && !is_stated {
            &stated[..]
        } else {
            &[]
        };
        let (flags, changes) = fixed::separate(arguments);
        let arguments = own.iter().chain(&flags).chain(stated);
        let matches = Cli::command().get_matches_from(arguments);
        let Command::Serve(mut config) = Cli::from_arg_matches(&matches).unwrap().command else {
            unreachable!("the command is `serve`");
        };
        config.shown = server::commands::settings::settings(&matches, &config, address);
        fixed::change(&mut config, &changes);
        if let Some((storage, _)) = place {
            config.aws = storage.aws();
        }
        let mut variables = vec![("REPORTS_URL", reports)];
        variables.extend(
            place
                .into_iter()
                .flat_map(|(storage, _)| storage.variables()),
        );
        let (stop, stopped) = oneshot::channel::<()>();
        let running =
            tokio::spawn(async move {
                server::commands::serve::run(*config, listener, |_| {}, async move {
                    drop(stopped.await)
                })
                .await
                .unwrap();
            });
        Self {
            database: DatabaseGuard(Some(folder.path().to_owned())),
            folder,
            client: Client::new(),
            address,
            database_url: database,
            bucket: place.map(|(storage, _)| storage.root()),
            variables,
            _storage: None,
            stop: Some(stop),
            running: Some(running),
        }
    }

    /// Shuts it down and returns the folder.
    pub async fn stop(mut self) -> TempDir {
        drop(self.stop.take());
        self.database.0 = None;
        // Idle connections would keep the server waiting.
        self.client = Client::new();
        self.running.take().unwrap().await.unwrap();
        self.folder
    }

    /// Opens the same database again.
    pub async fn store(&self) -> Store {
        // The start creates its tables.
        self.get("/coverages-api/health").await;
        Store::open(&self.database_url()).await.unwrap()
    }

    /// Computes again what is derived from records, after the test has changed records.
    pub async fn recompute(&self) {
        let store = self.store().await;
        let mut database = self.database().await;
        let ids = sqlx::query_scalar("select id from repositories");
        let ids: Vec<i64> = ids.fetch_all(&mut database).await.unwrap();
        for id in ids {
            store.operator().recompute_summaries(id).await.unwrap();
        }
    }

    /// The binary with these arguments, on the server's database and reports.
    pub fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(BINARY);
        command
            .args(arguments)
            .env("DATABASE_URL", self.database_url())
            .envs(self.variables.clone());
        command
    }

    pub fn database_url(&self) -> String {
        self.database_url.clone()
    }

    /// A connection to the same database, for statements of the test.
    pub async fn database(&self) -> AnyConnection {
        let url = self.database_url();
        store::install_drivers();
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        if !is_postgres() {
            sqlx::query("pragma busy_timeout = 10000")
                .execute(&mut connection)
                .await
                .unwrap();
        }
        connection
    }

    /// The files in the folder of reports or the objects in the bucket, including unfinished ones.
    pub fn stored_files(&self) -> Vec<PathBuf> {
        match &self.bucket {
            Some(bucket) => files_in_bucket(bucket),
            None => files_below(self.folder.path().join("reports")),
        }
    }
}

impl Reachable for TestServer {
    fn client(&self) -> &Client {
        &self.client
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

/// An address that must not be called.
pub struct Untouched(std::net::TcpListener);

impl Untouched {
    pub fn listen() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// Checks that no connection has come so far; the system would have kept it.
    pub fn assert_untouched(&self) {
        let error = self.0.accept().expect_err("a client connected");
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock, "{error}");
    }
}

/// All files in a folder and its subfolders.
pub fn files_below(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files_below(path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// A Cobertura file with `covered` of `total` lines.
pub fn cobertura(covered: u32, total: u32) -> String {
    format!(
        "<?xml version=\"1.0\"?><coverage lines-covered=\"{covered}\" lines-valid=\"{total}\" line-rate=\"0\"><packages/></coverage>"
    )
}
