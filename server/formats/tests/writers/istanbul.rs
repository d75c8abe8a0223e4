//! istanbul's `coverage-final.json`. Each line is a statement.

use formats::Counter;

use super::{Hits, Model, Oddity, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "istanbul",
    head: |out, _| out.object(),
    file,
    tail: |out, _: &Model| out.end(),
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Statement, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Number,
    quirks: &[
        Quirk::RepeatsAddUp,
        Quirk::NeverEmpty,
        Quirk::BranchesOfLines,
    ],
};

fn file(out: &mut Out, file: &SourceFile) {
    out.name(&file.path);
    out.object();
    out.key("path");
    out.string(&file.path);
    // Old versions write the hits first.
    let is_old = out.odd.has(Oddity::Order);
    if is_old {
        hits(out, file);
    }
    out.key("statementMap");
    out.object();
    for (id, line) in file.lines.iter().enumerate() {
        out.name(&id.to_string());
        place(out, line.number);
    }
    out.end();
    out.key("fnMap");
    out.object();
    for (id, function) in file.functions.iter().enumerate() {
        out.name(&id.to_string());
        out.object();
        out.key("name");
        out.string(&function.name);
        out.key("loc");
        place(out, function.line);
        out.end();
    }
    out.end();
    out.key("branchMap");
    out.object();
    for (id, line) in file.lines.iter().enumerate() {
        if line.branches > 0 {
            out.name(&id.to_string());
            out.object();
            out.key("loc");
            place(out, line.number);
            out.end();
        }
    }
    out.end();
    if !is_old {
        hits(out, file);
    }
    out.end();
}

fn hits(out: &mut Out, file: &SourceFile) {
    out.key("s");
    out.object();
    for (id, line) in file.lines.iter().enumerate() {
        out.name(&id.to_string());
        out.number(line.hits);
    }
    out.end();
    out.key("f");
    out.object();
    for (id, function) in file.functions.iter().enumerate() {
        out.name(&id.to_string());
        out.number(function.hits);
    }
    out.end();
    out.key("b");
    out.object();
    for (id, line) in file.lines.iter().enumerate() {
        if line.branches > 0 {
            out.name(&id.to_string());
            out.array();
            for way in 0..line.branches {
                out.number(u8::from(way < line.taken));
            }
            out.end();
        }
    }
    out.end();
}

fn place(out: &mut Out, line: u32) {
    out.object();
    for (key, column) in [("start", 4), ("end", 30)] {
        out.key(key);
        out.object();
        out.member("line", line);
        out.member("column", column);
        out.end();
    }
    out.end();
}
