//! Visual Studio's `results` and `CoverageDSPriv`. Each file is in its own module, with all lines in one function.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const RESULTS: Writer = Writer {
    name: "visual-studio",
    head: |out, _| {
        out.prologue("results", "");
        out.open("results", &[]);
        out.open("modules", &[]);
    },
    file: module,
    tail: |out, _| {
        out.close();
        out.close();
    },
    total: &[Counter::Line],
    counts: COUNTS,
    hits: Hits::Once,
    quirks: &[Quirk::RepeatsAddUp, Quirk::WholeOnly(Counter::Block)],
};

pub const DATA_SET: Writer = Writer {
    name: "visual-studio (data set)",
    head: |out, _| {
        out.prologue("CoverageDSPriv", "");
        out.open("CoverageDSPriv", &[]);
        out.open("schema", &[("id", &"CoverageDSPriv")]);
        out.empty("element", &[("name", &"LinesCovered")]);
        out.close();
    },
    file: data_set_module,
    tail: data_set_tail,
    total: &[Counter::Line],
    counts: COUNTS,
    hits: Hits::Once,
    quirks: &[
        Quirk::RepeatsAddUp,
        Quirk::WholeOnly(Counter::Block),
        Quirk::Table,
    ],
};

const COUNTS: &[(Counter, Of)] = &[
    (Counter::Line, Of::Lines),
    (Counter::Block, Of::Lines),
    (Counter::Function, Of::Files),
];

fn module(out: &mut Out, file: &SourceFile) {
    let (covered, missed) = counts(file.count(Of::Lines));
    if out.states_totals() {
        out.open(
            "module",
            &[
                ("name", &"all.dll"),
                ("blocks_covered", &covered),
                ("blocks_not_covered", &missed),
                ("lines_covered", &covered),
                ("lines_partially_covered", &0),
                ("lines_not_covered", &missed),
            ],
        );
    } else {
        out.open("module", &[("name", &"all.dll")]);
    }
    out.open("functions", &[]);
    out.open(
        "function",
        &[
            ("name", &"F()"),
            ("type_name", &"T"),
            ("lines_covered", &"9"),
        ],
    );
    out.open("ranges", &[]);
    for line in &file.lines {
        let is_covered = if line.hits > 0 { "yes" } else { "no" };
        out.empty(
            "range",
            &[
                ("source_id", &0),
                ("start_line", &line.number),
                ("end_line", &line.number),
                ("start_column", &5),
                ("end_column", &20),
                ("covered", &is_covered),
            ],
        );
    }
    out.close();
    out.close();
    out.close();
    out.open("source_files", &[]);
    out.empty("source_file", &[("id", &0), ("path", &file.path)]);
    out.close();
    out.close();
}

fn data_set_module(out: &mut Out, file: &SourceFile) {
    let (covered, missed) = counts(file.count(Of::Lines));
    out.open("Module", &[]);
    out.element("ModuleName", "all.dll");
    if out.states_totals() {
        out.element("LinesCovered", &covered.to_string());
        out.element("LinesPartiallyCovered", "0");
        out.element("LinesNotCovered", &missed.to_string());
        out.element("BlocksCovered", &covered.to_string());
        out.element("BlocksNotCovered", &missed.to_string());
    }
    out.open("NamespaceTable", &[]);
    out.element("LinesCovered", "9");
    out.open("Class", &[]);
    out.open("Method", &[]);
    out.element("MethodName", "F()");
    out.element("LinesNotCovered", "9");
    for line in &file.lines {
        out.open("Lines", &[]);
        out.element("LnStart", &line.number.to_string());
        out.element("ColStart", "5");
        out.element("LnEnd", &line.number.to_string());
        out.element("Coverage", if line.hits > 0 { "0" } else { "2" });
        out.element("SourceFileID", &file.id.to_string());
        out.close();
    }
    for _ in 0..4 {
        out.close();
    }
}

fn data_set_tail(out: &mut Out, model: &Model) {
    for file in &model.files {
        out.open("SourceFileNames", &[]);
        out.element("SourceFileID", &file.id.to_string());
        out.element("SourceFileName", &file.path);
        out.close();
    }
    out.close();
}

fn counts(lines: Count) -> (u64, u64) {
    (lines.covered(), lines.total() - lines.covered())
}
