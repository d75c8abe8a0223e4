//! Files that are made to cost time or memory.

use crate::file::owners;
use domain::OwnersOf::{self, Github, Gitlab};
use owners::Owners;
use proptest::{collection::vec, prelude::*};

/// The most steps for all paths of a repository.
const STEPS: u64 = 1_000_000_000;

const ALL: [OwnersOf; 2] = [Github, Gitlab];

#[test]
fn a_hundred_thousand_rules_without_wildcards_take_few_steps() {
    let lines = |line: &dyn Fn(u32) -> String| (0..100_000).map(line).collect::<String>();
    let folders = owners(&lines(&|n| format!("/src/{n}/ @o{}\n", n % 50)), Github);
    assert_eq!(folders.names().len(), 50);
    assert_eq!(folders.of("src/99999/a.rs"), [49]);
    let names = owners(&lines(&|n| format!("f{n}.rs @o\n")), Gitlab);
    assert_eq!(names.of("a/b/c/f99999.rs"), [0]);
    for owners in [folders, names] {
        // A usual path can be matched for a million files.
        assert!(owners.steps("server/src/routes/line_history/cold.rs") < STEPS / 1_000_000);
        assert!(owners.steps(&vec!["abc"; 64].join("/")) < 64 * 64);
    }
    let repeated = owners(&lines(&|n| format!("/a @o{}\n", n % 50)), Github);
    assert_eq!(repeated.of("a"), [49]);
    assert!(repeated.steps("a") < 10);
}

#[test]
fn a_file_with_too_many_wildcards_or_rules_or_bytes_has_no_owners() {
    let stars = format!("/*a*b*c*d*e/{} @a\n", "x/*/".repeat(200));
    let many = "a @b\n".repeat(300_000);
    let large = "#".repeat(Owners::MAX_BYTES + 1);
    for of in ALL {
        for text in [&format!("* @b\n{}", stars.repeat(2_000)), &many, &large] {
            let owners = owners(text, of);
            assert!(owners.is_too_costly());
            assert_eq!((owners.names(), owners.of("a/b")), (&[][..], vec![]));
            let [notice] = owners.notices() else {
                panic!("{:?}", owners.notices());
            };
            assert!(
                notice.starts_with("CODEOWNERS ") && notice.ends_with(", so no file has owners.")
            );
        }
        assert!(!owners(&"#".repeat(Owners::MAX_BYTES), of).is_too_costly());
    }
}

#[test]
fn long_lines_and_many_wildcards_in_a_line_take_few_steps() {
    let mebibyte = 1 << 20;
    for of in ALL {
        let globs = format!("/{}a @a\n", "**/".repeat(300));
        let stars = format!("/{}a @b\n", "*x".repeat(500));
        let long = format!("/{} @c\n", "a".repeat(mebibyte));
        let words = format!("/words {}\n", "@d ".repeat(mebibyte / 3));
        let owners = owners(&[globs, stars, long, words].concat(), of);
        assert_eq!(owners.notices().len(), 1);
        assert_eq!(owners.of("words"), [2]);
        assert_eq!(
            owners.of(&["b"; 64].join("/").replace("/b/b/b", "/b/b/a")),
            [0]
        );
        assert!(owners.steps(&"xa".repeat(512)) < STEPS / 10_000);
    }
}

#[test]
fn the_owners_of_a_path_count_as_steps() {
    let names: String = (0..200_000).map(|owner| format!("@{owner} ")).collect();
    for of in ALL {
        let owners = owners(&format!("* {names}"), of);
        assert_eq!(owners.of("a").len(), 200_000);
        assert!(owners.steps("a") >= 200_000);
    }
    // In GitLab, a path has the owners of each section.
    let sections: String = (0..100_000)
        .map(|name| format!("[{name}]\n* @{name}\n"))
        .collect();
    let owners = owners(&sections, Gitlab);
    assert_eq!(owners.of("a").len(), 100_000);
    assert!(owners.steps("a") >= 200_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_read(
        words in vec(prop_oneof![
            vec(any::<u8>(), 0..8),
            "(\\*|\\*\\*|/|\\[|\\]|!|\\^|#|@|\\\\|\\?|-| |\t|\n|\r\n|a|é|@a|a@b.c|\u{feff}|\0){1,12}".prop_map(String::into_bytes),
        ], 0..20),
        path in "[a-c/\\[é*@]{0,12}",
    ) {
        let text = words.concat();
        for of in ALL {
            let owners = Owners::read(&text, of);
            prop_assert!(owners.of(&path).iter().all(|&owner| (owner as usize) < owners.names().len()));
            prop_assert!(owners.steps(&path) > 0);
            prop_assert!(owners.notices().len() <= 6);
        }
    }
}
