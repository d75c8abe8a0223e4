//! Go cover profiles. Each line is a block of one statement.

use formats::Counter;

use super::{Hits, Model, Oddity, Of, Out, Quirk, SourceFile, Writer};

pub const WRITER: Writer = Writer {
    name: "go",
    head: |out, _: &Model| out.line("mode: count"),
    file,
    tail: |_, _| {},
    total: &[Counter::Statement],
    counts: &[(Counter::Statement, Of::Lines), (Counter::Line, Of::Lines)],
    hits: Hits::Number,
    quirks: &[Quirk::NamedByLines, Quirk::WholeAfter("\n")],
};

fn file(out: &mut Out, file: &SourceFile) {
    for line in &file.lines {
        let (path, number) = (&file.path, line.number);
        out.line(&format!("{path}:{number}.2,{number}.30 1 {}", line.hits));
        if out.odd.here(Oddity::Between, 30) {
            out.line("mode: count");
        }
    }
}
