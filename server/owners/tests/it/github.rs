//! GitHub's rules, as its documentation states them.

use crate::file::{File, owners};
use domain::OwnersOf::Github;

/// The lines that its documentation has as an example, with other names.
const EXAMPLE: &str = "
# A comment.
*       @all1 @all2
*.js    @js #This is an inline comment.
*.go docs@example.com
*.txt @acme/writers
/build/logs/ @logs
docs/*  docs@example.com
apps/ @apps
/docs/ @docs
/scripts/ @docs @apps
**/logs @logs
/apps/ @apps
/apps/github
";

#[test]
fn the_last_line_that_matches_counts() {
    let file = File::new(EXAMPLE, Github);
    for (path, expected) in [
        ("a.rs", "@all1 @all2"),
        ("a/b.rs", "@all1 @all2"),
        ("a/b.js", "@js"),
        ("a.js/b.rs", "@js"),
        ("main.go", "docs@example.com"),
        ("a/b.txt", "@acme/writers"),
        ("build/logs/a/b.txt", "@logs"),
        ("a/build/logs/b.txt", "@logs"),
        ("a/build/log/b.txt", "@acme/writers"),
        ("docs/a.md", "@docs"),
        ("docs/a/b.md", "@docs"),
        ("a/apps/b.rs", "@apps"),
        ("apps", "@all1 @all2"),
        ("scripts/a.sh", "@apps @docs"),
        ("a/scripts/b.sh", "@all1 @all2"),
        ("deep/logs/x", "@logs"),
        ("logs", "@logs"),
        ("apps/a", "@apps"),
        ("apps/github", ""),
        ("apps/github/a.rs", ""),
        ("apps/github.rs", "@apps"),
    ] {
        assert_eq!(file.of(path), expected, "{path}");
    }
    assert!(file.owners.notices().is_empty());
}

#[test]
fn a_pattern_matches_folders_as_in_gitignore_but_for_a_last_asterisk() {
    for (pattern, matched, other) in [
        ("docs/*", "docs/a.md", "docs/a/b.md"),
        ("docs/*", "docs/.a", "a/docs/b.md"),
        ("/*", "a.md", "a/b.md"),
        ("*", "a/b/c", ""),
        ("**", "a/b/c", ""),
        ("**/*", "a/b/c", ""),
        ("docs/**", "docs/a/b.md", "docs"),
        ("docs/**/*", "docs/a/b.md", "docs"),
        ("docs/**/", "docs/a/b.md", "docs/b.md"),
        ("docs/**/*.md", "docs/b.md", "docs/b.rs"),
        ("docs/**/*.md", "docs/a/c/b.md", "a/docs/b.md"),
        ("docs/*.md", "docs/a.md/b", "docs/a/b.md"),
        ("docs/*/b.md", "docs/a/b.md", "docs/a/c/b.md"),
        ("**/a/b", "x/a/b/c", "x/a/c/b"),
        ("**/a/*", "x/a/b", "x/a/b/c"),
        ("/**/a", "x/a/b", "x/b"),
        ("a/b", "a/b/c", "x/a/b"),
        ("a", "x/a/y", "x/ab/y"),
        ("a/", "x/a/y", "x/a"),
        ("/a/", "a/y", "x/a/y"),
        ("/a", "a", "x/a"),
        ("*/", "a/b", "a"),
        ("*/*", "a/b", "a"),
        ("a?c", "x/aöc", "x/a/c"),
        ("a?c", "abc/x", "ac"),
        ("Docs/", "Docs/a", "docs/a"),
        ("a\\ b/", "a b/c", "a\\ b/c"),
        ("a\\*b", "a*b", "axb"),
        ("a#b", "a#b", "a"),
        ("{a,b}", "{a,b}", "a"),
        ("(a|b)", "(a|b)", "a"),
        (".github/", "x/.github/y", "github/y"),
        ("ä/ö", "ä/ö/ü", "a/o/u"),
    ] {
        let file = File::new(&format!("{pattern} @a"), Github);
        assert_eq!(file.of(matched), "@a", "{pattern} {matched}");
        assert_eq!(file.of(other), "", "{pattern} {other}");
    }
}

#[test]
fn a_line_with_an_unsupported_pattern_or_owner_is_skipped() {
    for line in [
        "!a @b",
        "[ab] @b",
        "a[12].rs @b",
        "\\#a @b",
        "***/*.rb @b",
        "/ @b",
        "a//b @b",
        "a\\",
        "a b",
        "a @b c",
        "a docs@",
        "a @",
        "a @@developer",
        "a @b/c/d",
        "a @b/",
        "a @b,",
        "a b@c@d",
        "a [b](http://c)",
        "a @<b>",
        "a *b*@example.com",
        "a\0 @b",
        "a @b\0",
    ] {
        let file = File::new(&format!("\n* @all\n{line}\r\n"), Github);
        assert_eq!(file.of("a"), "@all", "{line}");
        let [notice] = file.owners.notices() else {
            panic!("{line}: {:?}", file.owners.notices());
        };
        assert!(
            notice.starts_with("Line 3 of CODEOWNERS is ignored: "),
            "{notice}"
        );
        assert_eq!(file.owners.names(), ["@all"]);
    }
}

#[test]
fn users_teams_and_addresses_are_owners_whose_case_does_not_count() {
    let text = "* @Acme/Pay-1 @kim_acme @acme/pay-1 Kim.Lee+a@Example.com\n/a @ACME/PAY-1 # @b\n";
    let names = ["@Acme/Pay-1", "@kim_acme", "Kim.Lee+a@Example.com"];
    assert_eq!(owners(text, Github).names(), names);
    assert_eq!(owners(text, Github).of("b"), [0, 1, 2]);
    assert_eq!(owners(text, Github).of("a"), [0]);
}
