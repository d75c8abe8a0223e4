use crate::{Count, Counter, Coverage, Format, Limits, Report, ReportError, Warning};

fn read(xml: &str) -> Result<Report, ReportError> {
    crate::read(xml.as_bytes(), &Limits::default())
}

fn project(inside: &str) -> Report {
    let root = "<phpunit xmlns='https://schema.phpunit.de/coverage/1.0'>";
    read(&format!(
        "{root}<project source='/s'><tests/>{inside}</project></phpunit>"
    ))
    .expect("a report")
}

fn totals(executed: u64, executable: u64) -> String {
    format!(
        "<totals><lines total='99' executable='{executable}' executed='{executed}' percent='%'/></totals>"
    )
}

fn of(covered: u64, total: u64) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), Counter::Line)
}

#[test]
fn the_total_is_the_outermost_directorys() {
    let file = format!("<file name='f.php'>{}</file>", totals(1, 4));
    let report = project(&format!(
        "<directory name='/'>{}<directory name='d'>{}{file}</directory>{file}</directory>",
        totals(2, 8),
        totals(1, 4)
    ));
    assert_eq!(report.total, of(2, 8));
    let paths: Vec<_> = report.files.iter().map(|file| &file.path).collect();
    assert_eq!(paths, ["d/f.php", "f.php"]);
}

#[test]
fn without_totals_of_the_directory_those_of_its_files_add_up() {
    let report = project(&format!(
        "<directory name='/'><directory name='d'>{1}<file name='a'>{0}</file></directory><file name='b'>{0}</file></directory>",
        totals(1, 4),
        totals(3, 4)
    ));
    assert_eq!(report.total, of(2, 8));
}

#[test]
fn methods_and_functions_are_functions_and_classes_and_traits_are_classes() {
    let report = project(
        "<directory><totals><methods count='5' tested='3'/><functions count='1' tested='1'/>
         <classes count='2' tested='2' percent='200.00'/><traits count='1' tested='0'/>
         <other count='9' tested='9'/></totals></directory>",
    );
    assert_eq!(report.counters.get(Counter::Function), Count::new(4, 6));
    assert_eq!(report.counters.get(Counter::Class), Count::new(2, 3));
    assert_eq!(report.warnings, []);
}

#[test]
fn traits_counted_as_classes_are_not_a_contradiction() {
    let report = project(
        "<directory><totals><classes count='0' tested='1' percent='0'/><traits count='1' tested='0'/></totals></directory>",
    );
    assert_eq!(report.counters.get(Counter::Class), Count::new(1, 1));
    assert_eq!(report.warnings, []);
}

#[test]
fn more_executed_than_executable_is_skipped_with_a_warning() {
    let report = project(&format!("<directory>{}</directory>", totals(9, 8)));
    assert_eq!(report.total, Coverage::Empty { rate: None });
    let warning = Warning::MoreThanAll {
        covered: 9,
        total: 8,
    };
    assert_eq!(report.warnings, [warning]);
}

#[test]
fn nothing_executable_is_nothing_to_cover() {
    for inside in [
        "",
        "<directory/>",
        "<directory><totals/></directory>",
        &format!("<directory>{}</directory>", totals(0, 0)),
    ] {
        assert_eq!(project(inside).total, Coverage::Empty { rate: None });
    }
}

#[test]
fn the_build_tells_the_version() {
    let report = read(
        "<phpunit><build time='x' phpunit='10.5.64' coverage='10.1.16'><runtime/></build><project/></phpunit>",
    );
    let tool = report.expect("a report").tool;
    assert_eq!(tool.version.as_deref(), Some("10.5.64"));
}

#[test]
fn a_configuration_and_the_report_of_one_file_are_refused() {
    for xml in [
        "<phpunit bootstrap='a.php'><testsuites/><source/><coverage><report/></coverage></phpunit>",
        "<phpunit xmlns='https://schema.phpunit.de/coverage/1.0'><file name='a'><totals/></file></phpunit>",
        "<phpunit/>",
    ] {
        let message = read(xml).expect_err(xml).to_string();
        assert!(message.contains("configuration"), "{message}");
    }
}

#[test]
fn a_clover_imitation_is_recognised_by_its_namespace() {
    let inside = format!("<project><directory>{}</directory></project>", totals(4, 5));
    let of_phpunit = "xmlns='https://schema.phpunit.de/coverage/1.0'";
    let report = read(&format!("<coverage {of_phpunit}>{inside}</coverage>")).expect("a report");
    assert_eq!(
        (report.format, report.total),
        (Format::PhpunitXml, of(4, 5))
    );
    let report = read(&format!("<coverage xmlns='u'>{inside}</coverage>")).expect("a report");
    assert_eq!(report.format, Format::Clover);
}
