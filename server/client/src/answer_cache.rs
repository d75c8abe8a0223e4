//! Answers of the service, kept in the user's cache folder with their `ETag`.

use crate::environment::variable;
use domain::text::hexadecimal;
use sha2::{Digest, Sha256};
use std::{fs, io::Write, path::PathBuf, time::Duration};
use tempfile::NamedTempFile;

/// How long an answer is kept after it was stored. An unchanged answer is not stored again.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub(super) struct Kept {
    pub(super) etag: String,
    pub(super) body: Vec<u8>,
}

/// The folder of answers; `None` without a home folder. A cache that cannot be read or written only makes commands slower.
pub(super) struct AnswerCache {
    folder: Option<PathBuf>,
}

impl AnswerCache {
    /// The folder below `XDG_CACHE_HOME`, or `.cache` in the home folder (XDG Base Directory Specification).
    pub(super) fn of_user() -> Self {
        let set = |name| variable(name).map(PathBuf::from);
        let base = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let base = base.or_else(|| Some(set("HOME")?.join(".cache")));
        Self {
            folder: base.map(|base| base.join("coverage-dashboard")),
        }
    }

    /// `reader` is what the answer depends on besides the address, such as the token.
    pub(super) fn get(&self, url: &str, reader: &str) -> Option<Kept> {
        let text = fs::read(self.path(url, reader)?).ok()?;
        let end = text.iter().position(|&byte| byte == b'\n')?;
        Some(Kept {
            etag: String::from_utf8(text[..end].to_vec()).ok()?,
            body: text[end + 1..].to_vec(),
        })
    }

    /// Stores an answer, and removes old ones.
    pub(super) fn put(&self, url: &str, reader: &str, etag: &str, body: &[u8]) {
        let (Some(folder), Some(path)) = (&self.folder, self.path(url, reader)) else {
            return;
        };
        // Only the user may read answers: `NamedTempFile` creates a file without rights for others, and a renamed file keeps its
        // rights.
        let written = fs::create_dir_all(folder).and_then(|()| {
            let mut file = NamedTempFile::new_in(folder)?;
            file.write_all(etag.as_bytes())?;
            file.write_all(b"\n")?;
            file.write_all(body)?;
            file.persist(&path)?;
            Ok(())
        });
        if written.is_ok() {
            self.tidy();
        }
    }

    fn path(&self, url: &str, reader: &str) -> Option<PathBuf> {
        let digest = Sha256::digest(format!("{reader}\n{url}"));
        Some(self.folder.as_ref()?.join(hexadecimal(&digest)))
    }

    fn tidy(&self) {
        let folder = self.folder.as_ref();
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let modified = entry.metadata().and_then(|about| about.modified());
            let age = modified.ok().and_then(|at| at.elapsed().ok());
            if age.is_some_and(|age| age > KEPT) {
                fs::remove_file(entry.path()).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_for_its_reader_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AnswerCache {
            folder: Some(folder.path().join("cache")),
        };
        assert!(cache.get("http://a/x", "kim").is_none());
        cache.put("http://a/x", "kim", "\"1\"", b"two\nlines");
        let kept = cache.get("http://a/x", "kim").expect("an answer");
        assert_eq!(
            (kept.etag.as_str(), kept.body.as_slice()),
            ("\"1\"", &b"two\nlines"[..])
        );
        assert!(cache.get("http://a/x", "zoe").is_none());
        assert!(cache.get("http://a/y", "kim").is_none());
        AnswerCache { folder: None }.put("http://a/x", "kim", "\"1\"", b"");
    }
}
