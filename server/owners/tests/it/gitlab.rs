//! GitLab's rules: an example for each example in its documentation, and the rules of `File::fnmatch`.

use crate::file::{File, owners};
use domain::OwnersOf::Gitlab;

/// Asserts the owners of paths: lines of a path, a colon and owners.
fn assert_owners(text: &str, expected: &[(&str, &str)]) {
    let file = File::new(text, Gitlab);
    for (path, owners) in expected {
        assert_eq!(file.of(path), *owners, "{path}\n{text}");
    }
}

fn assert_no_notices(text: &str) {
    assert_eq!(owners(text, Gitlab).notices(), [""; 0]);
}

#[test]
fn the_last_line_of_the_file_counts_without_sections() {
    let text = "
        # Everything.
        * @all
        GUIDE.md @writers @lead
        *.py @python
        COPYING @law kim@example.com
        NEWS @acme @acme/one/two
        /docs/ @docs
        /docs/* @root
        /docs/**/*.md @markdown
        /db/**/index.md @index
        /config/ @@maintainer
        ";
    assert_owners(
        text,
        &[
            ("a/b", "@all"),
            ("a/GUIDE.md", "@writers @lead"),
            ("a/b.py", "@python"),
            ("COPYING", "@law kim@example.com"),
            ("x/NEWS", "@acme @acme/one/two"),
            ("docs/a/b.txt", "@docs"),
            ("docs/b.txt", "@root"),
            ("docs/b.md", "@markdown"),
            ("docs/a/c/b.md", "@markdown"),
            ("db/index.md", "@index"),
            ("db/a/b/index.md", "@index"),
            ("config/a", "@@maintainer"),
            ("x/config/a", "@all"),
        ],
    );
    assert_no_notices(text);
    assert_owners("*.md @docs\nterms.md @law", &[("a/terms.md", "@law")]);
}

#[test]
fn the_last_line_of_each_section_counts() {
    let text = "
        * @admin
        [Guides]
        GUIDE.md @a @b
        inner/GUIDE.md @d
        [Other guides]
        GUIDE.md @c";
    assert_owners(
        text,
        &[
            ("GUIDE.md", "@admin @a @b @c"),
            ("inner/GUIDE.md", "@admin @d @c"),
            ("x/inner/GUIDE.md", "@admin @d @c"),
            ("x", "@admin"),
        ],
    );
    assert_no_notices(text);
}

#[test]
fn headings_can_be_optional_and_have_approvals_and_default_owners() {
    for (heading, owners) in [
        ("[Some name]", ""),
        ("^[Some name]", ""),
        ("[Some name][5]", ""),
        ("[Some name] @kim", "@kim"),
        ("[Some name][2] @acme @acme/sub", "@acme @acme/sub"),
        ("^[Some name][2]   @kim  # @lee", "@kim"),
    ] {
        let file = File::new(&format!("{heading}\na\nb @x\n"), Gitlab);
        assert_eq!(file.of("a"), owners, "{heading}");
        assert_eq!(file.of("b"), "@x", "{heading}");
        assert!(file.owners.notices().is_empty(), "{heading}");
    }
}

#[test]
fn the_owners_of_a_line_replace_the_default_owners_of_its_section() {
    let sections = "
        [Manual][2] @writers
        docs/
        GUIDE.md
        *.txt
        ^[Database] @db @kim
        model/db/
        config/db/setup.md @writers";
    let expected = [
        ("docs/a/b", "@writers"),
        ("x/docs/b", "@writers"),
        ("a/GUIDE.md", "@writers"),
        ("model/db/a", "@db @kim"),
        ("config/db/setup.md", "@writers"),
        ("model/db/news.txt", "@writers @db @kim"),
    ];
    assert_owners(sections, &expected);
    // A section does not replace the lines before the first section.
    let with_all = format!("* @all\n{sections}");
    let more = expected.map(|(path, owners)| (path, format!("@all {owners}")));
    let more: Vec<_> = more.iter().map(|(path, all)| (*path, &**all)).collect();
    assert_owners(&with_all, &more);
}

#[test]
fn sections_with_the_same_name_in_any_case_are_one() {
    let text = "
        [Manual]
        ee/docs/ @manual
        docs/ @manual
        [Database] @db
        GUIDE.md @database
        model/db/ @database
        [MANUAL] @other
        GUIDE.md @manual
        docs/x @x
        y";
    assert_owners(
        text,
        &[
            ("GUIDE.md", "@manual @database"),
            ("docs/x", "@x"),
            ("docs/a", "@manual"),
            ("docs/GUIDE.md", "@manual @database"),
            ("y", "@other"),
        ],
    );
    assert_owners("a @a\n[Codeowners] @b\na\n", &[("a", "@b")]);
}

#[test]
fn an_excluded_path_has_no_owners_in_its_section() {
    let text = "
        * @all
        !pom.xml
        !**/generated/
        !.ci.yml # Written by a program.
        [Python]
        *.py @python
        !/config/**/*.py
        /config/routes.py @ops
        [Config]
        /config/ @config";
    assert_owners(
        text,
        &[
            ("a", "@all"),
            ("x/pom.xml", ""),
            ("a/generated/b/c", ""),
            ("generated/b.py", "@python"),
            (".ci.yml", ""),
            ("a/b.py", "@all @python"),
            ("config/routes.py", "@all @config"),
            ("config/a/b.py", "@all @config"),
            ("config/a.rs", "@all @config"),
        ],
    );
    assert_no_notices(text);
    // An exclusion counts before and after the lines that it excludes.
    let special = "* @all\n!*.py\n/special/*.py @python";
    assert_owners(special, &[("special/a.py", ""), ("special/a.rs", "@all")]);
}

#[test]
fn a_path_with_escaped_spaces_or_a_number_sign_is_matched() {
    let text = "a\\ path\\ with\\ spaces/*.md @a\n\\#file.py @b\nx#y @c\n";
    assert_owners(
        text,
        &[
            ("x/a path with spaces/b.md", "@a"),
            ("a", ""),
            ("x/#file.py", "@b"),
            ("x#y", "@c"),
        ],
    );
    assert_no_notices(text);
}

#[test]
fn a_path_with_unescaped_spaces_ends_at_the_first_one() {
    let file = File::new("folder with spaces/*.md @a", Gitlab);
    assert_eq!(file.of("folder"), "@a");
    assert_eq!(
        file.owners.notices(),
        ["In line 1 of CODEOWNERS, with is not an owner."]
    );
}

#[test]
fn a_heading_without_its_bracket_is_a_line_of_the_section_before() {
    // `[Section` is a set of characters that does not end, so the pattern matches nothing.
    assert_owners(
        "* @all\n\n[Section name\ndocs/ @docs",
        &[("docs/a", "@docs"), ("[Section", "@all")],
    );
    assert_owners(
        "[Docs]\ndocs/**/* @all\n[Section name\ndocs/ @docs",
        &[("docs/a/b", "@docs")],
    );
}

#[test]
fn words_that_are_no_owners_are_left_out() {
    let file = File::new(
        "/a/* @acme user @kim\n/b kim\n/c @a, (@b) <c@d.org> # by @e",
        Gitlab,
    );
    assert_eq!(file.of("a/x"), "@acme @kim");
    assert_eq!(file.of("b"), "");
    assert_eq!(file.of("c"), "@a @b c@d.org @e");
    assert_eq!(
        file.owners.notices()[..2],
        [
            "In line 1 of CODEOWNERS, user is not an owner.",
            "In line 2 of CODEOWNERS, kim is not an owner.",
        ]
    );
    let all = File::new("* @acme @acm @kim @left @none kim@example.com", Gitlab);
    assert_eq!(all.of("x"), "@acme @acm @kim @left @none kim@example.com");
}

#[test]
fn a_line_without_owners_replaces_the_owners_of_lines_before() {
    assert_owners("* @all\n/a\n[B]\n/a @b", &[("a", "@b"), ("x", "@all")]);
}

#[test]
fn roles_are_owners_in_any_case_and_number() {
    let text = "file.md @@Developer @@maintainers @@owner @@developers\n";
    let names = ["@@developer", "@@maintainer", "@@owner"];
    assert_eq!(owners(text, Gitlab).names(), names);
    assert_eq!(owners("a @@reporter", Gitlab).notices().len(), 1);
}

#[test]
fn a_path_is_absolute_relative_or_a_folder() {
    for (pattern, matched, other) in [
        ("/GUIDE.md", "GUIDE.md", "docs/GUIDE.md"),
        ("/docs/GUIDE.md", "docs/GUIDE.md", "x/docs/GUIDE.md"),
        ("GUIDE.md", "app/lib/GUIDE.md", "app/GUIDE.md/x"),
        ("in/GUIDE.md", "docs/api/in/GUIDE.md", "docs/GUIDE.md"),
        ("/docs/", "docs/a/b", "x/docs/a"),
        ("docs/", "x/docs/a/b", "x/docs"),
        ("a/b/", "x/a/b/c", "a/x/b/c"),
        ("/docs", "docs", "docs/a"),
        ("docs", "x/docs", "x/docs/a"),
        ("/", "a/b", ""),
    ] {
        let file = File::new(&format!("{pattern} @a"), Gitlab);
        assert_eq!(file.of(matched), "@a", "{pattern} {matched}");
        assert_eq!(file.of(other), "", "{pattern} {other}");
    }
}

#[test]
fn wildcards_are_those_of_fnmatch() {
    for (pattern, matched, other) in [
        ("*", "a/.b", ""),
        ("/*", "a", "a/b"),
        ("/docs/*.md", "docs/.md", "docs/a/b.md"),
        ("/docs/index.*", "docs/index.html", "docs/index"),
        ("/docs/*spec*", "docs/qa_specs.rb", "docs/a/spec"),
        ("/docs/*/GUIDE.md", "docs/a/GUIDE.md", "docs/a/b/GUIDE.md"),
        ("/docs/**/index.md", "docs/index.md", "docs/index.md/a"),
        ("/docs/**/index.md", "docs/a/b/index.md", "x/docs/index.md"),
        ("**/*.rb", "config/a.rb", "config/a.py"),
        ("/docs/**", "docs/a", "docs/a/b"),
        ("/docs/**/", "docs/a/b", "docs"),
        ("/docs/**/*", "docs/a/b", "docs"),
        ("/a**/b", "axy/b", "ax/y/b"),
        ("/a?c", "aäc", "ac"),
        ("/a/**/b/**/c", "a/x/b/y/z/c", "a/c/b"),
        ("/x[a-c]", "xb", "xd"),
        ("/x[!a-c]", "xé", "xb"),
        ("/x[^a-c]y", "x-y", "x/y"),
        ("/x[a\\]]", "x]", "xb"),
        ("/x[-a]", "x-", "xb"),
        ("/x[a-]", "x-", "xb"),
        ("/x\\[a]", "x[a]", "xa"),
        ("/x\\*", "x*", "xy"),
        ("/{a,b}", "{a,b}", "a"),
    ] {
        let file = File::new(&format!("{pattern} @a"), Gitlab);
        assert_eq!(file.of(matched), "@a", "{pattern} {matched}");
        assert_eq!(file.of(other), "", "{pattern} {other}");
    }
}
