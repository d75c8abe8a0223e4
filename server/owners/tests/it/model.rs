//! The definition: line by line from the end, with a matcher that takes exponential time.

use crate::file::owners;
use domain::OwnersOf::{self, Github, Gitlab};
use owners::Owners;
use proptest::{collection::vec, prelude::*};

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Character(char),
    Any,
    /// Any of a set, or none of it.
    Set(&'static str, bool),
    Star,
    /// Folders, perhaps none.
    Folders,
    Everything,
}

/// Whether the parts match a begin of the path after which `ends` is true.
fn matches(parts: &[Part], path: &[char], ends: &dyn Fn(&[char]) -> bool) -> bool {
    let Some((part, parts)) = parts.split_first() else {
        return ends(path);
    };
    let after = |taken: usize| matches(parts, &path[taken..], ends);
    let one = |is_match: &dyn Fn(char) -> bool| {
        path.first().is_some_and(|&first| is_match(first)) && after(1)
    };
    match *part {
        Part::Character(character) => one(&|first| first == character),
        Part::Any => one(&|first| first != '/'),
        Part::Set(set, is_in) => one(&|first| first != '/' && set.contains(first) == is_in),
        Part::Star => (0..=path.len()).any(|taken| !path[..taken].contains(&'/') && after(taken)),
        Part::Folders => {
            (0..=path.len()).any(|taken| (taken == 0 || path[taken - 1] == '/') && after(taken))
        }
        Part::Everything => (0..=path.len()).any(after),
    }
}

/// The parts of a pattern without its first and last slash.
fn parts(pattern: &str, of: OwnersOf) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let begins = rest.len() == pattern.len()
            || parts.last() == Some(&Part::Character('/'))
            || parts.last() == Some(&Part::Folders);
        if begins && let Some(after) = rest.strip_prefix("**/") {
            parts.push(Part::Folders);
            rest = after;
            continue;
        }
        if begins && rest == "**" && of == Github {
            parts.push(Part::Everything);
            break;
        }
        rest = &rest[first.len_utf8()..];
        parts.push(match first {
            '*' => Part::Star,
            '?' => Part::Any,
            '[' => {
                let (set, after) = rest.split_once(']').expect("a set");
                rest = after;
                match set {
                    "ab" => Part::Set("ab", true),
                    "!a" => Part::Set("a", false),
                    _ => panic!("{set}"),
                }
            }
            other => Part::Character(other),
        });
    }
    parts
}

fn is_match(pattern: &str, path: &str, of: OwnersOf) -> bool {
    let path: Vec<_> = path.chars().collect();
    // GitLab's own definition of a folder.
    let all_below = format!("{pattern}**/*");
    let pattern = match of {
        Gitlab if pattern.ends_with('/') => &all_below,
        _ => pattern,
    };
    let slash = pattern.find('/');
    let is_anchored = match of {
        Github => slash.is_some_and(|at| at + 1 != pattern.len()),
        Gitlab => slash == Some(0),
    };
    let inner = pattern.strip_prefix('/').unwrap_or(pattern);
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    let mut parts = parts(inner, of);
    if !is_anchored {
        parts.insert(0, Part::Folders);
    }
    let is_folder = pattern.ends_with('/');
    let ends = |rest: &[char]| match of {
        _ if is_folder => rest.first() == Some(&'/'),
        Github if !pattern.ends_with("/*") => rest.is_empty() || rest[0] == '/',
        // Alone, it is everything.
        Gitlab if pattern == "*" => true,
        _ => rest.is_empty(),
    };
    matches(&parts, &path, &ends)
}

fn names<'a>(owners: &'a Owners, path: &str) -> Vec<&'a str> {
    let owner = |owner: u32| &*owners.names()[owner as usize];
    let mut names: Vec<_> = owners.of(path).into_iter().map(owner).collect();
    names.sort_unstable();
    names
}

fn pattern(component: &'static str) -> impl Strategy<Value = String> {
    let component = prop_oneof![3 => component, 1 => Just("**".to_owned())];
    let components = vec(component, 1..5);
    (any::<bool>(), components, any::<bool>()).prop_map(|(begins, components, ends)| {
        let slash = |is: bool| if is { "/" } else { "" };
        format!("{}{}{}", slash(begins), components.join("/"), slash(ends))
    })
}

fn path() -> impl Strategy<Value = String> {
    "[abc]{1,2}(/[abcä]{1,2}){0,4}".prop_map(String::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn owners_of_github_are_the_owners_in_the_last_line_that_matches(
        lines in vec((pattern("[ab*?]{1,3}"), vec("@[a-d]", 0..3)), 1..12),
        paths in vec(path(), 1..8),
    ) {
        let lines: Vec<_> = lines.into_iter().filter(|(pattern, _)| !pattern.contains("***")).collect();
        let text: String = lines.iter().map(|(pattern, owners)| format!("{pattern} {}\n", owners.join(" "))).collect();
        let owners = owners(&text, Github);
        for path in paths {
            let last = lines.iter().rev().find(|(pattern, _)| is_match(pattern, &path, Github));
            let mut expected = last.map(|(_, owners)| owners.clone()).unwrap_or_default();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(names(&owners, &path), expected, "{}\n{}", path, text);
        }
        prop_assert_eq!(owners.notices().len(), 0);
    }

    #[test]
    fn owners_of_gitlab_are_those_in_the_last_line_of_each_section(
        sections in vec(("[a-c]", vec("@[e-g]", 0..2), vec((any::<u8>(), pattern("([ab*?]|\\[ab\\]|\\[!a\\]){1,3}"), vec("@[a-d]", 0..3)), 0..5)), 1..6),
        paths in vec(path(), 1..8),
    ) {
        let mut text = String::new();
        let mut rules = Vec::new();
        for (name, default, lines) in &sections {
            text += &format!("[{name}] {}\n", default.join(" "));
            for (kind, pattern, owners) in lines {
                // A line that begins with a bracket would be a heading.
                let pattern = match pattern.starts_with('[') {
                    true => format!("/{pattern}"),
                    false => pattern.clone(),
                };
                let excludes = kind % 8 == 0;
                let owners = if owners.is_empty() { default } else { owners };
                let exclamation = if excludes { "!" } else { "" };
                text += &format!("{exclamation}{pattern} {}\n", owners.join(" "));
                rules.push((name, excludes, pattern, owners));
            }
        }
        let owners = owners(&text, Gitlab);
        for path in paths {
            let mut expected = Vec::new();
            for name in ["a", "b", "c"] {
                let in_section = || rules.iter().filter(|rule| rule.0 == name && is_match(&rule.2, &path, Gitlab));
                if !in_section().any(|rule| rule.1) {
                    expected.extend(in_section().next_back().into_iter().flat_map(|rule| rule.3.clone()));
                }
            }
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(names(&owners, &path), expected, "{}\n{}", path, text);
        }
    }
}
