use crate::{Count, Counter, Coverage, Limits, Report};

fn read(files: &str) -> Report {
    let xml = format!("<coverage version='1'>{files}</coverage>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn lines(covered: u64, total: u64) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), Counter::Line)
}

#[test]
fn lines_count_once_however_often_their_file_is_repeated() {
    let report = read(
        "<file path='a'><lineToCover lineNumber='1' covered='false'/></file>
         <file path='b'><lineToCover lineNumber='1' covered='true'/></file>
         <file path='a'><lineToCover lineNumber='1' covered='true'/><lineToCover lineNumber='2' covered='false'/></file>",
    );
    assert_eq!(report.total, lines(2, 3));
    assert_eq!(report.files.len(), 2);
}

#[test]
fn covered_is_a_boolean_in_any_spelling() {
    for (covered, expected) in [
        ("true", 1),
        ("True", 1),
        ("TRUE", 1),
        ("1", 1),
        ("false", 0),
        ("False", 0),
        ("0", 0),
        ("", 0),
        ("yes", 0),
    ] {
        let report = read(&format!(
            "<file path='a'><lineToCover covered='{covered}' lineNumber='1'/></file>"
        ));
        assert_eq!(report.total, lines(expected, 1), "{covered}");
    }
}

#[test]
fn a_line_with_some_of_its_branches_is_covered() {
    let report = read(
        "<file path='a'>
         <lineToCover lineNumber='1' covered='true' branchesToCover='8' coveredBranches='7'/>
         <lineToCover lineNumber='2' covered='true' branchesToCover='2'/>
         <lineToCover lineNumber='3' covered='true' coveredBranches='2' branchesToCover='1'/></file>",
    );
    assert_eq!(report.total, lines(3, 3));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(7, 8));
}

#[test]
fn lines_without_a_positive_number_are_skipped() {
    let report = read(
        "<file path='a'><lineToCover lineNumber='0' covered='true'/><lineToCover covered='true'/>
         <lineToCover lineNumber='-1' covered='true'/><lineToCover lineNumber='x' covered='true'/>
         <lineToCover lineNumber='7'/><other lineNumber='8'/></file><other/>",
    );
    assert_eq!(report.total, lines(0, 1));
}

#[test]
fn a_report_without_files_or_lines_has_nothing_to_cover() {
    for files in ["", " \n", "<file path='a'/>", "<file path='a'></file>"] {
        assert_eq!(
            read(files).total,
            Coverage::Empty { rate: None },
            "{files:?}"
        );
    }
}

#[test]
fn another_version_is_another_format() {
    for xml in [
        "<coverage version='2'/>",
        "<coverage version='2'><file path='a'/></coverage>",
        "<coverage><file path='a'/></coverage>",
        "<coverage version='1'><other/></coverage>",
    ] {
        assert!(
            crate::read(xml.as_bytes(), &Limits::default()).is_err(),
            "{xml}"
        );
    }
}
