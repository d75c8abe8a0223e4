//! OpenCover. Each file is in its own module, with all its points in one method.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "opencover",
    head,
    file,
    tail,
    total: &[Counter::Statement],
    counts: &[
        (Counter::Statement, Of::Lines),
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Files),
    ],
    hits: Hits::Number,
    quirks: &[Quirk::RepeatsAddUp, Quirk::BranchesOfLines],
};

fn head(out: &mut Out, model: &Model) {
    out.prologue("CoverageSession", "");
    out.open("CoverageSession", &[]);
    if out.states_totals() {
        let [points, branches, methods] =
            [Of::Lines, Of::Branches, Of::Files].map(|of| model.count(of));
        out.empty(
            "Summary",
            &[
                ("numSequencePoints", &points.total()),
                ("visitedSequencePoints", &points.covered()),
                ("numBranchPoints", &branches.total()),
                ("visitedBranchPoints", &branches.covered()),
                ("sequenceCoverage", &"0"),
                ("visitedMethods", &methods.covered()),
                ("numMethods", &methods.total()),
            ],
        );
    }
    out.open("Modules", &[]);
}

fn file(out: &mut Out, file: &SourceFile) {
    out.open("Module", &[("hash", &"01-23")]);
    let summary: [(_, &dyn std::fmt::Display); 2] =
        [("numSequencePoints", &9), ("visitedSequencePoints", &3)];
    out.empty("Summary", &summary);
    out.element("ModulePath", "C:\\all.dll");
    out.open("Files", &[]);
    out.empty("File", &[("uid", &7), ("fullPath", &file.path)]);
    out.close();
    out.open("Classes", &[]);
    out.open("Class", &[]);
    out.empty("Summary", &summary);
    out.element("FullName", "A/<B>");
    out.open("Methods", &[]);
    out.open(
        "Method",
        &[("visited", &"true"), ("isConstructor", &"false")],
    );
    out.empty("Summary", &summary);
    out.element("Name", "System.Void A::B()");
    out.empty("FileRef", &[("uid", &7)]);
    out.open("SequencePoints", &[]);
    for (ordinal, line) in file.lines.iter().enumerate() {
        out.empty(
            "SequencePoint",
            &[
                ("vc", &line.hits),
                ("uspid", &ordinal),
                ("ordinal", &ordinal),
                ("sl", &line.number),
                ("sc", &9),
                ("el", &line.number),
                ("ec", &30),
                ("fileid", &7),
            ],
        );
    }
    out.close();
    out.open("BranchPoints", &[]);
    for line in &file.lines {
        for path in 0..line.branches {
            out.empty(
                "BranchPoint",
                &[
                    ("vc", &u8::from(path < line.taken)),
                    ("uspid", &1),
                    ("ordinal", &path),
                    ("sl", &line.number),
                    ("path", &path),
                    ("fileid", &7),
                ],
            );
        }
    }
    out.close();
    out.empty("MethodPoint", &[("vc", &1), ("sl", &1)]);
    for _ in 0..5 {
        out.close();
    }
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
    out.close();
}
