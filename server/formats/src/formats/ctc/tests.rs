use crate::{Count, Counter, Coverage, Format, Limits, Report};

fn read(inside: &str) -> Report {
    let xml = format!("<coverage ctcreportVersion='10.2.2'>{inside}</coverage>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn of(covered: u64, total: u64, counter: Counter) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), counter)
}

fn measure(name: &str, hits: u64, checkpoints: u64) -> String {
    format!("<measure name='{name}' hits='{hits}' checkpoints='{checkpoints}'>9%</measure>")
}

fn line(number: u32, code: &str, executed: &str) -> String {
    format!("<line number='{number}' codeType='{code}' isExecuted='{executed}'><probe/></line>")
}

#[test]
fn statements_of_the_files_are_the_total() {
    let file = |name: &str, hits| {
        format!(
            "<file name='{name}'>{}{}<function name='f'>{}{}</function></file>",
            measure("MC/DC", 9, 9),
            measure("Statement", hits, 4),
            measure("Statement", 50, 90),
            line(1, "Executable", "NotExecuted")
        )
    };
    let report = read(&format!("{}{}", file("a", 1), file("b", 4)));
    assert_eq!(report.total, of(5, 8, Counter::Statement));
    assert_eq!(report.warnings, []);
}

#[test]
fn without_statements_the_total_is_lines_decisions_any_or_functions() {
    let function = format!(
        "<function name='f'>{}{}</function>",
        line(1, "Executable", "Executed"),
        line(2, "Executable", "NotExecuted")
    );
    let decision = measure("Decision", 2, 3);
    let mcdc = measure("MC/DC", 3, 4);
    let functions = measure("Function", 4, 5);
    for (inside, expected) in [
        (
            format!("{functions}{mcdc}{decision}{function}"),
            of(1, 2, Counter::Line),
        ),
        (
            format!("{functions}{mcdc}{decision}"),
            of(2, 3, Counter::Branch),
        ),
        (format!("{functions}{mcdc}"), of(3, 4, Counter::Probe)),
        (functions.clone(), of(4, 5, Counter::Function)),
        (String::new(), Coverage::Empty { rate: None }),
    ] {
        assert_eq!(
            read(&format!("<file name='a'>{inside}</file>")).total,
            expected
        );
    }
}

#[test]
fn the_first_of_several_unknown_measures_counts() {
    let (mcdc, condition) = (measure("MC/DC", 3, 4), measure("Condition", 1, 9));
    let report = read(&format!("<file name='a'>{mcdc}{condition}</file>"));
    assert_eq!(report.counters.get(Counter::Probe), Count::new(3, 4));
}

#[test]
fn only_executable_lines_that_may_have_run_are_lines() {
    let lines = [
        line(1, "Executable", "Executed"),
        line(2, "Executable", "NotExecuted"),
        line(3, "Executable", ""),
        line(4, "BracesOnly", "Executed"),
        line(5, "CommentOnly", "Executed"),
        line(0, "Executable", "Executed"),
        "<line codeType='Executable' isExecuted='Executed'/>".to_owned(),
    ];
    let report = read(&format!(
        "<file name='a'><functionRemainingCode name=''>{}</functionRemainingCode></file>",
        lines.concat()
    ));
    assert_eq!(report.counters.get(Counter::Line), Count::new(1, 2));
    assert_eq!(report.counters.get(Counter::Function), None);
}

#[test]
fn a_function_is_covered_if_any_of_its_lines_is() {
    let function = |name: &str, number, executed| {
        let line = line(number, "Executable", executed);
        format!("<function name='{name}'>{line}</function>")
    };
    let report = read(&format!(
        "<file name='a'>{}{}{}</file>",
        function("f", 1, "Executed"),
        function("f", 5, "NotExecuted"),
        function("g", 7, ""),
    ));
    assert_eq!(report.counters.get(Counter::Function), Count::new(1, 2));
}

#[test]
fn the_older_form_has_a_project_around_and_other_names() {
    let xml = "<coverage version='1.1' ctcreport-version='10.1'><project name='p'>
        <file name='a.c' location='C:\\s\\a.c'><measure name='Statement' Hits='1' Checkpoints='2' TER='50'></measure>
        <function name='f'><line number='3' type='Executable' status='Executed'/></function></file></project></coverage>";
    let report = crate::read(xml.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.format, Format::Ctc);
    assert_eq!(report.total, of(1, 2, Counter::Statement));
    assert_eq!(report.files[0].path, "C:\\s\\a.c");
    assert_eq!(report.counters.get(Counter::Line), Count::new(1, 1));
}

#[test]
fn impossible_measures_are_skipped_with_a_warning() {
    let report = read(&format!(
        "<file name='a'>{}</file>",
        measure("Statement", 3, 2)
    ));
    assert_eq!(report.total, Coverage::Empty { rate: None });
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn a_file_without_a_location_has_its_name_as_path() {
    let report = read("<file name='a.c'></file><file name='b.c' location='s/b.c'></file>");
    let paths: Vec<_> = report.files.iter().map(|file| &file.path).collect();
    assert_eq!(paths, ["a.c", "s/b.c"]);
}
