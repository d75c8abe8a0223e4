use crate::{Counter, Coverage, Limits, Report, Warning};

fn read(xml: &str) -> Report {
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

/// A report of one module with two files, 1 and 2.
fn module(summary: &str, methods: &str) -> Report {
    read(&format!(
        "<CoverageSession>{summary}<Modules><Module>
        <Files><File uid='1' fullPath='a.cs'/><File uid='2' fullPath='b.cs'/></Files>
        <Classes><Class><Methods>{methods}</Methods></Class></Classes></Module></Modules></CoverageSession>"
    ))
}

fn method(points: &str) -> String {
    format!(
        "<Method><Name>M()</Name><FileRef uid='1'/><SequencePoints>{points}</SequencePoints></Method>"
    )
}

fn of(report: &Report, path: &str, counter: Counter) -> Option<(u64, u64)> {
    let file = report.files.iter().find(|file| file.path == path);
    let count = file.and_then(|file| file.counters.get(counter))?;
    Some((count.covered(), count.total()))
}

fn total(report: &Report) -> (u64, u64) {
    match report.total {
        Coverage::Counts(count, Counter::Statement) => (count.covered(), count.total()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_summary_of_the_root_is_the_total() {
    let summary = |covered, total| {
        format!("<Summary visitedSequencePoints='{covered}' numSequencePoints='{total}'/>")
    };
    let modules = format!(
        "<Modules><Module>{}<Classes><Class>{}</Class></Classes></Module></Modules>",
        summary(5, 6),
        summary(7, 8)
    );
    let report = read(&format!(
        "<CoverageSession>{}{modules}</CoverageSession>",
        summary(1, 2)
    ));
    assert_eq!(total(&report), (1, 2));
    let report = read(&format!("<CoverageSession>{modules}</CoverageSession>"));
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn a_summary_without_counts_leaves_the_points() {
    for summary in [
        "<Summary sequenceCoverage='0.253'/>",
        "<Summary numSequencePoints='9'/>",
        "<Summary numSequencePoints='0' visitedSequencePoints='0'/>",
        "<Summary numSequencePoints='-9' visitedSequencePoints='-1'/>",
        "<Summary numSequencePoints='NaN' visitedSequencePoints='NaN'/>",
    ] {
        let points = "<SequencePoint vc='1' sl='1'/><SequencePoint vc='0' sl='2'/>";
        assert_eq!(
            total(&module(summary, &method(points))),
            (1, 2),
            "{summary}"
        );
    }
}

#[test]
fn more_visited_than_there_are_leaves_the_points() {
    let summary = "<Summary numSequencePoints='4' visitedSequencePoints='5'/>";
    let report = module(summary, &method("<SequencePoint vc='1' sl='1'/>"));
    assert_eq!(total(&report), (1, 1));
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn a_summary_contradicted_by_the_points_is_kept_with_a_warning() {
    let summary = "<Summary numSequencePoints='100' visitedSequencePoints='1'/>";
    let report = module(summary, &method("<SequencePoint vc='1' sl='1'/>"));
    assert_eq!(total(&report), (1, 100));
    assert!(matches!(
        report.warnings[..],
        [Warning::Disagreement {
            counter: Counter::Statement,
            ..
        }]
    ));
}

#[test]
fn points_of_a_line_count_each_and_the_line_once() {
    let points = "<SequencePoint vc='0' sl='7'/><SequencePoint vc='2' sl='7'/><SequencePoint vc='0' sl='8'/>";
    let report = module("", &method(points));
    assert_eq!(of(&report, "a.cs", Counter::Statement), Some((1, 3)));
    assert_eq!(of(&report, "a.cs", Counter::Line), Some((1, 2)));
    assert_eq!(of(&report, "a.cs", Counter::Function), Some((1, 1)));
}

#[test]
fn visits_are_read_in_every_form() {
    let hit = [
        "vc='1'",
        "vc='2147483648'",
        "vc='99999999999999999999999'",
        "vc=' 1 '",
    ];
    let missed = ["vc='0'", "vc='-1'", "vc='X'", "vc=''", ""];
    let points = hit
        .iter()
        .chain(&missed)
        .map(|vc| format!("<SequencePoint {vc} sl='1'/>"));
    let report = module("", &method(&points.collect::<String>()));
    assert_eq!(total(&report), (4, 9));
}

#[test]
fn the_file_of_a_point_overrides_the_file_of_its_method() {
    let points =
        "<SequencePoint vc='1' sl='1' fileid='2'/><SequencePoint vc='1' sl='1' fileid='x'/>";
    let report = module("", &method(points));
    assert_eq!(of(&report, "a.cs", Counter::Statement), Some((1, 1)));
    assert_eq!(of(&report, "b.cs", Counter::Statement), Some((1, 1)));
}

#[test]
fn the_file_of_a_branch_overrides_the_file_of_its_method() {
    let branches = "<Method><Name>M()</Name><FileRef uid='1'/><BranchPoints>
        <BranchPoint vc='1' ordinal='0' offset='3' path='0' sl='4' fileid='2'/>
        <BranchPoint vc='0' ordinal='1' offset='3' path='1' sl='4' fileid='x'/></BranchPoints></Method>";
    let report = module("", branches);
    assert_eq!(of(&report, "a.cs", Counter::Branch), Some((0, 1)));
    assert_eq!(of(&report, "b.cs", Counter::Branch), Some((1, 1)));
}

#[test]
fn points_of_an_unknown_file_count_and_without_a_file_lack_lines() {
    let report = module("", &method("<SequencePoint vc='1' sl='1' fileid='9'/>"));
    assert_eq!(total(&report), (1, 1));
    assert_eq!(of(&report, "", Counter::Line), Some((1, 1)));
    let points = "<Method><SequencePoints><SequencePoint vc='1' sl='1'/></SequencePoints></Method>";
    let report = module("", points);
    assert_eq!(total(&report), (1, 1));
    assert_eq!(of(&report, "", Counter::Line), None);
}

#[test]
fn a_number_is_another_file_in_another_module() {
    let module = |path: &str| {
        format!(
            "<Module><Files><File uid='1' fullPath='{path}'/></Files><Classes><Class><Methods>{}</Methods></Class></Classes></Module>",
            method("<SequencePoint vc='1' sl='1' fileid='1'/>")
        )
    };
    let report = read(&format!(
        "<CoverageSession><Modules>{}{}{}</Modules></CoverageSession>",
        module("x.cs"),
        module("y.cs"),
        module("x.cs")
    ));
    assert_eq!(of(&report, "x.cs", Counter::Statement), Some((2, 2)));
    assert_eq!(of(&report, "x.cs", Counter::Line), Some((1, 1)));
    assert_eq!(of(&report, "x.cs", Counter::Function), Some((1, 1)));
    assert_eq!(of(&report, "y.cs", Counter::Statement), Some((1, 1)));
}

#[test]
fn elements_that_only_resemble_points_do_not_count() {
    let method = "<Method><FileRef uid='1'/><SequencePoints/>
        <MethodPoint type='SequencePoint' vc='1' sl='1' fileid='1'/></Method>";
    assert_eq!(module("", method).total, Coverage::Empty { rate: None });
    let points = "<SequencePoint vc='1' sl='16707566'/><SequencePoint vc='1' sl='15732480'/>
        <SequencePoint vc='1' sl='0'/><Other vc='1' sl='1'/>";
    assert_eq!(
        module("", &self::method(points)).total,
        Coverage::Empty { rate: None }
    );
}

#[test]
fn a_point_may_have_children_and_need_not_have_a_line() {
    let points =
        "<SequencePoint vc='1'><Times><Time vc='1'/></Times></SequencePoint><SequencePoint/>";
    let report = module("", &method(points));
    assert_eq!(total(&report), (1, 2));
    assert_eq!(of(&report, "a.cs", Counter::Line), None);
}

#[test]
fn file_branches_are_branch_points_and_total_branches_are_stated() {
    let branches = "<Method><Name>M()</Name><FileRef uid='1'/><BranchPoints>
        <BranchPoint vc='1' ordinal='0' offset='3' path='0'/>
        <BranchPoint vc='0' ordinal='1' offset='3' path='1'/></BranchPoints></Method>";
    let report = module("", branches);
    assert_eq!(of(&report, "a.cs", Counter::Branch), Some((1, 2)));
    let summary = "<Summary numBranchPoints='3' visitedBranchPoints='2'/>";
    let report = module(summary, branches);
    let stated = report.counters.get(Counter::Branch).expect("branches");
    assert_eq!((stated.covered(), stated.total()), (2, 3));
}

#[test]
fn methods_that_start_on_one_line_are_distinguished_by_name() {
    let points = method("<SequencePoint vc='1' sl='7'/>");
    let other = points.replace("M()", "N()");
    let report = module("", &format!("{points}{other}{points}"));
    assert_eq!(of(&report, "a.cs", Counter::Function), Some((2, 2)));
}

#[test]
fn branches_differ_by_method_ordinal_offset_path_or_line() {
    let method = |name: &str, place: &str| {
        format!(
            "<Method><Name>{name}</Name><FileRef uid='1'/>
            <BranchPoints><BranchPoint vc='0' {place}/></BranchPoints></Method>"
        )
    };
    let place = "ordinal='0' offset='1' path='2' sl='3'";
    let methods = [
        method("M()", place),
        method("N()", place),
        method("M()", &place.replace('0', "9")),
        method("M()", &place.replace('1', "9")),
        method("M()", &place.replace('2', "9")),
        method("M()", &place.replace('3', "9")),
        method("M()", place),
    ];
    let report = module("", &methods.concat());
    assert_eq!(of(&report, "a.cs", Counter::Branch), Some((0, 6)));
}

#[test]
fn methods_and_classes_of_the_total_are_stated_by_the_summary() {
    let report = module(
        "<Summary visitedMethods='3' numMethods='4' visitedClasses='1' numClasses='2'/>",
        &method("<SequencePoint vc='1' sl='1'/>"),
    );
    for (counter, expected) in [(Counter::Function, (3, 4)), (Counter::Class, (1, 2))] {
        let count = report.counters.get(counter).expect("a count");
        assert_eq!((count.covered(), count.total()), expected, "{counter}");
    }
}

#[test]
fn classes_are_found_outside_their_place() {
    let report = read(&format!(
        "<CoverageSession><Module><Class><Methods>{}</Methods></Class></Module></CoverageSession>",
        method("<SequencePoint vc='1' sl='1'/>")
    ));
    assert_eq!(total(&report), (1, 1));
}

#[test]
fn a_session_of_nothing_is_empty() {
    for xml in [
        "<CoverageSession/>",
        "<CoverageSession><Modules><Module skippedDueTo='Filter'/></Modules></CoverageSession>",
    ] {
        assert_eq!(read(xml).total, Coverage::Empty { rate: None });
    }
}

#[test]
fn tracked_methods_are_the_tests_of_points_and_may_come_later() {
    let point = |line: u32, visits: u32, ids: &[u32]| {
        let refs: String = ids
            .iter()
            .map(|id| format!("<TrackedMethodRef uid='{id}' vc='1'/>"))
            .collect();
        format!(
            "<SequencePoint vc='{visits}' sl='{line}'><TrackedMethodRefs>{refs}</TrackedMethodRefs></SequencePoint>"
        )
    };
    let points = [
        point(3, 2, &[1, 2]),
        point(4, 1, &[9, 1]),
        point(5, 0, &[1]),
    ]
    .concat();
    let xml = format!(
        "<CoverageSession><Modules><Module><Files><File uid='1' fullPath='a.cs'/></Files><Classes><Class><Methods>{}</Methods></Class></Classes></Module>
        <Module><Classes/><TrackedMethods><TrackedMethod uid='1' name='System.Void T::A&lt;B&gt;()'/><TrackedMethod uid='2' name='T::C()'/></TrackedMethods></Module></Modules></CoverageSession>",
        method(&points)
    );
    let report = crate::read_with_lines(xml.as_bytes(), &Limits::default()).expect("a report");
    let pairs: Vec<_> = report.files[0]
        .tests
        .iter()
        .map(|pair| (pair.line, report.tests[pair.test as usize].as_str()))
        .collect();
    let (one, other) = ("System.Void T::A<B>()", "T::C()");
    // A method that is not in the list has no name.
    assert_eq!(pairs, [(3, one), (3, other), (4, ""), (4, one)]);
}
