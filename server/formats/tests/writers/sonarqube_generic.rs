//! SonarQube's generic coverage.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "sonarqube-generic",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[(Counter::Line, Of::Lines), (Counter::Branch, Of::Branches)],
    hits: Hits::Once,
    quirks: &[Quirk::BranchesOfLines],
};

fn head(out: &mut Out, _: &Model) {
    out.prologue("coverage", "");
    out.open("coverage", &[("version", &"1")]);
}

fn file(out: &mut Out, file: &SourceFile) {
    out.open("file", &[("path", &file.path)]);
    for line in &file.lines {
        let (number, is_covered) = (&line.number, &(line.hits > 0));
        if line.branches == 0 {
            let attributes = &[("lineNumber", number as _), ("covered", is_covered as _)];
            out.empty("lineToCover", attributes);
            continue;
        }
        out.empty(
            "lineToCover",
            &[
                ("lineNumber", number),
                ("covered", is_covered),
                ("branchesToCover", &line.branches),
                ("coveredBranches", &line.taken),
            ],
        );
    }
    out.close();
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
}
