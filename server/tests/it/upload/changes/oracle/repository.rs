//! A repository of Python files with a generated history: edits, insertions above, deletions, renames, new files, and a merge with a
//! target that has moved.

use super::output;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::{
    collections::BTreeMap,
    fs::{create_dir_all, remove_file, write},
    path::Path,
    process::Command,
};
use tempfile::TempDir;

/// A repository whose work tree is measured.
pub(super) struct Generated {
    folder: TempDir,
    /// The commit that its change starts from.
    pub(super) base: String,
}

/// The functions of each file.
type Tree = BTreeMap<String, Vec<String>>;

/// Names with spaces, letters beyond ASCII and quotes, which git quotes. Python runs files of any name.
const NAMES: [&str; 6] = [
    "src/a.py",
    "src/b b.py",
    "src/deep/c.py",
    "src/é.py",
    "src/d\"q.py",
    "src/e.py",
];

impl Generated {
    /// Changes a branch, and if `has_moved_target`, merges it into a target that has changed too.
    pub(super) fn new(seed: u64, has_moved_target: bool) -> Self {
        let random = &mut StdRng::seed_from_u64(seed);
        let folder = TempDir::new().unwrap();
        let path = folder.path();
        git(path, &["init", "--quiet", "--initial-branch=main"]);
        let mut tree = Tree::new();
        for name in &NAMES[..random.random_range(2..5)] {
            let functions = (0..random.random_range(2..6)).map(|_| function(random));
            tree.insert((*name).to_owned(), functions.collect());
        }
        let fork = commit(path, &tree);
        let mut head = tree.clone();
        for _ in 0..random.random_range(1..5) {
            edit(&mut head, random);
        }
        if !has_moved_target {
            commit(path, &head);
            return Self { folder, base: fork };
        }
        // The target gets new lines at the top of each file. So all lines of the merge have other numbers than the lines of the
        // branch.
        for functions in tree.values_mut() {
            functions.insert(0, function(random));
        }
        let base = commit(path, &tree);
        git(path, &["checkout", "--quiet", "-b", "branch", &fork]);
        commit(path, &head);
        git(path, &["checkout", "--quiet", "main"]);
        // Conflicts are resolved with the lines of the branch.
        let merged = Command::new("git")
            .args(["-c", "user.name=Kim", "-c", "user.email=kim@localhost"])
            .args(["merge", "--quiet", "--no-edit", "-X", "theirs", "branch"])
            .current_dir(path)
            .output();
        if !merged.unwrap().status.success() {
            git(path, &["checkout", "--quiet", "--theirs", "--", "."]);
            git(path, &["add", "--all"]);
            git(path, &["commit", "--quiet", "--no-edit"]);
        }
        Self { folder, base }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// A function that runs at once; some of its lines do not.
fn function(random: &mut StdRng) -> String {
    let name = random.random_range(0..1_000_000);
    let (limit, number) = (random.random_range(0..10), random.random_range(0..10));
    let filler: String = (0..random.random_range(0..4))
        .map(|line| format!("    value = value + {line}\n"))
        .collect();
    format!(
        "def fee_{name}(value):\n{filler}    if value > {limit}:\n        value = value * 2\n    # {name}\n    return (\n        value\n        + {name}\n    )\n\n\nfee_{name}({number})\n\n"
    )
}

/// Changes one thing.
fn edit(tree: &mut Tree, random: &mut StdRng) {
    let names: Vec<_> = tree.keys().cloned().collect();
    let name = names[random.random_range(0..names.len())].clone();
    let free = NAMES.iter().find(|name| !tree.contains_key(**name));
    let functions = tree.get_mut(&name).unwrap();
    let place = random.random_range(0..functions.len());
    match random.random_range(0..7) {
        0 => functions.insert(0, function(random)),
        1 => functions.push(function(random)),
        2 if functions.len() > 1 => {
            functions.remove(place);
        }
        3 => functions[place] = functions[place].replace("* 2", "* 3 + 1"),
        4 => functions[place] = functions[place].replace("    if", "    value = 0\n    if"),
        5 => {
            if let Some(free) = free {
                let mut functions = functions.clone();
                tree.remove(&name);
                functions.push(function(random));
                tree.insert((*free).to_owned(), functions);
            }
        }
        _ => {
            if let Some(free) = free {
                tree.insert((*free).to_owned(), vec![function(random)]);
            }
        }
    }
}

/// Commits exactly these files, and a program that runs each. Returns the commit.
fn commit(folder: &Path, tree: &Tree) -> String {
    for path in output(folder, "git", &["ls-files", "-z"]).split(|byte| *byte == 0) {
        if !path.is_empty() {
            remove_file(folder.join(std::str::from_utf8(path).unwrap())).unwrap();
        }
    }
    for (path, functions) in tree {
        let path = folder.join(path);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, functions.concat()).unwrap();
    }
    let program = "import glob, runpy\nfor path in sorted(glob.glob('src/**/*.py', recursive=True)):\n    runpy.run_path(path)\n";
    write(folder.join("main.py"), program).unwrap();
    write(folder.join(".gitignore"), ".coverage\n*.xml\n*.json\n").unwrap();
    git(folder, &["add", "--all"]);
    git(
        folder,
        &["commit", "--quiet", "--allow-empty", "--message=change"],
    );
    let commit = output(folder, "git", &["rev-parse", "HEAD"]);
    String::from_utf8(commit).unwrap().trim().to_owned()
}

fn git(folder: &Path, arguments: &[&str]) {
    let name = ["-c", "user.name=Kim", "-c", "user.email=kim@localhost"];
    output(folder, "git", &[&name[..], arguments].concat());
}
