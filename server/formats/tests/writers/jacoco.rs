//! JaCoCo. Each file is in its own package, inside groups.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "jacoco",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Instruction, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Once,
    quirks: &[Quirk::BranchesOfLines],
};

fn head(out: &mut Out, _: &Model) {
    let doctype = "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">";
    out.prologue("report", doctype);
    out.open("report", &[("name", &"all")]);
    out.empty(
        "sessioninfo",
        &[
            ("id", &"host-1"),
            ("start", &"1795248000000"),
            ("dump", &"1795248000001"),
        ],
    );
}

fn file(out: &mut Out, file: &SourceFile) {
    let (folder, name) = file.folder_and_name();
    out.open("package", &[("name", &folder)]);
    out.open("class", &[("name", &name), ("sourcefilename", &name)]);
    for function in &file.functions {
        out.open(
            "method",
            &[
                ("name", &function.name),
                ("desc", &"()V"),
                ("line", &function.line),
            ],
        );
        counter(out, "LINE", Count::one(function.hits > 0));
        counter(out, "METHOD", Count::one(function.hits > 0));
        out.close();
    }
    if !file.is_repeat {
        counter(out, "METHOD", file.count(Of::Functions));
    }
    out.close();
    out.open("sourcefile", &[("name", &name)]);
    for line in &file.lines {
        let covered = u8::from(line.hits > 0);
        let missed = 1 - covered;
        out.empty(
            "line",
            &[
                ("nr", &line.number),
                ("mi", &missed),
                ("ci", &covered),
                ("mb", &(line.branches - line.taken)),
                ("cb", &line.taken),
            ],
        );
    }
    if !file.is_repeat {
        counters(out, |of| file.count(of));
    }
    out.close();
    counters(out, |of| file.count(of));
    out.close();
}

fn tail(out: &mut Out, model: &Model) {
    if out.states_totals() {
        counters(out, |of| model.count(of));
    }
    out.close();
}

fn counters(out: &mut Out, count: impl Fn(Of) -> Count) {
    counter(out, "INSTRUCTION", count(Of::Lines));
    counter(out, "BRANCH", count(Of::Branches));
    counter(out, "LINE", count(Of::Lines));
    counter(out, "COMPLEXITY", count(Of::Elements));
    counter(out, "METHOD", count(Of::Functions));
}

/// JaCoCo omits counters whose total is 0.
fn counter(out: &mut Out, kind: &'static str, count: Count) {
    if count.total() > 0 {
        let missed = count.total() - count.covered();
        out.empty(
            "counter",
            &[
                ("type", &kind),
                ("missed", &missed),
                ("covered", &count.covered()),
            ],
        );
    }
}
