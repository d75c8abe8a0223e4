use crate::{Count, Counter, Coverage, Limits, Rate, Report};

fn read(root: &str, classes: &str) -> Report {
    let xml = format!(
        "<scoverage {root}><packages><package><classes>{classes}</classes></package></packages></scoverage>"
    );
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn of(covered: u64, total: u64, counter: Counter) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), counter)
}

fn statement(line: u32, invocations: u32, more: &str) -> String {
    format!("<statement line='{line}' invocation-count='{invocations}' {more}>x &lt; 1</statement>")
}

fn method(name: &str, statements: &[String]) -> String {
    let statements = statements.concat();
    format!("<method name='{name}'><statements>{statements}</statements></method>")
}

fn class(attributes: &str, methods: &[String]) -> String {
    let methods = methods.concat();
    format!("<class {attributes}><methods>{methods}</methods></class>")
}

#[test]
fn the_total_is_the_statements_that_the_root_states() {
    let listed = class(
        "name='A' filename='a'",
        &[method("m", &[statement(1, 1, "")])],
    );
    let report = read(
        "statement-count='8' statements-invoked='6' statement-rate='75.00'",
        &listed,
    );
    assert_eq!(report.total, of(6, 8, Counter::Statement));
}

#[test]
fn without_counts_the_rate_in_percent_is_the_total() {
    for rate in ["89.56", "89,56"] {
        let report = read(&format!("statement-rate='{rate}'"), "");
        assert_eq!(report.total.basis_points(), 8956, "{rate}");
    }
}

#[test]
fn without_any_the_statements_are_counted_not_their_lines() {
    let statements = [
        statement(1, 0, ""),
        statement(1, 3, ""),
        statement(2, 0, ""),
    ];
    let report = read(
        "statement-rate='NaN'",
        &class("name='A' filename='a'", &[method("m", &statements)]),
    );
    assert_eq!(report.total, of(1, 3, Counter::Statement));
    assert_eq!(report.counters.get(Counter::Line), Count::new(1, 2));
}

#[test]
fn no_statements_are_nothing_to_cover() {
    let report = read(
        "statement-count='0' statements-invoked='0' statement-rate='100.00'",
        "",
    );
    let rate = Rate::parse(b"1");
    assert_eq!(report.total, Coverage::Empty { rate });
    assert_eq!(read("", "").total, Coverage::Empty { rate: None });
}

#[test]
fn branches_are_statements_as_well() {
    let statements = [
        statement(1, 1, "branch='true'"),
        statement(2, 0, "branch='true'"),
        statement(3, 0, "branch='false'"),
    ];
    let report = read(
        "",
        &class("name='A' filename='a'", &[method("m", &statements)]),
    );
    assert_eq!(report.counters.get(Counter::Branch), Count::new(1, 2));
    assert_eq!(report.counters.get(Counter::Statement), Count::new(1, 3));
}

#[test]
fn ignored_statements_do_not_count() {
    let ignored = statement(1, 0, "branch='true' ignored='true'");
    let report = read(
        "",
        &class("name='A' filename='a'", &[method("m", &[ignored])]),
    );
    assert_eq!(report.total, Coverage::Empty { rate: None });
    assert_eq!(report.counters.get(Counter::Function), None);
    assert_eq!(report.counters.get(Counter::Class), None);
}

#[test]
fn methods_and_classes_are_covered_if_any_statement_in_them_is() {
    let methods = [
        method("m", &[statement(1, 0, ""), statement(2, 1, "")]),
        method("n", &[statement(4, 0, "")]),
    ];
    let classes = [
        class("name='A' filename='a'", &methods),
        class("name='B' filename='a'", &methods[1..]),
    ];
    let report = read("", &classes.concat());
    assert_eq!(report.counters.get(Counter::Function), Count::new(1, 3));
    assert_eq!(report.counters.get(Counter::Class), Count::new(1, 2));
    assert_eq!(report.files.len(), 1);
}

#[test]
fn files_are_named_by_the_statement_and_else_by_the_class() {
    let statements = [
        statement(1, 1, "source='/s/a.scala'"),
        statement(1, 0, "source='/s/b.scala'"),
        statement(2, 0, "source=''"),
    ];
    let methods = [method("m", &statements)];
    let paths = |attributes| {
        let report = read("", &class(attributes, &methods));
        let paths = report.files.into_iter().map(|file| file.path);
        paths.collect::<Vec<_>>()
    };
    let named = ["/s/a.scala", "/s/b.scala", "a.scala"];
    assert_eq!(paths("name='A' filename='a.scala'"), named);
    assert_eq!(paths("name='A'"), named[..2]);
}
