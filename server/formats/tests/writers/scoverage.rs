//! scoverage. Each line is a statement, and each of its branches is another one.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "scoverage",
    head,
    file,
    tail,
    total: &[Counter::Statement, Counter::Line],
    counts: &[
        (Counter::Statement, Of::Steps),
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Files),
        (Counter::Class, Of::Files),
    ],
    hits: Hits::Number,
    quirks: &[Quirk::RepeatsAddUp, Quirk::NamedByLines],
};

fn head(out: &mut Out, model: &Model) {
    out.prologue("scoverage", "");
    let statements = model.count(Of::Steps);
    if out.states_totals() {
        let percent = 100.0 * statements.covered() as f64 / statements.total().max(1) as f64;
        out.open(
            "scoverage",
            &[
                ("statement-count", &statements.total()),
                ("statements-invoked", &statements.covered()),
                ("statement-rate", &format!("{percent:.2}")),
                ("version", &"1.0"),
                ("timestamp", &"1795248000000"),
            ],
        );
    } else {
        out.open("scoverage", &[("version", &"1.0")]);
    }
    out.open("packages", &[]);
}

fn file(out: &mut Out, file: &SourceFile) {
    let (folder, name) = file.folder_and_name();
    out.open("package", &[("name", &folder), ("statement-count", &"1")]);
    out.open("classes", &[]);
    out.open("class", &[("name", &name), ("filename", &name)]);
    out.open("methods", &[]);
    out.open("method", &[("name", &"a/b"), ("statement-count", &"1")]);
    out.open("statements", &[]);
    for line in &file.lines {
        statement(out, &file.path, line.number, line.hits, false);
        for branch in 0..line.branches {
            statement(
                out,
                &file.path,
                line.number,
                (branch < line.taken).into(),
                true,
            );
        }
    }
    for _ in 0..6 {
        out.close();
    }
}

fn statement(out: &mut Out, path: &str, line: u32, invocations: u64, is_branch: bool) {
    out.empty(
        "statement",
        &[
            ("package", &"p"),
            ("source", &path),
            ("start", &"1"),
            ("end", &"9"),
            ("line", &line),
            ("branch", &is_branch),
            ("invocation-count", &invocations),
            ("ignored", &"false"),
        ],
    );
}

fn tail(out: &mut Out, _: &Model) {
    out.close();
    out.close();
}
