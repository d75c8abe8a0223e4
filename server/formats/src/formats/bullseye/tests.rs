use crate::{Count, Counter, Coverage, Limits, Report, Warning};

fn read(root: &str, inside: &str) -> Report {
    let xml = format!("<BullseyeCoverage {root}>{inside}</BullseyeCoverage>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn of(covered: u64, total: u64, counter: Counter) -> Coverage {
    Coverage::Counts(Count::new(covered, total).expect("a count"), counter)
}

#[test]
fn the_total_is_the_functions_that_the_root_states() {
    let report = read(
        "fn_cov='1' fn_total='4' cd_cov='2' cd_total='9' d_cov='8' d_total='8'",
        "<folder fn_cov='1' fn_total='5'/>",
    );
    assert_eq!(report.total, of(1, 4, Counter::Function));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(2, 9));
}

#[test]
fn without_it_the_direct_children_of_the_root_add_up() {
    let report = read(
        "version='4'",
        "<folder name='a' fn_cov='1' fn_total='2' cd_cov='1' cd_total='6'>
           <folder name='b' fn_cov='1' fn_total='2'/></folder>
         <src name='c' fn_cov='1' fn_total='1' cd_cov='1' cd_total='2'/>
         <other fn_cov='7' fn_total='7'/>",
    );
    assert_eq!(report.total, of(2, 3, Counter::Function));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(2, 8));
}

#[test]
fn a_root_with_impossible_counts_is_ignored() {
    let report = read(
        "fn_cov='5087' fn_total='9' cd_cov='15' cd_total='54'",
        "<folder fn_cov='9' fn_total='15' cd_cov='34' cd_total='54'/>",
    );
    assert_eq!(report.total, of(9, 15, Counter::Function));
    assert_eq!(report.counters.get(Counter::Branch), Count::new(34, 54));
    let warning = Warning::MoreThanAll {
        covered: 5087,
        total: 9,
    };
    assert_eq!(report.warnings, [warning]);
}

#[test]
fn without_functions_conditions_are_the_total() {
    let report = read("", "<src name='a' cd_cov='1' cd_total='2'/>");
    assert_eq!(report.total, of(1, 2, Counter::Branch));
    let report = read("", "");
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn files_are_named_by_the_folders_around_them() {
    let src = |name| format!("<src name='{name}' fn_cov='0' fn_total='1'/>");
    let report = read(
        "dir='/elsewhere'",
        &format!(
            "{}<folder name='e:'><folder name=''>{}</folder><folder name='x'>{}</folder></folder>",
            src("a.h"),
            src("b.c"),
            src("c &amp; d.c")
        ),
    );
    let paths: Vec<_> = report.files.iter().map(|file| &file.path).collect();
    assert_eq!(paths, ["a.h", "e:/b.c", "e:/x/c & d.c"]);
}

#[test]
fn lines_are_reached_if_any_probe_or_block_on_them_is() {
    let report = read(
        "",
        "<src name='a' fn_cov='1' fn_total='1'><fn>
         <probe line='1' kind='function' event='full'/><probe line='2' kind='decision' event='none'/>
         <probe line='2' kind='condition' event='false'/><probe line='3' kind='switch-label' event='none'/>
         <probe line='4' kind='constant' event='none'/><probe kind='try' event='full'/><probe line='0' event='full'/>
         <probe line='5' kind='catch'/><block line='6' entered='0'/><block line='7' entered='1'/><block line='3' entered='0'/>
         </fn></src>",
    );
    assert_eq!(report.counters.get(Counter::Line), Count::new(3, 5));
    assert_eq!(report.total, of(1, 1, Counter::Function));
}

#[test]
fn roots_in_one_file_add_up() {
    let of_one = "<BullseyeCoverage fn_cov='1' fn_total='2'/>";
    let xml = format!("<root>{of_one}{of_one}</root>");
    let report = crate::read(xml.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.total, of(2, 4, Counter::Function));
}
