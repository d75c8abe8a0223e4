//! `llvm-cov export`. Each line is its own region.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "llvm-json",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Region, Of::Lines),
        (Counter::Function, Of::Functions),
        (Counter::Branch, Of::Branches),
    ],
    hits: Hits::Number,
    quirks: &[Quirk::RepeatsAddUp, Quirk::NeverEmpty],
};

fn head(out: &mut Out, _: &Model) {
    out.object();
    out.key("data");
    out.array();
    out.object();
    out.key("files");
    out.array();
}

fn file(out: &mut Out, file: &SourceFile) {
    out.object();
    for key in ["branches", "mcdc_records", "expansions"] {
        out.key(key);
        out.array();
        out.end();
    }
    out.key("filename");
    out.string(&file.path);
    out.key("segments");
    out.array();
    for line in file.lines_in_order() {
        segment(out, [line.number.into(), 5, line.hits], true);
        segment(out, [line.number.into(), 30, 0], false);
    }
    out.end();
    summary(out, "summary", |of| file.count(of));
    out.end();
}

fn segment(out: &mut Out, place_and_count: [u64; 3], is_start: bool) {
    out.array();
    for number in place_and_count {
        out.number(number);
    }
    out.number(is_start);
    out.number(is_start);
    out.number(false);
    out.end();
}

fn tail(out: &mut Out, model: &Model) {
    out.end();
    out.key("functions");
    out.array();
    out.end();
    if out.states_totals() {
        summary(out, "totals", |of| model.count(of));
    }
    out.end();
    out.end();
    out.key("type");
    out.string("llvm.coverage.json.export");
    out.key("version");
    out.string("3.1.0");
    out.end();
}

fn summary(out: &mut Out, key: &str, count: impl Fn(Of) -> Count) {
    out.key(key);
    out.object();
    for (key, of) in [
        ("branches", Of::Branches),
        ("functions", Of::Functions),
        ("instantiations", Of::Functions),
        ("lines", Of::Lines),
        ("regions", Of::Lines),
    ] {
        let count = count(of);
        out.key(key);
        out.object();
        out.member("count", count.total());
        out.member("covered", count.covered());
        out.member("percent", 85.714_285_714);
        out.end();
    }
    out.end();
}
