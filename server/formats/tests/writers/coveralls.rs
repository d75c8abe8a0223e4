//! Coveralls' JSON, as its clients send it. The members of a file come in either order.

use formats::Counter;

use super::{Hits, Model, Oddity, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "coveralls",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[(Counter::Line, Of::Lines), (Counter::Branch, Of::Branches)],
    hits: Hits::Number,
    quirks: &[Quirk::BranchesOfLines],
};

fn head(out: &mut Out, _: &Model) {
    out.object();
    out.key("service_name");
    out.string("github");
    out.key("source_files");
    out.array();
}

fn file(out: &mut Out, file: &SourceFile) {
    out.object();
    let is_name_last = out.odd.has(Oddity::Order);
    if !is_name_last {
        name(out, file);
    }
    out.key("source");
    out.string("let label = \"\\\"free\\\"\";\\");
    out.key("coverage");
    out.array();
    let mut next = 1;
    for line in file.lines_in_order() {
        for _ in next..line.number {
            out.number("null");
        }
        next = line.number + 1;
        out.number(line.hits);
    }
    // As node-coveralls does.
    out.number("null");
    out.end();
    out.key("branches");
    out.array();
    for line in &file.lines {
        for way in 0..line.branches {
            for number in [line.number, 0, way, u32::from(way < line.taken)] {
                out.number(number);
            }
        }
    }
    out.end();
    if is_name_last {
        name(out, file);
    }
    out.end();
}

fn name(out: &mut Out, file: &SourceFile) {
    out.key("name");
    out.string(&file.path);
}

fn tail(out: &mut Out, _: &Model) {
    out.end();
    out.key("repo_token");
    out.string("token");
    out.end();
}
