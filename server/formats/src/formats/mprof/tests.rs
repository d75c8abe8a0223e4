use crate::{Counter, Coverage, Limits, Report};

fn read(inside: &str) -> Report {
    let xml = format!("<coverage version='0.3'><assembly name='a'/><class/>{inside}</coverage>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn count(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

#[test]
fn statements_of_a_line_count_each_and_the_line_once() {
    let report = read(
        "<method class='C' name='M ()' filename='a.cs'><statement counter='0' line='3'/>
        <statement counter='1' line='3'/><statement counter='0' line='4'/></method>",
    );
    assert_eq!(count(&report, Counter::Statement), Some((1, 3)));
    assert_eq!(count(&report, Counter::Line), Some((1, 2)));
    assert_eq!(count(&report, Counter::Function), Some((1, 1)));
}

#[test]
fn an_address_in_place_of_a_count_means_covered() {
    let report = read("<method filename='a'><statement counter='163003984' line='1'/></method>");
    assert_eq!(count(&report, Counter::Statement), Some((1, 1)));
}

#[test]
fn statements_without_a_file_have_no_lines() {
    for file in ["", "filename=''"] {
        let report = read(&format!(
            "<method {file}><statement counter='1' line='1'/></method>"
        ));
        assert_eq!(count(&report, Counter::Statement), Some((1, 1)));
        assert_eq!(count(&report, Counter::Line), None);
    }
}

#[test]
fn methods_without_statements_are_not_counted() {
    let report = read("<method class='C' name='M ()' filename='a.cs'/>");
    assert_eq!(report.total, Coverage::Empty { rate: None });
    assert_eq!(count(&report, Counter::Function), None);
}
