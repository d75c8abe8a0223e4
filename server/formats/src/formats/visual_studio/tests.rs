use crate::{Counter, Coverage, Limits, Report};

fn read(xml: &str) -> Report {
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn results(modules: &str) -> Report {
    read(&format!("<results><modules>{modules}</modules></results>"))
}

/// A module with a function of these ranges.
fn ranges(counts: &str, ranges: &str) -> Report {
    results(&format!(
        "<module {counts}><functions><function name='f'><ranges>{ranges}</ranges></function></functions>
        <source_files><source_file id='0' path='a.cs'/></source_files></module>"
    ))
}

fn total(report: &Report) -> (u64, u64, Counter) {
    match report.total {
        Coverage::Counts(count, counter) => (count.covered(), count.total(), counter),
        other => panic!("{other:?}"),
    }
}

fn of(report: &Report, path: &str, counter: Counter) -> Option<(u64, u64)> {
    let file = report.files.iter().find(|file| file.path == path);
    let count = file.and_then(|file| file.counters.get(counter))?;
    Some((count.covered(), count.total()))
}

#[test]
fn the_total_is_stated_by_the_modules() {
    let report = results(
        "<module lines_covered='3' lines_partially_covered='1' lines_not_covered='2'>
        <functions><function lines_covered='90' lines_partially_covered='90' lines_not_covered='90'/></functions></module>
        <module lines_covered='1' lines_partially_covered='0' lines_not_covered='0'/>
        <module lines_covered='0' lines_partially_covered='0' lines_not_covered='0'/>",
    );
    assert_eq!(total(&report), (4, 7, Counter::Line));
}

#[test]
fn a_data_set_counts_only_direct_children_of_a_module() {
    let counts = "<LinesCovered>1</LinesCovered><LinesNotCovered>2</LinesNotCovered><BlocksCovered>3</BlocksCovered>
        <BlocksNotCovered>4</BlocksNotCovered>";
    let report = read(&format!(
        "<CoverageDSPriv><xs:schema><xs:element name='LinesCovered'/></xs:schema><Module><NamespaceTable>{counts}
        <Class>{counts}<Method>{counts}</Method></Class></NamespaceTable>{counts}
        <LinesPartiallyCovered>5</LinesPartiallyCovered></Module><LinesCovered>9</LinesCovered></CoverageDSPriv>"
    ));
    assert_eq!(total(&report), (1, 8, Counter::Line));
    let blocks = report.counters.get(Counter::Block).expect("blocks");
    assert_eq!((blocks.covered(), blocks.total()), (3, 7));
}

#[test]
fn without_stated_lines_the_total_is_listed_lines_or_else_blocks() {
    let range = "<range source_id='0' covered='yes' start_line='1' end_line='2'/>";
    let blocks = "blocks_covered='1' blocks_not_covered='3'";
    assert_eq!(total(&ranges(blocks, range)), (2, 2, Counter::Line));
    assert_eq!(total(&ranges(blocks, "")), (1, 4, Counter::Block));
    assert_eq!(
        total(&ranges("lines_covered='x' lines_not_covered='-1'", range)),
        (2, 2, Counter::Line)
    );
    assert_eq!(results("").total, Coverage::Empty { rate: None });
}

#[test]
fn a_line_covered_in_part_is_not_covered_but_its_function_is() {
    for covered in ["partial", "PARTIAL", "", "foo"] {
        let report = ranges(
            "",
            &format!("<range source_id='0' covered='{covered}' start_line='1' end_line='1'/>"),
        );
        assert_eq!(of(&report, "a.cs", Counter::Line), Some((0, 1)));
        let is_reached = u64::from(covered == "partial");
        assert_eq!(
            of(&report, "a.cs", Counter::Function),
            Some((is_reached, 1))
        );
    }
}

#[test]
fn a_range_is_all_its_lines_and_a_line_in_two_ranges_counts_once() {
    let report = ranges(
        "",
        "<range source_id='0' covered='no' start_line='3' end_line='5'/>
        <range source_id='0' covered='yes' start_line='5' end_line='6'/>
        <range source_id='0' covered='yes' start_line='9' end_line='2'/>
        <range source_id='0' covered='yes' start_line='10'/><range source_id='0' covered='yes' end_line='2'/>",
    );
    assert_eq!(of(&report, "a.cs", Counter::Line), Some((4, 6)));
}

#[test]
fn lines_stated_and_listed_are_counted_differently_and_not_compared() {
    let report = ranges(
        "lines_covered='5' lines_partially_covered='0' lines_not_covered='5'",
        "<range source_id='0' covered='yes' start_line='1' end_line='1'/>",
    );
    assert_eq!(report.warnings, []);
}

#[test]
fn functions_on_one_line_differ_by_namespace_type_or_name() {
    let function = |namespace, type_name, name| {
        format!(
            "<function namespace='{namespace}' type_name='{type_name}' name='{name}'><ranges>
            <range source_id='0' covered='yes' start_line='1' end_line='1'/></ranges></function>"
        )
    };
    let functions = [
        function("A", "T", "f"),
        function("B", "T", "f"),
        function("A", "U", "f"),
        function("A", "T", "g"),
        function("A", "T", "f"),
    ];
    let report = results(&format!(
        "<module><functions>{}</functions>
        <source_files><source_file id='0' path='a.cs'/></source_files></module>",
        functions.concat()
    ));
    assert_eq!(of(&report, "a.cs", Counter::Function), Some((4, 4)));
}

#[test]
fn code_without_a_line_is_not_listed() {
    let range = "<range source_id='0' covered='yes' start_line='15732480' end_line='15732480'/>";
    assert_eq!(ranges("", range).total, Coverage::Empty { rate: None });
}

#[test]
fn a_range_of_four_billion_lines_is_cut() {
    let range = "<range source_id='0' covered='yes' start_line='1' end_line='4294967295'/>
        <range source_id='0' covered='yes' start_line='4294967295' end_line='4294967295'/>";
    let report = ranges("", range);
    assert_eq!(of(&report, "a.cs", Counter::Line), Some((1_001, 1_001)));
}

#[test]
fn numbers_of_files_are_those_of_a_module_before_and_after_its_functions() {
    let range = "<functions><function><ranges><range source_id='0' covered='yes' start_line='1'/></ranges></function></functions>";
    let table = |path| format!("<source_files><source_file id='0' path='{path}'/></source_files>");
    let report = results(&format!(
        "<module>{range}{}</module><module>{}{range}</module><module>{range}</module>",
        table("a.cs"),
        table("b.cs")
    ));
    for path in ["a.cs", "b.cs", ""] {
        assert_eq!(of(&report, path, Counter::Line), Some((1, 1)), "{path}");
    }
}

#[test]
fn more_files_than_the_memory_holds_leave_the_total() {
    let ranges: String = (0..10_000)
        .map(|id| format!("<range source_id='{id}' covered='yes' start_line='1'/>"))
        .collect();
    let files: String = (0..10_000)
        .map(|id| format!("<source_file id='{id}' path='{id}.cs'/>"))
        .collect();
    let xml = format!(
        "<results><modules><module lines_covered='1' lines_not_covered='1'><functions><function><ranges>{ranges}</ranges>
        </function></functions><source_files>{files}</source_files></module></modules></results>"
    );
    let report = crate::read(xml.as_bytes(), &Limits::for_testing()).expect("a total");
    assert_eq!(total(&report), (1, 2, Counter::Line));
    assert_eq!(report.files, []);
}

#[test]
fn a_data_set_names_its_files_last() {
    let lines = |file: u32, coverage: u32| {
        format!(
            "<Lines><LnStart>4</LnStart><LnEnd>5</LnEnd><Coverage>{coverage}</Coverage><SourceFileID>{file}</SourceFileID></Lines>"
        )
    };
    let name = |file: u32, path| {
        format!(
            "<SourceFileNames><SourceFileName>{path}</SourceFileName><SourceFileID>{file}</SourceFileID></SourceFileNames>"
        )
    };
    let report = read(&format!(
        "<CoverageDSPriv><Module><NamespaceTable><Class><Method><MethodName>f</MethodName>{}</Method>
        <Method>{}</Method></Class></NamespaceTable></Module>{}{}</CoverageDSPriv>",
        lines(1, 0) + &lines(1, 2),
        lines(2, 1),
        name(1, "a&amp;b"),
        name(2, "c")
    ));
    assert_eq!(of(&report, "a&b", Counter::Line), Some((2, 2)));
    assert_eq!(of(&report, "c", Counter::Line), Some((0, 2)));
    assert_eq!(of(&report, "c", Counter::Function), Some((1, 1)));
}

#[test]
fn methods_of_a_data_set_on_one_line_differ_by_name() {
    let method = |name| {
        format!(
            "<Method><MethodName>{name}</MethodName><Lines><LnStart>7</LnStart><LnEnd>7</LnEnd><Coverage>0</Coverage>
            <SourceFileID>1</SourceFileID></Lines></Method>"
        )
    };
    let methods = [
        method("get_Fee()"),
        method("set_Fee(int)"),
        method("get_Fee()"),
    ]
    .concat();
    let report = read(&format!(
        "<CoverageDSPriv><Module><NamespaceTable><Class>{methods}</Class></NamespaceTable></Module>
        <SourceFileNames><SourceFileID>1</SourceFileID><SourceFileName>a.cs</SourceFileName></SourceFileNames></CoverageDSPriv>"
    ));
    assert_eq!(of(&report, "a.cs", Counter::Line), Some((1, 1)));
    assert_eq!(of(&report, "a.cs", Counter::Function), Some((2, 2)));
}

#[test]
fn the_content_of_a_cdata_section_is_literal_text() {
    let report = read(
        "<CoverageDSPriv><Module><NamespaceTable><Class><Method><MethodName>f</MethodName>
        <Lines><LnStart>1</LnStart><LnEnd>1</LnEnd><Coverage>0</Coverage><SourceFileID>1</SourceFileID></Lines>
        </Method></Class></NamespaceTable></Module><SourceFileNames><SourceFileID>1</SourceFileID>
        <SourceFileName>a&amp;<![CDATA[&amp;b]]>.cs</SourceFileName></SourceFileNames></CoverageDSPriv>",
    );
    assert_eq!(report.files[0].path, "a&&amp;b.cs");
}
