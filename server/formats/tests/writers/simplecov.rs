//! SimpleCov's `coverage.json`, as SimpleCov 1.0 writes it.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "simplecov",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Number,
    quirks: &[],
};

fn head(out: &mut Out, model: &Model) {
    out.object();
    out.key("meta");
    out.object();
    out.key("simplecov_version");
    out.string("1.0.0");
    out.end();
    if out.states_totals() {
        out.key("total");
        out.object();
        for (key, of) in [
            ("lines", Of::Lines),
            ("branches", Of::Branches),
            ("methods", Of::Functions),
        ] {
            total(out, key, model.count(of));
        }
        out.end();
    }
    out.key("coverage");
    out.object();
}

fn file(out: &mut Out, file: &SourceFile) {
    out.name(&file.path);
    out.object();
    out.key("lines");
    out.array();
    let mut next = 1;
    for line in file.lines_in_order() {
        for _ in next..line.number {
            out.number("null");
        }
        next = line.number + 1;
        out.number(line.hits);
    }
    out.string("ignored");
    out.end();
    out.key("branches");
    out.array();
    for line in &file.lines {
        for way in 0..line.branches {
            place(out, "else", line.number, u64::from(way < line.taken));
        }
    }
    out.end();
    out.key("methods");
    out.array();
    for function in &file.functions {
        place(out, &function.name, function.line, function.hits);
    }
    out.end();
    out.end();
}

fn place(out: &mut Out, name: &str, line: u32, hits: u64) {
    out.object();
    out.key("name");
    out.string(name);
    out.member("start_line", line);
    out.member("coverage", hits);
    out.end();
}

fn total(out: &mut Out, key: &str, count: Count) {
    out.key(key);
    out.object();
    out.member("covered", count.covered());
    out.member("missed", count.total() - count.covered());
    out.member("total", count.total());
    out.member("percent", 85.71);
    out.end();
}

fn tail(out: &mut Out, _: &Model) {
    out.end();
    out.key("groups");
    out.object();
    out.end();
    out.end();
}
