//! A consistent copy of a SQLite database.

use super::{Operator, StoreError, engine::Engine, run::Run};
use crate::private_files;
use std::{ffi::OsString, fs, path::Path};
use tokio::task;

impl Operator<'_> {
    /// Copies the database to `file`, which must not exist. Readers and writers continue meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotBackedUp`] on PostgreSQL, which has `pg_dump`.
    pub async fn back_up(self, file: &Path) -> Result<(), StoreError> {
        if self.store.engine != Engine::Sqlite {
            return Err(StoreError::NotBackedUp);
        }
        // SQLite writes the whole file but does not sync it. Until the file is synced, it has a random temporary name.
        let mut unfinished = OsString::from(file);
        unfinished.push(format!(".{:016x}.unfinished", rand::random::<u64>()));
        let name = unfinished.to_string_lossy().into_owned();
        // SQLite accepts an empty file. A file that SQLite creates can be read by other users.
        private_files::make_file(Path::new(&unfinished)).map_err(StoreError::Folder)?;
        let copied = self.store.read_pool.run("vacuum into $1", [name]).await;
        let (from, to) = (unfinished, file.to_owned());
        let finished = task::spawn_blocking(move || {
            let finish = || {
                fs::File::open(&from)?.sync_all()?;
                // Unlike a rename, this never replaces a file.
                fs::hard_link(&from, &to)?;
                let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
                fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
            };
            let finished = match copied {
                Ok(_) => finish().map_err(StoreError::Folder),
                Err(error) => Err(error),
            };
            // It may not exist if the copy failed early.
            fs::remove_file(&from).ok();
            finished
        });
        finished
            .await
            .map_err(|error| StoreError::Folder(error.into()))?
    }
}
