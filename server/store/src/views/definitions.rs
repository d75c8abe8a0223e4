//! What the main branch of a repository defines: the owners of its files, and the views in its settings.

use super::files::{ViewFiles, unless_damaged};
use crate::{Reader, RecordSettings, Store, StoreError, blocking::blocking, gates, run::Run};
use domain::{
    CompiledGlobs, NewSince, PartName, PathGlobs, Repository, ViewKind, ViewName, text::chain,
};
use moka::sync::Cache;
use owners::Owners;
use sha2::{Digest, Sha256};
use std::{
    io::{self, Read},
    sync::Arc,
};

/// The most owners of a repository. Each is a row of its page.
const MAX_OWNERS: usize = 5_000;

/// The most bytes of definitions that stay in memory. Usual ones have some kilobytes, the largest ones 40 megabytes.
const KEPT_BYTES: u64 = 128 << 20;

/// How many views a list offers. The pages of views have all.
const MOST_CHOICES: usize = 200;

/// The file of the newest record that is current on the main branch and has one.
pub(crate) const OWNERS_OF_MAIN: &str = "
    select o.owners from repositories p
     join main_records m on m.repository_id = p.id
     join record_owners o on o.record_id = m.record_id
     where p.name_key = $1
     order by m.updated_at desc, m.record_id desc limit 1";

/// The definitions that were read last, by their digest.
pub(crate) type Known = Cache<[u8; 32], Arc<Definitions>>;

/// What the main branch of a repository defines, or the working tree of a job.
#[derive(Debug)]
pub struct Definitions {
    /// `None` if no CODEOWNERS file was sent.
    pub(super) owners: Option<Owners>,
    pub(super) views: Vec<(PartName, CompiledGlobs)>,
    pub(super) new_since: NewSince,
    pub(crate) digest: [u8; 32],
}

impl Definitions {
    /// Reads definitions that are not stored: settings, and a CODEOWNERS file if there is one.
    #[must_use]
    pub fn read(settings: RecordSettings, owners: Option<&[u8]>) -> Self {
        Self::new(settings, owners, [0; 32])
    }

    fn new(settings: RecordSettings, owners: Option<&[u8]>, digest: [u8; 32]) -> Self {
        let views = settings.views.into_iter();
        Self {
            owners: owners.map(|file| Owners::read(file, settings.owners_of)),
            views: views
                .map(|(name, globs)| (name, globs.compiled()))
                .collect(),
            new_since: settings.new_since.unwrap_or_default(),
            digest,
        }
    }

    /// Definitions that stay in memory.
    pub(crate) fn known() -> Known {
        let bytes = |_: &_, known: &Arc<Self>| u32::try_from(known.bytes()).unwrap_or(u32::MAX);
        Cache::builder()
            .weigher(bytes)
            .max_capacity(KEPT_BYTES)
            .build()
    }

    fn bytes(&self) -> usize {
        let views = self.views.iter().map(|(_, globs)| globs.bytes());
        let owners = self.owners.as_ref().map_or(0, Owners::bytes);
        size_of::<Self>() + owners + views.sum::<usize>()
    }

    /// The owners, unless there are too many, or matching them costs too much.
    fn counting_owners(&self) -> Option<&Owners> {
        let owners = self.owners.as_ref();
        owners.filter(|owners| !owners.is_too_costly() && owners.names().len() <= MAX_OWNERS)
    }

    /// Whether a view contains a file.
    pub(super) fn contains(&self, view: &ViewName, path: &str) -> bool {
        let of_path = || {
            let owners = self.counting_owners()?;
            Some((owners.names(), owners.of(path)))
        };
        match view {
            ViewName::Folder(folder) => {
                let below = path.strip_prefix(folder.as_str());
                below.is_some_and(|rest| rest.starts_with('/'))
            }
            ViewName::Owner(name) => of_path().is_some_and(|(names, of_path)| {
                let mut names = of_path
                    .iter()
                    .filter_map(|&owner| names.get(owner as usize));
                names.any(|owner| owner == name)
            }),
            ViewName::NoOwner => of_path().is_some_and(|(_, of_path)| of_path.is_empty()),
            ViewName::Named(name) => {
                let mut named = self.views.iter().filter(|(of, _)| of == name);
                named.any(|(_, globs)| globs.matches(path))
            }
        }
    }

    /// The views of `kind` that contain a file.
    pub(super) fn of(&self, kind: ViewKind, path: &str) -> Vec<ViewName> {
        match (kind, self.counting_owners()) {
            (ViewKind::Folder, _) | (ViewKind::Owner, None) => Vec::new(),
            (ViewKind::Owner, Some(owners)) => {
                let names = owners.names();
                let of_path = owners.of(path).into_iter();
                let mut found: Vec<_> = of_path
                    .filter_map(|owner| names.get(owner as usize))
                    .map(|owner| ViewName::Owner(owner.clone()))
                    .collect();
                if found.is_empty() {
                    found.push(ViewName::NoOwner);
                }
                found
            }
            (ViewKind::View, _) => {
                let named = self.views.iter().filter(|(_, globs)| globs.matches(path));
                named
                    .map(|(name, _)| ViewName::Named(name.clone()))
                    .collect()
            }
        }
    }

    /// The first `most` owners of each file, and how many more it has. Empty without owners, or if that takes too many steps.
    pub(crate) fn owners_of(&self, paths: &[String], most: usize) -> Vec<(Vec<String>, usize)> {
        let steps = paths.iter().map(|path| self.steps(ViewKind::Owner, path));
        let Some(owners) = self.counting_owners() else {
            return Vec::new();
        };
        if steps.sum::<u64>() > PathGlobs::MAX_STEPS {
            return Vec::new();
        }
        let names = owners.names();
        let of_path = |path: &String| {
            let all = owners.of(path);
            let first = all.iter().take(most);
            let first = first.filter_map(|&owner| names.get(owner as usize).cloned());
            (first.collect(), all.len().saturating_sub(most))
        };
        paths.iter().map(of_path).collect()
    }

    /// All owners, or all views in the settings.
    pub(super) fn all(&self, kind: ViewKind) -> Vec<ViewName> {
        match (kind, self.counting_owners()) {
            (ViewKind::Folder, _) | (ViewKind::Owner, None) => Vec::new(),
            (ViewKind::Owner, Some(owners)) => {
                let named = owners.names().iter().cloned().map(ViewName::Owner);
                named.chain([ViewName::NoOwner]).collect()
            }
            (ViewKind::View, _) => {
                let named = self.views.iter().map(|(name, _)| name.clone());
                named.map(ViewName::Named).collect()
            }
        }
    }

    /// Views to choose from: of the settings, then owners.
    pub(super) fn choices(&self) -> Vec<ViewName> {
        let kinds = [ViewKind::View, ViewKind::Owner].into_iter();
        let mut views: Vec<_> = kinds.flat_map(|kind| self.all(kind)).collect();
        views.truncate(MOST_CHOICES);
        views
    }

    /// How many steps it takes at most to find the views of `kind` that contain a file.
    pub(super) fn steps(&self, kind: ViewKind, path: &str) -> u64 {
        match (kind, self.counting_owners()) {
            (ViewKind::Folder, _) => 0,
            (ViewKind::Owner, owners) => owners.map_or(0, |owners| owners.steps(path)),
            (ViewKind::View, _) => self.views.iter().map(|(_, globs)| globs.steps(path)).sum(),
        }
    }

    /// Problems of the CODEOWNERS file, one sentence each.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let Some(owners) = &self.owners else {
            return Vec::new();
        };
        let names = owners.names().len();
        let many = (names > MAX_OWNERS).then(|| {
            format!(
                "CODEOWNERS names {names} owners, more than {MAX_OWNERS}, so no file has owners."
            )
        });
        owners.notices().iter().cloned().chain(many).collect()
    }
}

impl Store {
    pub(crate) async fn definitions(
        &self,
        repository: &Repository,
    ) -> Result<Arc<Definitions>, StoreError> {
        let mut connection = self.read_pool.acquire().await?;
        let settings = gates::of_main(&mut connection, repository).await?;
        let settings = settings.unwrap_or_default();
        let packed: Option<Vec<u8>> = connection.first_value(OWNERS_OF_MAIN, [repository]).await?;
        drop(connection);
        let mut digest = Sha256::new();
        digest.update(settings.owners_of.word());
        digest.update(serde_json::to_vec(&settings.views).map_err(StoreError::Rules)?);
        digest.update(serde_json::to_vec(&settings.new_since).map_err(StoreError::Rules)?);
        digest.update(packed.as_deref().unwrap_or_default());
        let digest = digest.finalize().into();
        if let Some(known) = self.definitions.get(&digest) {
            return Ok(known);
        }
        let read = move || {
            let file = packed.and_then(|packed| unpacked(&packed));
            Definitions::new(settings, file.as_deref(), digest)
        };
        let read = Arc::new(blocking(read).await?);
        self.definitions.insert(digest, read.clone());
        Ok(read)
    }

    /// Since when lines of a repository count as new by default.
    pub(crate) async fn new_since(&self, repository: &Repository) -> Result<NewSince, StoreError> {
        Ok(self.definitions(repository).await?.new_since.clone())
    }

    /// The files of a view; `None` if no such owner or view is defined. Every folder is a view.
    pub(crate) async fn view_files(
        &self,
        repository: &Repository,
        view: &ViewName,
    ) -> Result<Option<ViewFiles>, StoreError> {
        let definitions = self.definitions(repository).await?;
        Ok(ViewFiles::of(definitions, view))
    }

    /// The views of a repository to choose from.
    pub(crate) async fn view_choices(
        &self,
        repository: &Repository,
    ) -> Result<Vec<ViewName>, StoreError> {
        Ok(self.definitions(repository).await?.choices())
    }

    /// The default of [`Self::new_since`] for the repository of a record.
    pub(crate) async fn new_since_of(&self, record_id: i64) -> Result<NewSince, StoreError> {
        match self.everything().names_of_record(record_id).await? {
            Some(names) => self.new_since(&names.repository).await,
            None => Ok(NewSince::default()),
        }
    }
}

impl Reader {
    /// Returns the files of a view; `None` if the record does not exist, or if it has no files in such a view.
    pub async fn view_of_record(
        &self,
        record_id: i64,
        view: &ViewName,
    ) -> Result<Option<ViewFiles>, StoreError> {
        let Some(names) = self.names_of_record(record_id).await? else {
            return Ok(None);
        };
        let Some(files) = self.view(&names.repository, view).await? else {
            return Ok(None);
        };
        let listed = self.within_found().listed(record_id).await?;
        let (of_view, mut has_some) = (files.clone(), listed.is_none());
        let search = move || {
            if let Some(listed) = listed {
                let read = listed.each(|path, _| has_some |= of_view.has(path) == Some(true));
                unless_damaged(record_id, read);
            }
            has_some && !of_view.is_costly()
        };
        Ok(blocking(search).await?.then_some(files))
    }

    /// Returns the files of a view; `None` if the repository does not exist or defines no such view. Every folder is a view.
    pub async fn view(
        &self,
        repository: &Repository,
        view: &ViewName,
    ) -> Result<Option<ViewFiles>, StoreError> {
        match self.sees(repository) {
            Some(store) => store.view_files(repository, view).await,
            None => Ok(None),
        }
    }
}

/// The stored form of a CODEOWNERS file.
pub fn packed(file: &[u8]) -> Result<Vec<u8>, StoreError> {
    zstd::encode_all(file, 3).map_err(StoreError::Packing)
}

/// The text of a CODEOWNERS file. A damaged file is logged, and counts as none.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let read = zstd::Decoder::new(packed).and_then(|decoder| {
        decoder
            .take(Owners::MAX_BYTES as u64)
            .read_to_end(&mut file)
    });
    let logged = |error: &io::Error| {
        tracing::error!(cause = chain(error), "a CODEOWNERS file cannot be read");
    };
    read.inspect_err(logged).ok().map(|_| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_its_first_owners_and_counts_the_others() {
        let owners = b"* @a @b @c\nfree.c\n";
        let definitions = Definitions::read(RecordSettings::default(), Some(owners));
        let paths = ["x.c", "free.c"].map(str::to_owned);
        let first = ["@a", "@b"].map(str::to_owned).to_vec();
        assert_eq!(
            definitions.owners_of(&paths, 2),
            [(first, 1), (Vec::new(), 0)]
        );
        let many = "**/a/**/b/*c @a\n".repeat(20_000);
        let costly = Definitions::read(RecordSettings::default(), Some(many.as_bytes()));
        let paths = vec!["a/".repeat(60) + "c"; 10_000];
        assert_eq!(costly.owners_of(&paths, 2), []);
    }
}
