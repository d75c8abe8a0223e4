use crate::{Counter, Coverage, Limits, Report};

fn read(inside: &str) -> Report {
    let xml = format!("<coverage profilerVersion='1'>{inside}</coverage>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn points(points: &str) -> Report {
    read(&format!(
        "<module><method name='M' class='C'>{points}</method></module>"
    ))
}

fn count(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

#[test]
fn excluded_code_at_any_level_does_not_count() {
    let point = "<seqpnt visitcount='1' line='1' excluded='false' document='a'/>";
    let method = format!("<method excluded='false'>{point}</method>");
    for excluded in [
        format!("<module excluded='True'>{method}</module>"),
        format!("<module><class excluded='true'>{method}</class></module>"),
        format!("<module><method excluded='true'>{point}</method></module>"),
        format!(
            "<module><method>{}</method></module>",
            point.replace("false", "true")
        ),
        format!(
            "<module><method>{}</method></module>",
            point.replace("excluded='false'", "ex='true'")
        ),
    ] {
        assert_eq!(
            read(&excluded).total,
            Coverage::Empty { rate: None },
            "{excluded}"
        );
    }
    assert_eq!(
        count(
            &read(&format!("<module>{method}</module>")),
            Counter::Statement
        ),
        Some((1, 1))
    );
}

#[test]
fn code_without_a_line_does_not_count() {
    for line in ["line='16707566'", "line='15732480'", "l='0'"] {
        let report = points(&format!("<seqpnt visitcount='1' {line} document='a'/>"));
        assert_eq!(report.total, Coverage::Empty { rate: None }, "{line}");
    }
}

#[test]
fn visits_are_read_in_every_form() {
    let report = points(
        "<seqpnt visitcount='99999999999999999999' line='1' document='a'/><seqpnt vc='2' line='2' document='a'/>
        <seqpnt visitcount='-1' line='3' document='a'/><seqpnt visitcount='X' line='4' document='a'/>
        <seqpnt line='5' document='a'/>",
    );
    assert_eq!(count(&report, Counter::Statement), Some((2, 5)));
}

#[test]
fn points_of_a_line_count_each_and_the_line_once() {
    let report = points(
        "<seqpnt visitcount='0' line='1' document='a'/><seqpnt visitcount='1' line='1' document='a'/>",
    );
    assert_eq!(count(&report, Counter::Statement), Some((1, 2)));
    assert_eq!(count(&report, Counter::Line), Some((1, 1)));
}

#[test]
fn methods_are_identified_by_class_signature_and_line() {
    let method = |attributes: &str, line: u32| {
        format!("<method {attributes}><seqpnt visitcount='0' line='{line}' document='a'/></method>")
    };
    let methods = [
        method("name='M' class='C'", 1),
        method("name='M' class='C'", 2),
        method("name='M' class='D'", 2),
        method("name='M' class='C' fullname='M(int)'", 2),
        format!(
            "<class name='E'>{}</class>",
            method("name='M' signature='M()'", 2)
        ),
        format!(
            "<class name='F'>{}{}</class>",
            method("name='M' signature='M()'", 2),
            method("name='M' signature='M(System.Int32)'", 2)
        ),
    ];
    let module = format!("<module>{}</module>", methods.concat());
    let report = read(&module.repeat(2));
    assert_eq!(count(&report, Counter::Function), Some((0, 7)));
}

#[test]
fn documents_are_found_by_number_and_points_without_one_lack_lines() {
    let report = read(
        "<documents><doc id='0' url='None'/><doc id='2' url='a&amp;b'/><doc url='c'/></documents>
        <module><class><method><seqpnt vc='1' l='7' doc='2'/><seqpnt vc='1' l='7'/></method></class></module>",
    );
    let paths: Vec<_> = report.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["", "a&b"]);
    assert_eq!(count(&report, Counter::Line), Some((1, 1)));
    assert_eq!(count(&report, Counter::Statement), Some((2, 2)));
}

#[test]
fn paths_that_differ_in_escaping_are_different_files() {
    let point = |path| format!("<seqpnt visitcount='1' line='1' document='{path}'/>");
    let points = point("a&amp;amp;b") + &point("a&amp;b") + &point("a&amp;b");
    let xml = format!(
        "<coverage profilerVersion='1'><module><method>{points}</method></module></coverage>"
    );
    let report = crate::read(xml.as_bytes(), &crate::Limits::default()).expect("a report");
    let paths: Vec<&str> = report.files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["a&amp;b", "a&b"]);
}
