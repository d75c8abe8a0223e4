//! The built site: its folder, and the names of its hashed files.

use app::Assets;
use std::{fs, path::PathBuf, sync::Arc};

/// The folder that cargo-leptos built.
#[derive(Clone, Debug)]
pub struct Site {
    /// The folder.
    pub root: Arc<PathBuf>,
    /// The files that every page loads.
    pub assets: Assets,
}

impl Site {
    /// Looks up the file names of the build: cargo-leptos writes their hashes to `hash.txt` beside the binary.
    pub fn open(root: PathBuf) -> Self {
        let hashes = std::env::current_exe()
            .ok()
            .and_then(|binary| fs::read_to_string(binary.parent()?.join("hash.txt")).ok());
        let hash_of = |kind: &str| {
            let line = hashes
                .iter()
                .flat_map(|hashes| hashes.lines())
                .find_map(|line| line.split_once(':').filter(|(name, _)| *name == kind));
            line.map(|(_, hash)| format!(".{}", hash.trim()))
                .unwrap_or_default()
        };
        let assets = Assets {
            style: format!("/pkg/coverage-dashboard{}.css", hash_of("css")).into(),
            script: format!("/pkg/coverage-dashboard{}.js", hash_of("js")).into(),
            wasm: format!("/pkg/coverage-dashboard{}.wasm", hash_of("wasm")).into(),
        };
        if !root.join(assets.style.trim_start_matches('/')).is_file() {
            tracing::warn!(folder = %root.display(), "the built site is missing, so pages have no style and no scripts (run `make build`)");
        }
        Self {
            root: Arc::new(root),
            assets,
        }
    }
}
