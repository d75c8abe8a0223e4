//! The names that tools give to the page of a source file.
//!
//! - LCOV's genhtml, istanbul, grcov, llvm-cov, PHPUnit, scoverage: the path of the file, or an end of it, and `.html`.
//! - JaCoCo: the package with dots as a folder, and the name of the file.
//! - coverage.py: the name with `_` in place of `.`, after a hash of the folder. Older releases: the whole path with `_`.
//! - gcovr and kcov: the name of the file, and a hash of its path.

use domain::text::hexadecimal;
use md5::{Digest, Md5};
use sha3::Sha3_256;
use std::{collections::HashMap, iter::zip};

/// The most components that are compared: a report may have many pages.
const MAX_COMPONENTS: usize = 32;

/// The length of a folder's hash in coverage.py, in bytes.
const FOLDER_HASH: usize = 8;

/// A source file.
#[derive(Debug)]
pub(super) struct Named<'a> {
    /// The last components of the path, in reverse order.
    components: Vec<&'a str>,
    /// Page names without a folder that match an end of the path, with the number of its components.
    flat: HashMap<String, usize>,
    /// Hashes of ends of the path, as gcovr writes them, with the number of their components.
    hashes: HashMap<String, usize>,
}

impl<'a> Named<'a> {
    pub(super) fn new(path: &'a str) -> Self {
        let components = path.rsplit('/').filter(|component| !component.is_empty());
        let components: Vec<_> = components.take(MAX_COMPONENTS).collect();
        let (mut flat, mut hashes) = (HashMap::new(), HashMap::new());
        for count in (1..=components.len()).rev() {
            let mut end: Vec<_> = components[..count].to_vec();
            end.reverse();
            let folder = end[..count - 1].join("/");
            let end = end.join("/");
            let stem = end.rsplit_once('.').map_or(&*end, |(stem, _)| stem);
            let file = components[0].replace('.', "_");
            let mut names = vec![end.replace(['/', '.'], "_"), stem.replace(['/', '.'], "_")];
            if count > 1 {
                let sha3 = hexadecimal(&Sha3_256::digest(&folder)[..FOLDER_HASH]);
                let md5 = hexadecimal(&Md5::digest(&folder)[..FOLDER_HASH]);
                names.extend([format!("z_{sha3}_{file}"), format!("d_{md5}_{file}")]);
            }
            for name in names {
                flat.entry(name).or_insert(count);
            }
            hashes.insert(hexadecimal(&Md5::digest(&end)), count);
        }
        Self {
            components,
            flat,
            hashes,
        }
    }

    /// Returns how many components of the path the name of a page contains. `page` is the name without `.html`. 0 if it is the
    /// page of another file.
    pub(super) fn evidence(&self, page: &str) -> usize {
        let page = page.strip_suffix(".gcov").unwrap_or(page);
        let (folder, name) = page.rsplit_once('/').unwrap_or(("", page));
        let flat = self.flat.get(name).copied().unwrap_or_default();
        flat.max(self.as_path(page))
            .max(self.in_package(folder, name))
            .max(self.before_hash(name))
    }

    /// `src/fee.c`
    fn as_path(&self, page: &str) -> usize {
        let same = zip(page.rsplit('/'), &self.components);
        let same = same.take_while(|(one, other)| one == *other).count();
        let is_whole = same == self.components.len() || same == page.split('/').count();
        if same >= 2 || is_whole { same } else { 0 }
    }

    /// `com.acme/Fee.java`
    fn in_package(&self, folder: &str, name: &str) -> usize {
        let package = folder.rsplit('/').next().unwrap_or_default();
        if self.components.first() != Some(&name) || package.is_empty() {
            return 0;
        }
        let mut folders = self.components.iter().skip(1);
        let is_same = package
            .rsplit('.')
            .all(|package| folders.next() == Some(&package));
        if is_same {
            1 + package.split('.').count()
        } else {
            0
        }
    }

    /// `index.fee.c.f81629e70775a711645d6df20d975bf5`
    fn before_hash(&self, name: &str) -> usize {
        let Some((before, hash)) = name.rsplit_once('.') else {
            return 0;
        };
        let file = self.components.first().copied().unwrap_or_default();
        let prefix = before.strip_suffix(file);
        let is_of_file = prefix.is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('.'));
        let is_hash = hash.len() >= 6 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_of_file || !is_hash || file.is_empty() {
            return 0;
        }
        self.hashes.get(hash).copied().unwrap_or(1)
    }
}
