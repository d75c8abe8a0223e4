//! Any file: its bytes and its lines.

use domain::OwnersOf::{self, Github, Gitlab};
use owners::Owners;

pub(crate) struct File {
    pub(crate) owners: Owners,
}

impl File {
    pub(crate) fn new(text: &str, of: OwnersOf) -> Self {
        let owners = owners(text, of);
        Self { owners }
    }

    /// The names of a path's owners, with spaces between them.
    pub(crate) fn of(&self, path: &str) -> String {
        let owners = self.owners.of(path).into_iter();
        let names: Vec<_> = owners
            .map(|owner| &*self.owners.names()[owner as usize])
            .collect();
        names.join(" ")
    }
}

pub(crate) fn owners(text: &str, of: OwnersOf) -> Owners {
    Owners::read(text.as_bytes(), of)
}

#[test]
fn line_ends_spaces_and_a_byte_order_mark_do_not_count() {
    for of in [Github, Gitlab] {
        let file = File::new("\u{feff}/a @a\r\n\r\n \t/b\t@b  @c \r\n#\r\n/c @d", of);
        assert!(file.owners.notices().is_empty());
        assert_eq!(file.owners.names(), ["@a", "@b", "@c", "@d"]);
        assert_eq!(
            ["a", "b", "c", "d"].map(|path| file.of(path)),
            ["@a", "@b @c", "@d", ""]
        );
    }
    assert_eq!(owners("", Github).of("a"), [0; 0]);
}

#[test]
fn a_line_that_is_not_text_is_skipped_but_not_a_comment() {
    let text = b"# caf\xe9\n* @a\ncaf\xe9 @b\n/\xff @c\n\x1b[31m @d\n";
    for of in [Github, Gitlab] {
        let owners = Owners::read(text, of);
        assert_eq!(owners.names(), ["@a"]);
        assert_eq!(
            owners.notices(),
            [
                "Line 3 of CODEOWNERS is ignored: it is not UTF-8.",
                "Line 4 of CODEOWNERS is ignored: it is not UTF-8.",
                "Line 5 of CODEOWNERS is ignored: it has a control character.",
            ]
        );
    }
}

#[test]
fn five_lines_are_named_and_the_others_counted() {
    let owners = owners(&"! @a\n".repeat(6), Github);
    assert_eq!(owners.notices().len(), 6);
    assert_eq!(
        owners.notices()[5],
        "1 more line of CODEOWNERS has a problem."
    );
    let owners = crate::file::owners(&format!("a {}\n", "b".repeat(1_000)).repeat(100), Github);
    let shown = "b".repeat(39);
    assert_eq!(
        owners.notices()[4],
        format!("Line 5 of CODEOWNERS is ignored: {shown}… is not an owner.")
    );
    assert_eq!(
        owners.notices()[5],
        "95 more lines of CODEOWNERS have problems."
    );
}

#[test]
fn a_path_over_1024_bytes_or_64_components_has_no_owners() {
    for of in [Github, Gitlab] {
        let file = File::new("* @a", of);
        assert_eq!(file.of(&"a".repeat(1_024)), "@a");
        assert_eq!(file.of(&"a".repeat(1_025)), "");
        assert_eq!(file.of(&vec!["a"; 64].join("/")), "@a");
        assert_eq!(file.of(&vec!["a"; 65].join("/")), "");
        assert_eq!(file.owners.steps(&"a".repeat(1_025)), 1);
    }
}
