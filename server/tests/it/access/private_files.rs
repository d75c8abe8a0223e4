//! Files with private data: only the user of the service may read them, whatever the umask.

use crate::harness::{
    Archive, BINARY, Reachable, ServerProcess, Upload, cobertura, files_below, is_postgres,
};
use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// The binary, started by a shell with an umask of 000.
fn with_open_umask() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "umask 000; exec \"$0\" \"$@\"", BINARY]);
    command
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// All non-empty files. The lock of the database is empty and may belong to another user.
fn filled(folder: &Path) -> Vec<PathBuf> {
    let files = files_below(folder.to_owned()).into_iter();
    files
        .filter(|file| fs::metadata(file).unwrap().len() > 0)
        .collect()
}

fn folders_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    folders
        .filter(|path| path.is_dir())
        .flat_map(|path| [folders_below(&path), vec![path]].concat())
        .collect()
}

async fn upload(server: &ServerProcess) {
    let archive = Archive::report("<p>", &cobertura(1, 2));
    Upload::of(archive.tar_gz()).accepted(server).await;
}

#[tokio::test]
async fn only_the_service_user_can_read_its_files_whatever_the_umask() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data/of/it");
    let database = format!("sqlite://{}/coverage.db", data.display());
    let reports = folder.path().join("kept/reports").display().to_string();
    let arguments = ["--database-url", &database, "--reports-url", &reports];
    let server = if is_postgres() {
        return;
    } else {
        ServerProcess::start_by(with_open_umask(), folder.path(), &arguments)
    };
    upload(&server).await;
    let copy = folder.path().join("copy.db");
    let made = with_open_umask()
        .args(["backup", "--database-url", &database])
        .arg(&copy)
        .status();
    assert!(made.unwrap().success());
    let files = filled(folder.path());
    for name in [
        "coverage.db",
        "coverage.db-wal",
        "coverage.db-shm",
        "copy.db",
    ] {
        assert!(files.iter().any(|file| file.ends_with(name)), "{name}");
    }
    assert!(
        files
            .iter()
            .any(|file| file.extension().is_some_and(|it| it == "zip"))
    );
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    let folders = folders_below(folder.path());
    assert!(folders.len() >= 7, "{folders:?}");
    for folder in folders {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
    }
}

#[tokio::test]
async fn a_start_restricts_a_database_file_that_others_could_read() {
    if is_postgres() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(folder.path(), &[]);
    upload(&server).await;
    // A crash also leaves the files beside the database.
    server.kill();
    let files = ["coverage.db", "coverage.db-wal", "coverage.db-shm"];
    let files = files.map(|name| folder.path().join(name));
    for file in &files {
        fs::set_permissions(file, Permissions::from_mode(0o664)).unwrap();
    }
    let server = ServerProcess::start(folder.path(), &[]);
    assert_eq!(server.get("/records/1").await.status(), 200);
    for file in &files {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
}
