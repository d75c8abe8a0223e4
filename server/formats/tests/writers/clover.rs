//! Clover as istanbul writes it: the project's metrics first, and each file's metrics before its lines.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "clover",
    head,
    file,
    tail,
    total: &[Counter::Statement],
    counts: &[
        (Counter::Statement, Of::Lines),
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
        (Counter::Element, Of::Elements),
    ],
    hits: Hits::Number,
    quirks: &[],
};

fn head(out: &mut Out, model: &Model) {
    out.prologue("coverage", "");
    out.open(
        "coverage",
        &[("generated", &"1795248000000"), ("clover", &"3.2.0")],
    );
    out.open(
        "project",
        &[("timestamp", &"1795248000000"), ("name", &"All files")],
    );
    if out.states_totals() {
        metrics(out, |of| model.count(of));
    }
}

fn file(out: &mut Out, file: &SourceFile) {
    let (folder, name) = file.folder_and_name();
    out.open("package", &[("name", &folder)]);
    if !file.is_repeat {
        metrics(out, |of| file.count(of));
    }
    out.open("file", &[("name", &name), ("path", &file.path)]);
    if !file.is_repeat {
        metrics(out, |of| file.count(of));
    }
    for function in &file.functions {
        let (name, hits) = (&function.name, &function.hits);
        out.empty(
            "line",
            &[
                ("num", &function.line),
                ("type", &"method"),
                ("name", name),
                ("count", hits),
            ],
        );
    }
    for line in &file.lines {
        let (number, hits) = (&line.number, &line.hits);
        if line.branches == 0 {
            out.empty(
                "line",
                &[("num", number), ("count", hits), ("type", &"stmt")],
            );
            continue;
        }
        let missed = line.branches - line.taken;
        out.empty(
            "line",
            &[
                ("num", number),
                ("count", hits),
                ("type", &"cond"),
                ("truecount", &line.taken),
                ("falsecount", &missed),
            ],
        );
    }
    out.close();
    out.close();
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
    out.close();
}

fn metrics(out: &mut Out, count: impl Fn(Of) -> Count) {
    let of = [Of::Lines, Of::Branches, Of::Functions, Of::Elements];
    let [statements, conditionals, methods, elements] = of.map(count);
    out.empty(
        "metrics",
        &[
            ("statements", &statements.total()),
            ("coveredstatements", &statements.covered()),
            ("conditionals", &conditionals.total()),
            ("coveredconditionals", &conditionals.covered()),
            ("methods", &methods.total()),
            ("coveredmethods", &methods.covered()),
            ("elements", &elements.total()),
            ("coveredelements", &elements.covered()),
            ("complexity", &"0"),
            ("loc", &statements.total()),
        ],
    );
}
