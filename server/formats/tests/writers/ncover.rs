//! NCover 1.5. Each file is in its own module.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "ncover",
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
    quirks: &[Quirk::RepeatsAddUp, Quirk::NamedByLines],
};

fn head(out: &mut Out, _: &Model) {
    out.prologue(
        "coverage",
        "<?xml-stylesheet type='text/xsl' href='coverage.xsl'?>",
    );
    out.open(
        "coverage",
        &[("profilerVersion", &"1.5.8"), ("driverVersion", &"1.5.8.0")],
    );
}

fn file(out: &mut Out, file: &SourceFile) {
    out.open("module", &[("moduleId", &1), ("name", &"all.dll")]);
    out.open(
        "method",
        &[
            ("name", &"M"),
            ("excluded", &"false"),
            ("instrumented", &"true"),
            ("class", &"A+B"),
        ],
    );
    for line in &file.lines {
        out.empty(
            "seqpnt",
            &[
                ("visitcount", &line.hits),
                ("line", &line.number),
                ("column", &9),
                ("endline", &line.number),
                ("endcolumn", &30),
                ("excluded", &"false"),
                ("document", &file.path),
            ],
        );
    }
    out.close();
    out.close();
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
}
