//! Codecov's JSON, files in turn as lists and as objects. A line has either hits or branches.

use formats::Counter;

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "codecov",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[(Counter::Line, Of::Lines)],
    hits: Hits::Number,
    quirks: &[Quirk::NeverEmpty],
};

fn head(out: &mut Out, _: &Model) {
    out.object();
    out.key("coverage");
    out.object();
}

fn file(out: &mut Out, file: &SourceFile) {
    out.name(&file.path);
    if file.id % 2 == 1 {
        out.object();
        for line in &file.lines {
            out.name(&line.number.to_string());
            out.number(line.hits);
        }
    } else {
        out.array();
        let mut next = 0;
        for line in file.lines_in_order() {
            for _ in next..line.number {
                out.number("null");
            }
            next = line.number + 1;
            out.number(line.hits);
        }
    }
    out.end();
}

fn tail(out: &mut Out, _: &Model) {
    out.end();
    out.end();
}
