//! LCOV tracefiles as geninfo writes them.

use formats::Counter;

use super::{Hits, Model, Oddity, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "lcov",
    head,
    file,
    tail: |_, _| {},
    total: &[Counter::Line],
    counts: &[
        (Counter::Line, Of::Lines),
        (Counter::Branch, Of::Branches),
        (Counter::Function, Of::Functions),
    ],
    hits: Hits::Number,
    quirks: &[
        Quirk::BranchesOfLines,
        Quirk::NeverEmpty,
        Quirk::WholeAfter("end_of_record"),
        Quirk::WholeAfter("end_of_record\r"),
        Quirk::WholeAfter("end_of_record\n"),
        Quirk::WholeAfter("end_of_record\r\n"),
        Quirk::WholeAfter("# between records\n"),
        Quirk::WholeAfter("# between records\r\n"),
    ],
};

fn head(_: &mut Out, _: &Model) {}

fn file(out: &mut Out, file: &SourceFile) {
    if !out.text.is_empty() && out.odd.here(Oddity::Between, 4) {
        out.line("# between records");
    }
    if !out.odd.here(Oddity::Undeclared, 2) {
        out.line("TN:");
    }
    out.line(&format!("SF:{}", file.path));
    for function in &file.functions {
        out.line(&format!("FN:{},{}", function.line, function.name));
    }
    for function in &file.functions {
        out.line(&format!("FNDA:{},{}", function.hits, function.name));
    }
    stated(out, "FN", file, Of::Functions);
    for line in &file.lines {
        for way in 0..line.branches {
            let taken = match line.hits {
                0 => "-".to_owned(),
                _ => u8::from(way < line.taken).to_string(),
            };
            out.line(&format!("BRDA:{},0,{way},{taken}", line.number));
        }
    }
    stated(out, "BR", file, Of::Branches);
    for line in &file.lines {
        let checksum = if out.odd.here(Oddity::Unknown, 9) {
            ",yQ=="
        } else {
            ""
        };
        out.line(&format!("DA:{},{}{checksum}", line.number, line.hits));
        if out.odd.here(Oddity::Unknown, 20) {
            out.line("MCDC:3,2,t,1,0,a > b");
        }
        if out.odd.here(Oddity::Long, 300) {
            let length = out.odd.random().index(4000);
            out.line(&format!("# {}", "x".repeat(length)));
        }
        if out.odd.here(Oddity::Space, 30) {
            out.line("");
        }
    }
    stated(out, "L", file, Of::Lines);
    out.line("end_of_record");
}

fn stated(out: &mut Out, prefix: &str, file: &SourceFile, of: Of) {
    if out.states_totals() {
        let count = file.count(of);
        out.line(&format!("{prefix}F:{}", count.total()));
        out.line(&format!("{prefix}H:{}", count.covered()));
    }
}
