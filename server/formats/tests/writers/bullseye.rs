//! BullseyeCoverage. Each line is a probe.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "bullseye",
    head,
    file,
    tail,
    total: &[Counter::Function, Counter::Branch],
    counts: &[
        (Counter::Function, Of::Functions),
        (Counter::Branch, Of::Branches),
        (Counter::Line, Of::Lines),
    ],
    hits: Hits::Once,
    quirks: &[Quirk::RepeatsAddUp],
};

fn head(out: &mut Out, model: &Model) {
    out.prologue("BullseyeCoverage", "");
    let version = "6";
    if out.states_totals() {
        let counts = [Of::Functions, Of::Branches].map(|of| model.count(of));
        summed(out, "BullseyeCoverage", ("version", version), counts);
    } else {
        out.open("BullseyeCoverage", &[("version", &version)]);
    }
}

fn file(out: &mut Out, file: &SourceFile) {
    let counts = [Of::Functions, Of::Branches].map(|of| file.count(of));
    summed(out, "src", ("name", &file.path), counts);
    out.open(
        "fn",
        &[("name", &"all()"), ("fn_cov", &1), ("fn_total", &1)],
    );
    for line in &file.lines {
        let event = if line.hits > 0 { "full" } else { "none" };
        out.empty(
            "probe",
            &[
                ("line", &line.number),
                ("kind", &"decision"),
                ("event", &event),
            ],
        );
    }
    out.close();
    out.close();
}

fn summed(
    out: &mut Out,
    name: &'static str,
    (attribute, value): (&'static str, &str),
    [functions, conditions]: [Count; 2],
) {
    out.open(
        name,
        &[
            (attribute, &value),
            ("fn_cov", &functions.covered()),
            ("fn_total", &functions.total()),
            ("cd_cov", &conditions.covered()),
            ("cd_total", &conditions.total()),
            ("d_cov", &0),
            ("d_total", &0),
        ],
    );
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
}
