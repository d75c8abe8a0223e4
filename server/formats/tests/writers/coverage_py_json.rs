//! coverage.py's JSON.

use formats::{Count, Counter};

use super::{Hits, Model, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "coverage-py-json",
    head,
    file,
    tail,
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Once,
    quirks: &[Quirk::RepeatsAddUp, Quirk::BranchesOfLines],
};

fn head(out: &mut Out, _: &Model) {
    out.object();
    out.key("meta");
    out.object();
    out.member("format", 3);
    out.key("version");
    out.string("7.14.0");
    out.member("branch_coverage", true);
    out.member("show_contexts", false);
    out.end();
    out.key("files");
    out.object();
}

fn file(out: &mut Out, file: &SourceFile) {
    out.name(&file.path);
    out.object();
    lines(out, "executed_lines", file, true);
    summary(out, file.count(Of::Lines), file.count(Of::Branches));
    lines(out, "missing_lines", file, false);
    branches(out, "executed_branches", file, true);
    branches(out, "missing_branches", file, false);
    out.key("excluded_lines");
    out.array();
    out.end();
    out.key("functions");
    out.object();
    for function in &file.functions {
        out.name(&function.name);
        out.object();
        summary(out, Count::one(function.hits > 0), Count::ZERO);
        out.member("start_line", function.line);
        out.end();
    }
    out.end();
    out.end();
}

fn lines(out: &mut Out, key: &str, file: &SourceFile, is_executed: bool) {
    out.key(key);
    out.array();
    for line in file.lines_in_order() {
        if (line.hits > 0) == is_executed {
            out.number(line.number);
        }
    }
    out.end();
}

fn branches(out: &mut Out, key: &str, file: &SourceFile, is_executed: bool) {
    out.key(key);
    out.array();
    for line in file.lines_in_order() {
        for way in 0..line.branches {
            if (way < line.taken) == is_executed {
                out.array();
                out.number(line.number);
                out.number(i64::from(line.number + way) * if way == 0 { -1 } else { 1 });
                out.end();
            }
        }
    }
    out.end();
}

fn tail(out: &mut Out, model: &Model) {
    out.end();
    if out.states_totals() {
        totals(
            out,
            "totals",
            model.count(Of::Lines),
            model.count(Of::Branches),
        );
    }
    out.end();
}

fn summary(out: &mut Out, lines: Count, branches: Count) {
    totals(out, "summary", lines, branches);
}

fn totals(out: &mut Out, key: &str, lines: Count, branches: Count) {
    out.key(key);
    out.object();
    out.member("covered_lines", lines.covered());
    out.member("num_statements", lines.total());
    out.member("percent_covered", 85.714_285_714);
    out.key("percent_covered_display");
    out.string("86");
    out.member("missing_lines", lines.total() - lines.covered());
    out.member("excluded_lines", 0);
    if branches.total() > 0 {
        out.member("num_branches", branches.total());
        out.member("num_partial_branches", 0);
        out.member("covered_branches", branches.covered());
        out.member("missing_branches", branches.total() - branches.covered());
    }
    out.end();
}
