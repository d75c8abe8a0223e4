//! Testwell CTC++.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "ctc",
    head,
    file,
    tail,
    total: &[Counter::Statement, Counter::Branch, Counter::Function],
    counts: &[
        (Counter::Statement, Of::Lines),
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Once,
    quirks: &[],
};

fn head(out: &mut Out, _: &Model) {
    out.prologue("coverage", "");
    out.open(
        "coverage",
        &[("projectName", &"all"), ("ctcreportVersion", &"5.0")],
    );
}

fn file(out: &mut Out, file: &SourceFile) {
    let (_, name) = file.folder_and_name();
    out.open("file", &[("name", &name), ("location", &file.path)]);
    if !file.is_repeat {
        measure(out, "Statement", file.count(Of::Lines));
        measure(out, "Decision", file.count(Of::Branches));
        measure(out, "Function", file.count(Of::Functions));
    }
    out.open("functionRemainingCode", &[]);
    for line in &file.lines {
        let is_executed = if line.hits > 0 {
            "Executed"
        } else {
            "NotExecuted"
        };
        out.empty(
            "line",
            &[
                ("number", &line.number),
                ("codeType", &"Executable"),
                ("isExecuted", &is_executed),
                ("isJustified", &"NotJustified"),
            ],
        );
    }
    out.close();
    out.close();
}

fn measure(out: &mut Out, name: &'static str, count: Count) {
    out.empty(
        "measure",
        &[
            ("name", &name),
            ("hits", &count.covered()),
            ("checkpoints", &count.total()),
        ],
    );
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
}
