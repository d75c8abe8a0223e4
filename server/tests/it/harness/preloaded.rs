//! Libraries that replace functions of libc in the binary, for faults that no input causes.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Compiles a file of C below this folder of tests into a library for `LD_PRELOAD`, in `folder`.
pub fn preloaded(folder: &Path, source: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it")
        .join(source);
    let library = folder.join("preloaded.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status()
        .expect("a C compiler, which the build needs too");
    assert!(compiled.success());
    library
}
