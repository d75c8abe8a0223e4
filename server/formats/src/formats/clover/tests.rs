use crate::{Count, Counter, Coverage, Format, Limits, Report, Warning};

fn read(inside: &str) -> Report {
    let xml = format!("<coverage generated='1'>{inside}</coverage>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn of(covered: u64, total: u64, counter: Counter) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), counter)
}

fn statements(covered: u64, total: u64) -> String {
    format!(
        "<metrics statements='{total}' coveredstatements='{covered}' elements='100' coveredelements='99'/>"
    )
}

#[test]
fn clover_is_told_by_an_attribute_of_the_root_or_by_a_project() {
    for xml in [
        "<coverage generated='1795250526'><packages/></coverage>",
        "<coverage clover='3.2.0'><packages/></coverage>",
        "<coverage><project name='All files'/></coverage>",
        "<coverage><testproject name='Car park'/></coverage>",
    ] {
        let report = crate::read(xml.as_bytes(), &Limits::default());
        assert_eq!(report.expect(xml).format, Format::Clover, "{xml}");
    }
}

#[test]
fn the_total_is_the_projects_own_metrics_first_or_last() {
    let file = format!("<file><class>{0}</class>{0}</file>", statements(9, 9));
    let package = format!("<package>{}{file}</package>", statements(8, 9));
    let whole = statements(1, 4);
    for inside in [
        format!("{whole}{package}{file}"),
        format!("{file}{package}{whole}"),
    ] {
        let report = read(&format!("<project>{inside}</project>"));
        assert_eq!(report.total, of(1, 4, Counter::Statement));
    }
}

#[test]
fn packages_may_be_in_the_metrics_of_the_project() {
    let file = "<file name='a'><line num='1' type='stmt' count='1'/></file>";
    let report = read(&format!(
        "<project><metrics statements='2' coveredstatements='2'><package>{file}</package></metrics></project>"
    ));
    assert_eq!(report.total, of(2, 2, Counter::Statement));
    assert_eq!(report.counters.get(Counter::Line), Count::new(1, 1));
}

#[test]
fn the_tests_own_coverage_is_left_out() {
    let tests = format!(
        "<testproject>{}<file>{}</file></testproject>",
        statements(9, 9),
        statements(9, 9)
    );
    let report = read(&format!(
        "{tests}<project>{}</project>{tests}",
        statements(1, 4)
    ));
    assert_eq!(report.total, of(1, 4, Counter::Statement));
    assert_eq!(read(&tests).total, Coverage::Empty { rate: None });
}

#[test]
fn elements_are_the_total_where_statements_are_not_stated() {
    let report = read("<project><metrics ncloc='9' elements='8' coveredelements='6'/></project>");
    assert_eq!(report.total, of(6, 8, Counter::Element));
    let report = read(
        "<project><metrics statements='0' coveredstatements='0' elements='8' coveredelements='6'/></project>",
    );
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn without_metrics_of_the_project_those_of_its_files_are_added_up() {
    let file = |covered| format!("<file><class>{0}</class>{0}</file>", statements(covered, 4));
    let report = read(&format!(
        "<project><package>{}{}</package>{}</project>",
        statements(0, 90),
        file(1),
        file(4)
    ));
    assert_eq!(report.total, of(5, 8, Counter::Statement));
}

#[test]
fn without_any_metrics_lines_are_counted_and_conditions_are_lines() {
    let lines = "<line num='1' type='stmt' count='2'/><line num='2' type='cond' count='0' truecount='1' falsecount='1'/>
        <line num='3' type='cond' truecount='0' falsecount='2'/><line num='4' type='cond' truecount='0' falsecount='0'/>
        <line num='5' type='method' count='1'/><line num='1' type='stmt' count='0'/><line type='stmt' count='1'/>
        <line num='6' type='stmt'/>";
    let report = read(&format!("<project><file name='a'>{lines}</file></project>"));
    assert_eq!(report.total, of(2, 5, Counter::Line));
}

#[test]
fn files_are_identified_by_path_or_else_by_name() {
    let line = "<line num='1' type='stmt' count='1'/>";
    let report = read(&format!(
        "<project><file name='a' path='x/a'>{line}</file><file path='y/a' name='a'>{line}</file>
         <package><file name='a'>{line}</file><file name='a'>{line}</file></package></project>"
    ));
    assert_eq!(report.total, of(3, 3, Counter::Line));
}

#[test]
fn conditionals_are_branches_and_methods_are_functions() {
    let metrics =
        "<metrics statements='1' coveredstatements='1' conditionals='6' coveredconditionals='4'
        methods='3' coveredmethods='2'/>";
    let report = read(&format!("<project>{metrics}</project>"));
    assert_eq!(
        (
            report.counters.get(Counter::Branch),
            report.counters.get(Counter::Function)
        ),
        (Count::new(4, 6), Count::new(2, 3))
    );
    let report = read(&format!(
        "<project><file>{metrics}</file><file>{metrics}</file></project>"
    ));
    assert_eq!(
        (
            report.counters.get(Counter::Branch),
            report.counters.get(Counter::Function)
        ),
        (Count::new(8, 12), Count::new(4, 6))
    );
}

#[test]
fn classes_count_only_with_the_number_of_covered_ones() {
    let classes = |metrics| {
        let report = read(&format!("<project><metrics {metrics}/></project>"));
        report.counters.get(Counter::Class)
    };
    assert_eq!(classes("classes='3' coveredclasses='2'"), Count::new(2, 3));
    assert_eq!(classes("classes='3'"), None);
}

#[test]
fn a_file_without_a_project_or_with_an_empty_one_has_zero_total() {
    for inside in [
        "",
        "<project/>",
        "<project name=''><metrics/></project>",
        "<project><metrics statements='0' coveredstatements='0'/></project>",
    ] {
        assert_eq!(
            read(inside).total,
            Coverage::Empty { rate: None },
            "{inside}"
        );
    }
}

#[test]
fn impossible_metrics_are_skipped_with_a_warning() {
    let report = read(
        "<project><metrics statements='4' coveredstatements='5'/><file><line num='1' type='stmt' count='0'/></file></project>",
    );
    assert_eq!(report.total, of(0, 1, Counter::Line));
    assert_eq!(
        report.warnings,
        [Warning::MoreThanAll {
            covered: 5,
            total: 4
        }]
    );
}

#[test]
fn impossible_metrics_of_many_files_give_one_warning() {
    let file = "<file><metrics conditionals='1' coveredconditionals='2'/></file>".repeat(9);
    let report = read(&format!("<project>{}{file}</project>", statements(1, 4)));
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn a_total_contradicted_by_the_lines_is_kept_with_a_warning() {
    let report = read(&format!(
        "<project>{}<file><line num='1' type='stmt' count='1'/></file></project>",
        statements(1, 4)
    ));
    assert_eq!(report.total.basis_points(), 2500);
    assert_eq!(report.warnings.len(), 1);
}
