use crate::{Count, Counter, Coverage, Limits, Report};

fn read(inside: &str) -> Report {
    let xml = format!("<report name='r'><sessioninfo/>{inside}</report>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn counter(kind: &str, missed: u64, covered: u64) -> String {
    format!("<counter type='{kind}' missed='{missed}' covered='{covered}'/>")
}

fn of(covered: u64, total: u64, counter: Counter) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), counter)
}

#[test]
fn the_name_of_the_whole_is_the_project() {
    assert_eq!(read("").project.as_deref(), Some("r"));
    let clover = "<coverage generated='1'><project name='core'><metrics statements='1' coveredstatements='1'/></project></coverage>";
    let report = crate::read(clover.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.project.as_deref(), Some("core"));
}

#[test]
fn the_counter_of_the_whole_is_the_roots_own() {
    let inner = counter("LINE", 9, 1);
    let report = read(&format!(
        "<group name='g'><package name='p'><class><method>{inner}</method>{inner}</class>
         <sourcefile name='f'>{inner}</sourcefile>{inner}</package>{inner}</group>{}{}{}",
        counter("INSTRUCTION", 1, 99),
        counter("LINE", 1, 3),
        counter("BRANCH", 2, 4),
    ));
    assert_eq!(report.total, of(3, 4, Counter::Line));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(4, 6));
}

#[test]
fn without_it_source_files_in_groups_of_any_depth_add_up() {
    let file = format!(
        "<sourcefile name='f'>{}{}</sourcefile>",
        counter("LINE", 1, 1),
        counter("BRANCH", 3, 1)
    );
    let class = format!(
        "<class>{}{}</class>",
        counter("LINE", 50, 0),
        counter("METHOD", 1, 2)
    );
    let package = format!(
        "<package name='p'>{class}{file}{}</package>",
        counter("LINE", 60, 0)
    );
    let report = read(&format!(
        "{package}<group><group>{package}</group>{package}</group>"
    ));
    assert_eq!(report.total, of(3, 6, Counter::Line));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(3, 12));
    assert_eq!(report.counters.get(Counter::Function), Count::new(6, 9));
}

#[test]
fn without_counters_the_lines_are_counted() {
    let lines = "<line nr='1' mi='0' ci='3'/><line nr='2' mi='3' ci='1'/><line nr='3' mi='1' ci='0'/>
        <line nr='3' mi='1' ci='0'/><line nr='0' ci='1'/><line nr='-1' ci='1'/><line ci='1'/><line nr='9'/>";
    let report = read(&format!(
        "<package name='p'><sourcefile name='f'>{lines}</sourcefile></package>"
    ));
    assert_eq!(report.total, of(2, 3, Counter::Line));
}

#[test]
fn lines_with_neither_instructions_nor_branches_are_no_lines() {
    let lines = "<line nr='1' mi='0' ci='2' mb='0' cb='0'/><line nr='2' mi='1' ci='0'/>
        <line nr='3' mi='0' ci='0' mb='0' cb='0'/><line nr='4' mi='0' ci='0'/>
        <line nr='5' mi='0' ci='0' mb='1' cb='1'/><line nr='6' mi='0' ci='0' mb='2' cb='0'/>";
    let report = read(&format!(
        "<package name='p'><sourcefile name='f'>{lines}</sourcefile></package>"
    ));
    assert_eq!(report.total, of(2, 4, Counter::Line));
}

#[test]
fn files_of_one_name_in_different_packages_and_groups_are_different() {
    let package = |name| {
        format!(
            "<package name='{name}'><sourcefile name='f'><line nr='1' ci='1'/></sourcefile></package>"
        )
    };
    let (p, q) = (package("p"), package("q"));
    let report = read(&format!(
        "{p}{q}<group name='a'>{p}</group><group name='b'>{p}{p}</group>"
    ));
    assert_eq!(report.total, of(4, 4, Counter::Line));
}

#[test]
fn without_line_numbers_instructions_are_the_total() {
    let whole = counter("INSTRUCTION", 3, 1);
    assert_eq!(read(&whole).total, of(1, 4, Counter::Instruction));
    let classes = format!("<package><class>{whole}</class><class>{whole}</class>{whole}</package>");
    assert_eq!(read(&classes).total, of(2, 8, Counter::Instruction));
    let empty = format!("{}{whole}", counter("LINE", 0, 0));
    assert_eq!(read(&empty).total, of(1, 4, Counter::Instruction));
}

#[test]
fn instructions_are_ignored_if_there_are_lines() {
    let lines = "<package><sourcefile><line nr='1' ci='1'/></sourcefile></package>";
    let report = read(&format!("{lines}{}", counter("INSTRUCTION", 3, 1)));
    assert_eq!(report.total, of(1, 1, Counter::Line));
}

#[test]
fn no_counters_mean_zero_total() {
    assert_eq!(read("").total, Coverage::Empty { rate: None });
    assert_eq!(
        read(&counter("LINE", 0, 0)).total,
        Coverage::Empty { rate: None }
    );
    let named = &b"<report name='r'/>"[..];
    let report = crate::read(named, &Limits::default()).expect("a report");
    assert_eq!(report.total, Coverage::Empty { rate: None });
    assert!(crate::read(&b"<report/>"[..], &Limits::default()).is_err());
}

#[test]
fn a_report_with_a_name_and_only_other_children_is_refused() {
    let other = &b"<report name='r'><row/></report>"[..];
    assert!(crate::read(other, &Limits::default()).is_err());
}

#[test]
fn lines_without_instructions_do_not_contradict_the_counters() {
    let lines =
        "<package><sourcefile><line nr='1'/><line nr='2' mb='0' cb='2'/></sourcefile></package>";
    let report = read(&format!("{lines}{}", counter("LINE", 1, 1)));
    assert_eq!(report.total.basis_points(), 5000);
    assert_eq!(report.warnings, []);
}

#[test]
fn counters_that_are_not_numbers_are_skipped() {
    let counters =
        "<counter type='LINE' missed='-1' covered='5'/><counter type='LINE' covered='5'/>
        <counter missed='1' covered='5'/><counter type='OTHER' missed='1' covered='5'/>";
    assert_eq!(read(counters).total, Coverage::Empty { rate: None });
}

#[test]
fn counters_of_any_size_add_up_without_overflow() {
    let huge = counter("LINE", u64::MAX, u64::MAX);
    assert_eq!(read(&format!("{huge}{huge}")).total.basis_points(), 10_000);
    let huge = counter("LINE", u64::MAX, 1);
    assert_eq!(read(&huge).total.basis_points(), 1);
}

#[test]
fn attributes_of_a_counter_may_be_in_any_order() {
    let report = read("<counter covered='1' missed='3' type='LINE'/>");
    assert_eq!(report.total, of(1, 4, Counter::Line));
}

#[test]
fn without_counters_instructions_and_branches_are_those_of_the_lines() {
    let lines =
        "<line nr='1' mi='2' ci='3' mb='1' cb='1'/><line nr='2' mi='4' ci='0' mb='0' cb='0'/>
        <line nr='3' ci='1' cb='1'/>";
    let file = |counters: &str| {
        format!("<package><sourcefile name='f'>{lines}{counters}</sourcefile></package>")
    };
    let report = read(&file(""));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(1, 2));
    assert_eq!(report.counters.get(Counter::Instruction), Count::new(3, 9));
    let report = read(&file(&counter("BRANCH", 5, 6)));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(6, 11));
}

#[test]
fn a_file_that_is_listed_twice_without_counters_counts_once() {
    let line = "<line nr='7' mi='2' ci='3' mb='1' cb='1'/>";
    let file = format!("<sourcefile name='Parking.java'>{line}</sourcefile>");
    let report = read(&format!("<package name='car'>{file}{file}</package>"));
    for (counter, covered, total) in [
        (Counter::Line, 1, 1),
        (Counter::Instruction, 3, 5),
        (Counter::Branch, 1, 2),
    ] {
        let expected = Count::new(covered, total);
        assert_eq!(report.counters.get(counter), expected, "{counter}");
    }
}

#[test]
fn roots_in_one_file_add_up() {
    let of_one = |covered| format!("<report>{}</report>", counter("LINE", 1, covered));
    let xml = format!("<reports>{}{}</reports>", of_one(1), of_one(5));
    let report = crate::read(xml.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.total, of(6, 8, Counter::Line));
}
