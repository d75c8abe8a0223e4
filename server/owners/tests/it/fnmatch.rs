//! Ruby as oracle for GitLab's rules: GitLab documents that it matches with `File.fnmatch`. Without Ruby, the test does nothing.

use crate::{file::File, oracle::found};
use domain::OwnersOf::Gitlab;
use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::process::Command;

const RUBY: [&str; 3] = [
    "ruby",
    "-e",
    r#"
require "json"
FLAGS = File::FNM_DOTMATCH | File::FNM_PATHNAME
print JSON.generate(JSON.parse($stdin.read).map { |file|
  pattern = file["text"].split(" ").first
  pattern = "/**/" + pattern unless pattern.start_with?("/")
  pattern += "**/*" if pattern.end_with?("/")
  file["paths"].map { |path| File.fnmatch?(pattern, "/" + path, FLAGS) ? ["@a"] : [] }
})
"#,
];

#[test]
fn paths_that_a_pattern_of_gitlab_matches_are_those_of_fnmatch() {
    if Command::new("ruby").arg("--version").output().is_err() {
        return;
    }
    let component = prop_oneof![
        2 => "[ab.*?]{1,3}".prop_map(String::from),
        1 => "([ab*?-]|\\[ab\\]|\\[!a\\]|\\[\\^-b\\]|\\[a-c\\]|\\[a\\\\]b\\]|\\\\[*?b\\]-]){1,3}".prop_map(String::from),
        1 => Just("**".to_owned()),
    ];
    let pattern = ("/?", vec(component, 1..5), "/?")
        .prop_map(|(begin, components, end)| format!("{begin}{}{end}", components.join("/")));
    let path = "[abcä.*?\\]-]{1,2}(/[abcä.]{1,2}){0,4}".prop_map(String::from);
    // A line that begins with a bracket would be a heading.
    let pattern = pattern.prop_filter("a heading", |pattern| !pattern.starts_with('['));
    let sample =
        (pattern, vec(path, 50)).prop_map(|(pattern, paths)| (format!("{pattern} @a\n"), paths));
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let samples: Vec<_> = (0..2_000)
        .map(|_| sample.new_tree(&mut runner).expect("a sample").current())
        .collect();
    let mut matches = 0;
    for ((text, paths), found) in samples.iter().zip(found(RUBY, &samples)) {
        let file = File::new(text, Gitlab);
        for (path, found) in paths.iter().zip(found) {
            assert_eq!(file.of(path), found.join(" "), "{text} {path}");
            matches += found.len();
        }
    }
    assert!(matches > 5_000, "{matches}");
}
