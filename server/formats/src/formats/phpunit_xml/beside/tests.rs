use super::{PhpunitTests, TestedFiles};
use crate::Limits;
use std::collections::BTreeSet;

const ROOT: &str =
    "<?xml version=\"1.0\"?>\n<phpunit xmlns=\"https://schema.phpunit.de/coverage/1.0\">\n";

/// The index of php-code-coverage 6 to 14.
fn index(source: &str) -> String {
    format!(
        "{ROOT}<build time='x' phpunit='12.4.1'><runtime name='PHP'/></build><project source='{source}'><tests><test name='T::a'/></tests><directory name='/'/></project></phpunit>"
    )
}

/// A file as php-code-coverage 12 writes it: with a hash, and the text after the lines.
fn file(path: &str, name: &str, lines: &str) -> String {
    format!(
        "{ROOT}<file name=\"{name}\" path=\"{path}\" hash=\"ab\"><totals><lines total=\"9\" executable=\"4\" executed=\"2\"/></totals><class name=\"W\"><method name=\"a\"/></class><coverage>{lines}</coverage><source xmlns=\"https://schema.phpunit.de/coverage/1.0\"><line no=\"1\"><token name=\"T\">&lt;?php</token></line></source></file></phpunit>"
    )
}

fn line(number: u32, tests: &[&str]) -> String {
    let tests: String = tests
        .iter()
        .map(|test| format!("<covered by=\"{test}\"/>"))
        .collect();
    format!("<line nr=\"{number}\">{tests}</line>")
}

fn read(entries: &[(&str, String)]) -> TestedFiles {
    let mut tests = PhpunitTests::new(&Limits::default());
    for (path, text) in entries {
        tests.read(path, text.as_bytes());
    }
    tests.finish()
}

/// Path, line and test of every pair.
fn pairs(found: &TestedFiles) -> BTreeSet<(&str, u32, &str)> {
    let pairs = found.files.iter().flat_map(|file| {
        let path = file.path.as_ref().unwrap_or(&file.inner_path);
        file.tests.iter().map(|pair| {
            let name = &found.names[pair.test as usize];
            (path.as_str(), pair.line, name.as_str())
        })
    });
    pairs.collect()
}

#[test]
fn paths_begin_at_the_folder_that_the_index_states_wherever_it_is() {
    let word = file(
        "/Rules",
        "Word.php",
        &[line(14, &["T::a", "T::b &amp; c"]), line(19, &["T::a"])].concat(),
    );
    let top = file("/", "Top.php", &line(3, &["T::a"]));
    let expected = BTreeSet::from([
        ("/w/src/Rules/Word.php", 14, "T::a"),
        ("/w/src/Rules/Word.php", 14, "T::b & c"),
        ("/w/src/Rules/Word.php", 19, "T::a"),
        ("/w/src/Top.php", 3, "T::a"),
    ]);
    let mut entries = [
        ("build/xml/Rules/Word.php.xml", word),
        ("build/xml/Top.php.xml", top),
        ("build/xml/index.xml", index("/w/src")),
    ];
    assert_eq!(pairs(&read(&entries)), expected);
    entries.rotate_right(1);
    assert_eq!(pairs(&read(&entries)), expected);
}

#[test]
fn without_an_index_only_the_inner_path_is_known() {
    let found = read(&[("xml/a/B.php.xml", file("/a", "B.php", &line(1, &["T"])))]);
    assert_eq!(found.files[0].path, None);
    assert_eq!(found.files[0].inner_path, "a/B.php");
}

#[test]
fn each_run_has_its_own_index() {
    let of = |lines: &str| file("/", "A.php", lines);
    let found = read(&[
        ("unit/A.php.xml", of(&line(1, &["U"]))),
        ("e2e/A.php.xml", of(&line(2, &["E"]))),
        ("e2e/index.xml", index("/b/")),
        ("unit/index.xml", index("/a")),
    ]);
    let expected = BTreeSet::from([("/a/A.php", 1, "U"), ("/b/A.php", 2, "E")]);
    assert_eq!(pairs(&found), expected);
}

#[test]
fn paths_of_windows_and_of_the_root_are_joined() {
    let found = read(&[
        (
            "w/Rules/A.php.xml",
            file("\\Rules", "A.php", &line(1, &["T"])),
        ),
        ("w/B.php.xml", file("\\", "B.php", &line(1, &["T"]))),
        ("w/index.xml", index("C:\\w")),
        ("r/app/C.php.xml", file("/app", "C.php", &line(1, &["T"]))),
        ("r/index.xml", index("")),
    ]);
    let expected = BTreeSet::from([
        ("C:\\w/Rules/A.php", 1, "T"),
        ("C:\\w/B.php", 1, "T"),
        ("/app/C.php", 1, "T"),
    ]);
    assert_eq!(pairs(&found), expected);
}

#[test]
fn the_number_of_runs_that_newer_versions_state_is_not_read() {
    let lines = "<line nr='7'><covered by='T::a' count='3'/></line>";
    let found = read(&[("A.php.xml", file("/", "A.php", lines))]);
    assert_eq!(pairs(&found), BTreeSet::from([("A.php", 7, "T::a")]));
}

#[test]
fn other_xml_and_files_without_tests_add_nothing() {
    let configuration = "<phpunit xsi:noNamespaceSchemaLocation='https://schema.phpunit.de/10.5/phpunit.xsd'><file name='a' path='/'><coverage><line nr='1'><covered by='T'/></line></coverage></file></phpunit>";
    let found = read(&[
        ("phpunit.xml", configuration.to_owned()),
        ("a.xml", "<coverage/>".to_owned()),
        ("b.xml", String::new()),
        (
            "c.xml",
            ROOT.replace("<phpunit", "<!-- <phpunit") + " --><a/>",
        ),
        ("Idle.php.xml", file("/", "Idle.php", "")),
    ]);
    assert_eq!((found.files, found.unreadable), (vec![], 0));
}

#[test]
fn files_that_are_cut_off_or_name_no_path_are_left_out() {
    let whole = file("/", "B.php", &line(1, &["T"]));
    let lines = line(1, &["T"]) + "<line nr='2'>";
    let mut cut = file("/", "A.php", &lines);
    cut.truncate(cut.find("</coverage>").expect("the end of the lines"));
    let found = read(&[
        ("B.php.xml", whole.clone()),
        ("A.php.xml", cut),
        ("C.php.xml", whole.replace(" path=\"/\"", "")),
        (
            "D.php.xml",
            whole.replace("path=\"/", &format!("path=\"/{}", "d/".repeat(3000))),
        ),
        (
            "E.php.xml",
            whole.replace("<coverage>", &"<class>".repeat(200)),
        ),
    ]);
    assert_eq!(pairs(&found), BTreeSet::from([("B.php", 1, "T")]));
    assert_eq!(found.unreadable, 4);
}

#[test]
fn numbers_that_are_no_lines_and_tests_without_a_name_are_left_out() {
    let lines = [
        line(0, &["T"]),
        line(1, &[""]),
        line(2, &["T"]).replace("nr=", "no="),
        "<line nr='-3'><covered by='T'/></line><line nr='4'><covered/></line>".to_owned(),
        "<other nr='5'><covered by='T'/></other><line nr='6'><other by='T'/></line>".to_owned(),
    ];
    assert_eq!(
        read(&[("A.php.xml", file("/", "A.php", &lines.concat()))]).files,
        []
    );
}

#[test]
fn names_that_are_long_or_not_utf8_are_kept_apart() {
    let long = "x".repeat(5000);
    let lines = line(
        1,
        &[&format!("{long}1"), &format!("{long}2"), "\u{fc}", "\u{fd}"],
    );
    let text = file("/", "A.php", &lines);
    let latin: Vec<u8> = text
        .chars()
        .map(|of| u8::try_from(of).expect("Latin-1"))
        .collect();
    let mut tests = PhpunitTests::new(&Limits::default());
    tests.read("A.php.xml", latin.as_slice());
    let found = tests.finish();
    let names: BTreeSet<_> = found.names.iter().collect();
    assert_eq!(names.len(), 4);
    assert!(names.iter().all(|name| name.len() <= 512));
}

#[test]
fn above_the_limits_all_tests_are_left_out() {
    let many = |from: u32| {
        let tests: Vec<_> = (from..from + 10_000)
            .map(|test| format!("T{test}"))
            .collect();
        let tests: Vec<_> = tests.iter().map(String::as_str).collect();
        file("/", "A.php", &line(1, &tests))
    };
    let entries: Vec<_> = (0..6).map(|run| many(run * 10_000)).collect();
    let entries: Vec<_> = entries
        .into_iter()
        .map(|text| ("A.php.xml", text))
        .collect();
    assert!(!read(&entries[..5]).are_too_many);
    let found = read(&entries);
    assert!(found.are_too_many);
    assert_eq!((found.names.len(), found.files.len()), (0, 0));

    let lines: String = (1..2000).map(|number| line(number, &["T"])).collect();
    let mut tests = PhpunitTests::new(&Limits {
        memory_bytes: 8 << 10,
        ..Limits::default()
    });
    tests.read("A.php.xml", file("/", "A.php", &lines).as_bytes());
    assert!(tests.finish().are_too_many);
}
