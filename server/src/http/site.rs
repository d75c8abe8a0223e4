//! The built site: its folder, and the names of its hashed files.

use app::{Assets, islands::Chunks};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The folder that cargo-leptos built.
#[derive(Clone, Debug)]
pub struct Site {
    pub root: Arc<PathBuf>,
    pub assets: Assets,
}

impl Site {
    pub fn open(root: PathBuf) -> Self {
        // cargo-leptos writes the hashes in the names of the files to `hash.txt` beside the binary.
        let binary = std::env::current_exe().ok();
        let hashes =
            binary.and_then(|binary| fs::read_to_string(binary.parent()?.join("hash.txt")).ok());
        let hashes = hashes.unwrap_or_default();
        let hash_of = |kind: &str| {
            let mut lines = hashes.lines().filter_map(|line| line.split_once(':'));
            let (_, hash) = lines.find(|(name, _)| *name == kind)?;
            Some(hash.trim())
        };
        let address = |name: &str, kind: &str, extension: &str| {
            let hash = hash_of(kind).map(|hash| format!(".{hash}"));
            format!("/pkg/{name}{}.{extension}", hash.unwrap_or_default())
        };
        let file = |address: &str| root.join(address.trim_start_matches('/'));
        let manifest = file(&address("__wasm_split_manifest", "manifest", "json"));
        let assets = Assets {
            style: address("coverage-dashboard", "css", "css").into(),
            script: address("coverage-dashboard", "js", "js").into(),
            wasm: address("coverage-dashboard", "wasm", "wasm").into(),
            loader: hash_of("split").map(|hash| format!("/pkg/__wasm_split.{hash}.js").into()),
            chunks: chunks(&manifest),
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

/// The files with the code of each island, which cargo-leptos lists.
fn chunks(manifest: &Path) -> Chunks {
    let files = fs::read(manifest).ok();
    let files: Option<HashMap<String, Vec<String>>> =
        files.and_then(|files| serde_json::from_slice(&files).ok());
    let address = |file: String| format!("/pkg/{file}.wasm");
    let chunks = files.unwrap_or_default().into_iter();
    let chunks = chunks.map(|(island, files)| (island, files.into_iter().map(address).collect()));
    Chunks(Arc::new(chunks.collect()))
}
