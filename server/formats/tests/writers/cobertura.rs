//! Cobertura as coverage.py and gcovr write it.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "cobertura",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Number,
    quirks: &[Quirk::BranchesOfLines],
};

fn head(out: &mut Out, model: &Model) {
    let doctype =
        "<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>";
    out.prologue("coverage", doctype);
    let (lines, branches) = (model.count(Of::Lines), model.count(Of::Branches));
    if out.states_totals() {
        let rate = lines.covered() as f64 / lines.total().max(1) as f64;
        out.open(
            "coverage",
            &[
                ("line-rate", &format!("{rate:.4}")),
                ("branch-rate", &"0.5"),
                ("lines-covered", &lines.covered()),
                ("lines-valid", &lines.total()),
                ("branches-covered", &branches.covered()),
                ("branches-valid", &branches.total()),
                ("complexity", &"0.0"),
                ("timestamp", &"1795248000"),
                ("version", &"a 1.0"),
            ],
        );
    } else {
        out.open("coverage", &[("version", &"a 1.0")]);
    }
    out.open("sources", &[]);
    out.element("source", "/build");
    out.close();
    out.open("packages", &[]);
    out.open("package", &[("name", &"all"), ("line-rate", &"1")]);
    out.open("classes", &[]);
}

fn file(out: &mut Out, file: &SourceFile) {
    let (_, name) = file.folder_and_name();
    out.open(
        "class",
        &[
            ("name", &name),
            ("filename", &file.path),
            ("complexity", &"0"),
            ("line-rate", &"1"),
            ("branch-rate", &"1"),
        ],
    );
    out.open("methods", &[]);
    for function in &file.functions {
        out.open(
            "method",
            &[
                ("name", &function.name),
                ("signature", &"(int)"),
                ("line-rate", &"1"),
            ],
        );
        out.open("lines", &[]);
        out.empty(
            "line",
            &[("number", &function.line), ("hits", &function.hits)],
        );
        out.close();
        out.close();
    }
    out.close();
    out.open("lines", &[]);
    for line in &file.lines {
        let (number, hits) = (&line.number, &line.hits);
        if line.branches == 0 {
            out.empty("line", &[("number", number), ("hits", hits)]);
            continue;
        }
        let percent = line.taken * 100 / line.branches;
        let conditions = format!("{percent}% ({}/{})", line.taken, line.branches);
        out.empty(
            "line",
            &[
                ("number", number),
                ("hits", hits),
                ("branch", &"true"),
                ("condition-coverage", &conditions),
            ],
        );
    }
    out.close();
    out.close();
}

fn tail(out: &mut Out, _: &Model) {
    for _ in 0..4 {
        out.close();
    }
}
