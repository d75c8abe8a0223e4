//! Coverage files of Mono's profilers, with one method in each file.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "mprof",
    head,
    file,
    tail,
    total: &[Counter::Statement],
    counts: &[
        (Counter::Statement, Of::Lines),
        (Counter::Line, Of::Lines),
        (Counter::Function, Of::Files),
    ],
    hits: Hits::Number,
    quirks: &[Quirk::RepeatsAddUp],
};

fn head(out: &mut Out, _: &Model) {
    out.prologue("coverage", "");
    out.open("coverage", &[("version", &"0.3")]);
    out.empty(
        "assembly",
        &[("name", &"all"), ("guid", &"0"), ("filename", &"all.dll")],
    );
    out.empty(
        "class",
        &[("name", &"A"), ("method-count", &1), ("full", &0)],
    );
}

fn file(out: &mut Out, file: &SourceFile) {
    out.open(
        "method",
        &[
            ("assembly", &"all"),
            ("class", &"A"),
            ("name", &"M ()"),
            ("filename", &file.path),
            ("token", &100),
        ],
    );
    for line in &file.lines {
        out.empty(
            "statement",
            &[
                ("offset", &0),
                ("counter", &line.hits),
                ("line", &line.number),
                ("column", &9),
            ],
        );
    }
    out.close();
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
}
