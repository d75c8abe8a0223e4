//! The index of PHPUnit's XML coverage.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "phpunit-xml",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::None,
    quirks: &[Quirk::RepeatsAddUp],
};

fn head(out: &mut Out, model: &Model) {
    out.prologue("phpunit", "");
    let namespace = "https://schema.phpunit.de/coverage/1.0";
    out.open("phpunit", &[("xmlns", &namespace)]);
    out.empty("build", &[("phpunit", &"12.0"), ("coverage", &"12.0")]);
    out.open("project", &[("source", &"/build")]);
    out.open("tests", &[]);
    out.close();
    out.open("directory", &[("name", &"/")]);
    if out.states_totals() {
        totals(out, |of| model.count(of));
    }
}

fn file(out: &mut Out, file: &SourceFile) {
    out.open("file", &[("name", &file.path), ("href", &"a.xml")]);
    totals(out, |of| file.count(of));
    out.close();
}

fn totals(out: &mut Out, count: impl Fn(Of) -> Count) {
    let (lines, functions) = (count(Of::Lines), count(Of::Functions));
    out.open("totals", &[]);
    out.empty(
        "lines",
        &[
            ("total", &lines.total()),
            ("comments", &0),
            ("code", &lines.total()),
            ("executable", &lines.total()),
            ("executed", &lines.covered()),
            ("percent", &""),
        ],
    );
    out.empty(
        "methods",
        &[
            ("count", &functions.total()),
            ("tested", &functions.covered()),
            ("percent", &""),
        ],
    );
    out.empty(
        "functions",
        &[("count", &0), ("tested", &0), ("percent", &0)],
    );
    out.close();
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
    out.close();
    out.close();
}
