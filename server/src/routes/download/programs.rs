//! The programs that can be downloaded, and their digests.
//!
//! Release archives have the small program of the commands for jobs and laptops, for each target. A service without them has
//! only its own program, which has these commands too.

use domain::text::hexadecimal;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    env,
    env::consts::{ARCH, OS},
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::MetadataExt,
    path::PathBuf,
    sync::LazyLock,
    time::SystemTime,
};
use tokio::{
    fs::{self, File},
    sync::Mutex,
    task,
};

/// The folder of programs beside the binary, each named by its target.
const CLIENTS: &str = "clients";

/// The file of this process, also if another version has replaced it on the disk.
const OWN: &str = "/proc/self/exe";

pub(super) struct Program {
    pub(super) file: File,
    pub(super) bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub(super) digest: String,
}

/// Returns the program for a target, such as `x86_64-linux`; `None` if this service has none.
pub(super) async fn find(target: &str) -> io::Result<Option<Program>> {
    if !is_target(target) {
        return Ok(None);
    }
    let beside = folder()?.join(target);
    if fs::try_exists(&beside).await? {
        return open(beside).await.map(Some);
    }
    match target == own() {
        true => open(OWN.into()).await.map(Some),
        false => Ok(None),
    }
}

pub(super) async fn targets() -> io::Result<Vec<String>> {
    let mut targets = vec![own()];
    match fs::read_dir(folder()?).await {
        Ok(mut entries) => {
            while let Some(entry) = entries.next_entry().await? {
                let name = entry.file_name().into_string();
                targets.extend(name.ok().filter(|name| is_target(name)));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    targets.sort();
    targets.dedup();
    Ok(targets)
}

/// Whether a text names a target: it has no separator and no dot, so it cannot lead out of the folder.
fn is_target(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

fn own() -> String {
    format!("{ARCH}-{OS}")
}

fn folder() -> io::Result<PathBuf> {
    Ok(env::current_exe()?.with_file_name(CLIENTS))
}

/// The number of a file and the time of its last change, which differ after an upgrade.
type Version = (u64, SystemTime);

async fn open(path: PathBuf) -> io::Result<Program> {
    type Digests = HashMap<PathBuf, (Version, String)>;
    /// Locked during a computation, so that jobs that start at the same time share it.
    static DIGESTS: LazyLock<Mutex<Digests>> = LazyLock::new(Mutex::default);
    let file = File::open(&path).await?;
    let of_file = file.metadata().await?;
    let (bytes, version) = (of_file.len(), (of_file.ino(), of_file.modified()?));
    let mut digests = DIGESTS.lock().await;
    // An upgrade may have replaced the file.
    let known = digests.get(&path).filter(|(of, _)| *of == version);
    let (file, digest) = match known {
        Some((_, digest)) => (file, digest.clone()),
        None => {
            let std = file.into_std().await;
            let computing = task::spawn_blocking(move || digest_of(std));
            let (std, digest) = computing.await.map_err(io::Error::other)??;
            digests.insert(path, (version, digest.clone()));
            (File::from_std(std), digest)
        }
    };
    Ok(Program {
        file,
        bytes,
        digest,
    })
}

/// Computes the SHA-256 of a file, and returns the file at its start.
fn digest_of(mut file: std::fs::File) -> io::Result<(std::fs::File, String)> {
    let mut digest = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            length => digest.update(&piece[..length]),
        }
    }
    file.seek(SeekFrom::Start(0))?;
    Ok((file, hexadecimal(&digest.finalize())))
}
