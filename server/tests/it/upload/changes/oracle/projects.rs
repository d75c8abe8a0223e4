//! Five projects of the Python Package Index, whose history consists of their releases.

use super::{compare, output};
use crate::harness::{TestServer, is_postgres};
use std::{
    env,
    fs::{read_dir, remove_dir_all, write},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Imports every module of the package, and runs the examples in its documentation.
const MAIN: &str = r#"
import contextlib, doctest, importlib, os, pkgutil
package = importlib.import_module("PACKAGE")
names = ["PACKAGE"] + [module.name for module in pkgutil.walk_packages(package.__path__, "PACKAGE.")]
for name in names:
    if name.endswith("__main__"):
        continue
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
        with contextlib.suppress(ImportError):
            doctest.testmod(importlib.import_module(name))
"#;

/// The tag of the release before.
const BASE: &str = "before";

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = read_dir(folder).unwrap_or_else(|error| {
        panic!("{folder:?}: {error}; run the tests with scripts/with-coverage-tools.sh")
    });
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// The releases of a project, the oldest first.
#[expect(
    clippy::disallowed_methods,
    reason = "a variable names the folder of the releases"
)]
fn releases(project: &str) -> Vec<PathBuf> {
    let folder = env::var("COVERAGE_RELEASES").unwrap_or_default();
    let releases = entries(Path::new(&folder)).into_iter();
    let releases = releases.flat_map(|folder| entries(&folder));
    let of_project = |release: &PathBuf| {
        let name = release.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&format!("{project}-")))
    };
    releases.filter(of_project).collect()
}

/// Replaces the work tree by a release, and commits it. Returns the name of its package.
fn release(folder: &Path, wheel: &Path) -> String {
    for entry in entries(folder) {
        if entry.is_dir() && !entry.ends_with(".git") {
            remove_dir_all(entry).unwrap();
        }
    }
    let wheel = wheel.to_str().unwrap();
    output(folder, "python3", &["-m", "zipfile", "-e", wheel, "."]);
    let packages = entries(folder)
        .into_iter()
        .filter(|entry| entry.join("__init__.py").exists());
    let [package] = &packages.collect::<Vec<_>>()[..] else {
        panic!("{wheel} has no package, or several");
    };
    let package = package.file_name().unwrap().to_str().unwrap().to_owned();
    write(folder.join("main.py"), MAIN.replace("PACKAGE", &package)).unwrap();
    write(
        folder.join(".gitignore"),
        "*.json\n*.xml\n.coverage\n__pycache__\n",
    )
    .unwrap();
    output(folder, "git", &["add", "--all"]);
    let author = ["-c", "user.name=Kim", "-c", "user.email=kim@localhost"];
    let commit = ["commit", "--quiet", "--message=release"];
    output(folder, "git", &[&author[..], &commit].concat());
    package
}

async fn compare_releases(project: &str) {
    if is_postgres() {
        return;
    }
    let releases = releases(project);
    assert!(releases.len() >= 3, "{project}: {releases:?}");
    let server = TestServer::start().await;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    output(folder, "git", &["init", "--quiet", "--initial-branch=main"]);
    let (mut changed, mut base) = (0, None);
    for wheel in &releases {
        let package = release(folder, wheel);
        if let Some(base) = base {
            let measured = format!("{package}/*");
            changed += compare(&server, folder, &measured, (base, project)).await;
        }
        base = Some(BASE);
        output(folder, "git", &["tag", "--force", BASE]);
    }
    assert!(changed > 0, "no line of {project} changed");
}

#[tokio::test]
async fn changed_lines_of_boltons_are_those_of_diff_cover() {
    compare_releases("boltons").await;
}

#[tokio::test]
async fn changed_lines_of_cachetools_are_those_of_diff_cover() {
    compare_releases("cachetools").await;
}

#[tokio::test]
async fn changed_lines_of_itsdangerous_are_those_of_diff_cover() {
    compare_releases("itsdangerous").await;
}

#[tokio::test]
async fn changed_lines_of_more_itertools_are_those_of_diff_cover() {
    compare_releases("more_itertools").await;
}

#[tokio::test]
async fn changed_lines_of_packaging_are_those_of_diff_cover() {
    compare_releases("packaging").await;
}
