//! dotCover's detailed XML. Each file is in its own assembly.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "dotcover",
    head,
    file,
    tail,
    total: &[Counter::Statement],
    counts: &[
        (Counter::Statement, Of::Lines),
        (Counter::Line, Of::Lines),
        (Counter::Function, Of::Files),
    ],
    hits: Hits::Once,
    quirks: &[Quirk::RepeatsAddUp, Quirk::Table],
};

fn head(out: &mut Out, model: &Model) {
    out.prologue("Root", "");
    let version = "2025.1";
    if out.states_totals() {
        let statements = model.count(Of::Lines);
        let percent = 100 * statements.covered() / statements.total().max(1);
        out.open(
            "Root",
            &[
                ("CoveredStatements", &statements.covered()),
                ("TotalStatements", &statements.total()),
                ("CoveragePercent", &percent),
                ("ReportType", &"DetailedXml"),
                ("DotCoverVersion", &version),
            ],
        );
    } else {
        out.open("Root", &[("DotCoverVersion", &version)]);
    }
    out.open("FileIndices", &[]);
    for file in &model.files {
        out.empty("File", &[("Index", &(file.id + 1)), ("Name", &file.path)]);
    }
    out.close();
}

fn file(out: &mut Out, file: &SourceFile) {
    out.open("Assembly", &[("Name", &"All"), ("CoveredStatements", &9)]);
    out.open("Namespace", &[("Name", &"N")]);
    out.open("Type", &[("Name", &"T")]);
    out.open("Method", &[("Name", &"M():System.Void")]);
    for line in &file.lines {
        let covered = if line.hits > 0 { "True" } else { "False" };
        out.empty(
            "Statement",
            &[
                ("FileIndex", &(file.id + 1)),
                ("Line", &line.number),
                ("Column", &9),
                ("EndLine", &line.number),
                ("EndColumn", &30),
                ("Covered", &covered),
            ],
        );
    }
    for _ in 0..4 {
        out.close();
    }
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
}
