//! Tests of finding paths, one by one and against a simple implementation.

use super::*;
use proptest::{prelude::*, sample::select};

fn listed(paths: &[&str]) -> RepositoryPaths {
    RepositoryPaths::read(paths.join("\0").into_bytes()).expect("a list")
}

fn sources(folders: &[&str]) -> Vec<Source> {
    folders.iter().copied().map(Source::new).collect()
}

#[test]
fn paths_of_tools_become_those_of_the_repository() {
    for (files, folders, named, expected) in [
        // As it is.
        ("src/a.py lib/src/a.py", "", "src/a.py", Some("src/a.py")),
        ("a.py lib/a.py", "", "a.py", Some("a.py")),
        // Containers and build folders.
        ("src/a.py", "", "/builds/42/src/a.py", Some("src/a.py")),
        ("setup.py", "", "/app/setup.py", Some("setup.py")),
        ("src/b/a.cs", "", "C:/work/src/b/a.cs", Some("src/b/a.cs")),
        // Package paths of JaCoCo, module paths of Go.
        (
            "m/src/main/java/com/acme/A.java",
            "",
            "com/acme/A.java",
            Some("m/src/main/java/com/acme/A.java"),
        ),
        (
            "fee/fee.go",
            "",
            "example.org/pay/fee/fee.go",
            Some("fee/fee.go"),
        ),
        // The longest common end wins.
        ("a/x/y.c b/x/y.c", "", "/w/b/x/y.c", Some("b/x/y.c")),
        // Ambiguous.
        ("a/x/y.c b/x/y.c", "", "x/y.c", None),
        ("setup.py lib/setup.py", "", "/app/setup.py", None),
        // One component is too little below the top.
        ("lib/a.py", "", "/w/other/a.py", None),
        ("lib/a.py", "", "a.py", None),
        // Case is significant.
        ("src/A.py", "", "/w/src/a.py", None),
        ("src/A.py src/a.py", "", "/w/src/a.py", Some("src/a.py")),
        // Sources.
        ("lib/a.py", "/w/lib", "a.py", Some("lib/a.py")),
        ("src/a.c", "/w/build", "../src/a.c", Some("src/a.c")),
        (
            "lib/a.py web/b.py",
            "/w/lib /w/web",
            "b.py",
            Some("web/b.py"),
        ),
        ("lib/a.py web/a.py", "/w/lib /w/web", "a.py", None),
        ("a.py lib/a.py", "/w/lib", "a.py", Some("lib/a.py")),
        ("src/a.py", "/gone", "src/a.py", Some("src/a.py")),
    ] {
        let of = |texts: &'static str| texts.split_whitespace().collect::<Vec<_>>();
        let paths = listed(&of(files));
        let found = paths.find(named, &sources(&of(folders)));
        assert_eq!(found, expected, "{named} in {files}, sources {folders}");
    }
}

/// The rule as it is written, with every path compared.
fn ending_like<'a>(paths: &[&'a str], wanted: &str) -> Option<&'a str> {
    if let Some(found) = paths.iter().find(|path| **path == wanted) {
        return Some(found);
    }
    let components: Vec<_> = wanted.split('/').collect();
    for length in (1..=components.len()).rev() {
        let end = components[components.len() - length..].join("/");
        let ends = |path: &&&str| **path == end || path.ends_with(&format!("/{end}"));
        let mut found = paths.iter().filter(ends);
        if let Some(one) = found.next() {
            let is_long_enough = length >= 2 || !one.contains('/');
            return (found.next().is_none() && is_long_enough).then_some(one);
        }
    }
    None
}

fn path() -> impl Strategy<Value = String> {
    let component = select(vec!["a", "b", "c"]);
    prop::collection::vec(component, 1..5).prop_map(|components| components.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_search_agrees_with_the_rule(files in prop::collection::hash_set(path(), 1..12), named in path()) {
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        let paths = listed(&files);
        prop_assert_eq!(paths.find(&named, &[]), ending_like(&files, &named));
    }
}
