//! Diffs of real git: all forms of a diff give the same changes, and these lead from one tree to the other.

use super::*;
use proptest::prelude::*;
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// Files by path, each with its lines.
type Tree = BTreeMap<String, Vec<String>>;

/// Runs git without user settings.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=Kim",
            "-c",
            "user.email=kim@localhost",
            "-c",
            "core.autocrlf=false",
        ])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stderr(Stdio::inherit())
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}");
    output.stdout
}

fn commit(folder: &Path, tree: &Tree) {
    git(folder, &["rm", "-rfq", "--ignore-unmatch", "."]);
    for (path, lines) in tree {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, lines.concat()).expect("a file");
    }
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", "x", "--allow-empty"]);
}

/// The header lines of a diff, as the recipe of the documentation keeps them.
fn header_lines(diff: &[u8]) -> Vec<u8> {
    let kept = [
        "diff --git",
        "rename ",
        "new file",
        "deleted file",
        "--- ",
        "+++ ",
        "@@ ",
    ];
    let lines = diff.split_inclusive(|&byte| byte == b'\n');
    let lines = lines.filter(|line| kept.iter().any(|start| line.starts_with(start.as_bytes())));
    lines.flatten().copied().collect()
}

/// Tests that unchanged lines of `new` equal lines of `old`, and that only changed lines differ.
fn assert_leads(changes: &Changes, old: &Tree, new: &Tree) {
    let mut rest = old.clone();
    let mut untouched = new.clone();
    for file in changes.files() {
        assert!(file.is_consistent(), "{file:?}");
        let before = file.old_path.as_deref().map_or(Vec::new(), |path| {
            rest.remove(path);
            old[path].clone()
        });
        let Some(path) = file.path.as_deref() else {
            continue;
        };
        untouched.remove(path);
        let mut unchanged = 0;
        for (number, line) in (1..).zip(&new[path]) {
            if let Some(was) = old_line(file, number) {
                assert_eq!(before[was as usize - 1], *line, "{path}:{number}");
                unchanged += 1;
            }
        }
        let removed: u32 = file.hunks.iter().map(|hunk| hunk.old.lines).sum();
        assert_eq!(unchanged + removed as usize, before.len(), "{path}");
    }
    rest.retain(|path, _| !untouched.contains_key(path));
    assert!(rest.is_empty(), "not in the diff: {rest:?}");
    for (path, lines) in untouched {
        assert_eq!(old.get(&path), Some(&lines), "{path}");
    }
}

const PATHS: [&str; 9] = [
    "a.c",
    "src/b.c",
    "src/with space.c",
    "a/x.c",
    "b/x.c",
    "x b/x.c",
    "ä/ö.c",
    "quote\"tab\t.c",
    "src/deep/er/c.c",
];

fn line() -> impl Strategy<Value = String> {
    let text = [
        "a\n",
        "b\n",
        "-- x\n",
        "++ y\n",
        "@@ -1 +1 @@\n",
        "\n",
        "diff --git a/x b/x\n",
        "long line\r\n",
    ];
    (prop::sample::select(text.to_vec()), 0..5_u8).prop_map(|(text, number)| match number {
        0 => text.to_owned(),
        _ => format!("{number}{text}"),
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let lines = prop::collection::vec(line(), 0..40);
    prop::collection::btree_map(
        prop::sample::select(PATHS.map(str::to_owned).to_vec()),
        lines,
        0..6,
    )
}

/// A tree, and a second tree made by edits, renames, deletions and additions.
fn trees() -> impl Strategy<Value = (Tree, Tree)> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, line()), 0..8);
    (tree(), tree(), edits, any::<bool>()).prop_map(|(old, added, edits, does_rename)| {
        let mut new = old.clone();
        for lines in new.values_mut() {
            for (at, kind, line) in &edits {
                let at = at.index(lines.len() + 1);
                match kind {
                    0 => lines.insert(at, line.clone()),
                    1 if at < lines.len() => drop(lines.remove(at)),
                    2 if at < lines.len() => lines[at] = line.clone(),
                    _ => {}
                }
            }
        }
        if does_rename && let Some((path, lines)) = new.pop_first() {
            new.insert(format!("moved/{path}"), lines);
        }
        for (path, lines) in added {
            new.entry(path).or_insert(lines);
        }
        (old, new)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_form_of_a_diff_leads_from_one_tree_to_the_other((old, new) in trees()) {
        let folder = TempDir::new().expect("a folder");
        let folder = folder.path();
        git(folder, &["init", "-q"]);
        commit(folder, &old);
        commit(folder, &new);
        let diff = |options: &[&str]| {
            let (settings, options): (Vec<&str>, Vec<&str>) = options.iter().partition(|option| option.contains('='));
            let settings = settings.iter().flat_map(|setting| ["-c", setting]);
            let between = ["diff", "-M", "--no-color", "--no-ext-diff"];
            let arguments: Vec<_> = settings.chain(between).chain(options).chain(["HEAD^", "HEAD"]).collect();
            git(folder, &arguments)
        };
        let plain = diff(&["-U0", "core.quotePath=off"]);
        let changes = read(&plain).expect("a diff");
        assert_leads(&changes, &old, &new);
        prop_assert_eq!(&read(header_lines(&plain)).expect("header lines"), &changes, "header lines");
        let forms: [&[&str]; 7] = [
            &[],
            &["-U0"],
            &["-U1", "--full-index"],
            &["-U20"],
            &["-U0", "diff.mnemonicPrefix=true"],
            &["-U0", "diff.noprefix=true"],
            &["-U3", "diff.noprefix=true"],
        ];
        for form in forms {
            prop_assert_eq!(&read(diff(form)).expect("a form"), &changes, "{:?}", form);
        }
        let blob = changes.encode().expect("few changes");
        prop_assert_eq!(Changes::decode(&blob), Ok(changes));
    }
}
