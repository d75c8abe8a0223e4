//! Measures encoding, decoding, union, comparison and history of the lines of a large report. The goals: a union of two parts takes
//! at most a tenth of the time for reading the Cobertura XML of one part; a history takes 100 ms, and 0.4 bytes a line.
//!
//! `make bench-lines` runs it.

#![allow(clippy::print_stdout, reason = "printing the ratio is its purpose")]
#![allow(missing_docs, reason = "a benchmark has no interface")]

use criterion::{BatchSize, Criterion};
use lines::{
    Branches, Changes, ChangesParser, Difference, FileLines, History, HistoryBase, Limits, Line,
    Lines, Way,
};
use std::{
    fmt::Write,
    hint::black_box,
    time::{Duration, Instant},
};

/// How often both sides of the ratio are timed. They alternate, so that other load of the machine slows both.
const ROUNDS: usize = 15;

/// As many as a large Python project has.
const FILES: u32 = 1500;
const LINES_OF_A_FILE: u32 = 234;

/// The rows of a file: number, hits, and whether the line is partial.
fn rows(index: u32, seed: u32) -> impl Iterator<Item = (u32, u32, bool)> {
    (1..=LINES_OF_A_FILE).map(move |row| {
        let run = (row / 9 + index + seed) % 4;
        (row * 2 + row / 5, run * row % 300, row % 31 == seed)
    })
}

fn path(index: u32) -> String {
    format!("project/package_{}/module_{index}.py", index / 20)
}

/// A part: runs of lines that ran or did not, some of them partial.
fn part(seed: u32) -> Lines {
    let mut lines = Lines::default();
    for index in 0..FILES {
        let rows = rows(index, seed).map(|(number, hits, is_partial)| {
            let branches = Branches::named(1, 2, [number % 2]).filter(|_| is_partial);
            (Line::new(number, u64::from(hits), is_partial), branches)
        });
        lines.add(path(index), FileLines::from_iter(rows));
    }
    lines
}

/// A change of every third file: a line is replaced by three.
fn changes() -> Changes {
    let mut parser = ChangesParser::default();
    for index in (0..FILES).step_by(3) {
        let path = path(index);
        let diff = format!(
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -20 +20,3 @@\n@@ -90,4 +92,0 @@\n"
        );
        parser.feed(diff.as_bytes()).expect("a diff");
    }
    parser.finish().expect("a diff")
}

/// The same part, as coverage.py writes it.
fn cobertura(seed: u32) -> String {
    let mut xml = String::from("<coverage line-rate=\"0.5\"><packages><package><classes>");
    for index in 0..FILES {
        let _ = write!(
            xml,
            "\n\t\t\t\t<class name=\"module.py\" filename=\"{}\" complexity=\"0\" line-rate=\"0.5\" branch-rate=\"0\">\n\t\t\t\t\t<methods/>\n\t\t\t\t\t<lines>",
            path(index)
        );
        for (number, hits, is_partial) in rows(index, seed) {
            let branch = if is_partial {
                " branch=\"true\" condition-coverage=\"50% (1/2)\" missing-branches=\"exit\""
            } else {
                ""
            };
            let _ = write!(
                xml,
                "\n\t\t\t\t\t\t<line number=\"{number}\" hits=\"{hits}\"{branch}/>"
            );
        }
        xml.push_str("\n\t\t\t\t\t</lines>\n\t\t\t\t</class>");
    }
    xml + "</classes></package></packages></coverage>"
}

fn speed(criterion: &mut Criterion) {
    let limits = Limits::default();
    let (one, other) = (part(1), part(2));
    let blob = one.encode(&limits).expect("within the limits");
    let mut group = criterion.benchmark_group("350,000 lines");
    group.bench_function("encode", |bencher| bencher.iter(|| one.encode(&limits)));
    group.bench_function("decode", |bencher| {
        bencher.iter(|| Lines::decode(&blob, &limits))
    });
    group.bench_function("unite", |bencher| {
        bencher.iter_batched(
            || (one.clone(), other.clone()),
            |(one, other)| one.united(other, &limits),
            BatchSize::LargeInput,
        );
    });
    let changes = changes();
    let way = Way {
        changes: Some(&changes),
        is_exact: true,
        ..Way::default()
    };
    group.bench_function("compare", |bencher| {
        bencher.iter(|| Difference::between(&one, &other, way));
    });
    group.bench_function("changed lines", |bencher| {
        bencher.iter(|| changes.measured(&other).counts());
    });
    let blobs = (blob, other.encode(&limits).expect("within the limits"));
    group.bench_function("decode two and compare", |bencher| {
        bencher.iter(|| {
            let decoded =
                [&blobs.0, &blobs.1].map(|blob| Lines::decode(blob, &limits).expect("lines"));
            Difference::between(&decoded[0], &decoded[1], way)
                .groups
                .len()
        });
    });
    let history = old_history(&one, &changes);
    let history = history.encode(&one, &limits).expect("within the limits");
    group.bench_function("history of the next record", |bencher| {
        bencher.iter(|| {
            let base = Lines::decode(&blobs.0, &limits).expect("lines");
            let of_base = History::decode(&history, &base, &limits).expect("a history");
            let next = next_history(100, &other, (&base, &of_base), &changes);
            let encoded = next.encode(&other, &limits).expect("within the limits");
            let counts = next.counts(&other).encode(&limits);
            (encoded, counts.expect("within the limits"))
        });
    });
    group.finish();
    print_size(&history, &old_history(&one, &changes), &one);
}

fn next_history(
    record: i64,
    lines: &Lines,
    (base, history): (&Lines, &History),
    changes: &Changes,
) -> History {
    let base = HistoryBase {
        record: record - 1,
        lines: base,
        history,
        changes,
    };
    History::of(record, lines, lines, Some(base))
}

/// The history after many records, with other lines that ran in each.
fn old_history(newest: &Lines, changes: &Changes) -> History {
    let mut before = (part(1), History::of(1, &part(1), &part(1), None));
    for record in 2..99 {
        let lines = part(u32::try_from(record % 4).expect("small"));
        let history = next_history(record, &lines, (&before.0, &before.1), changes);
        before = (lines, history);
    }
    next_history(99, newest, (&before.0, &before.1), changes)
}

/// Prints the bytes that a history takes for each line.
fn print_size(history: &[u8], decoded: &History, lines: &Lines) {
    let counts = decoded.counts(lines).encode(&Limits::default());
    let of_line = |bytes: usize| bytes as f64 / lines.counts().coverable() as f64;
    println!(
        "history of 99 records: {:.2} bytes a line (goal: 0.4 or less), its counts {:.2} (goal: 0.1 or less)",
        of_line(history.len()),
        of_line(counts.map_or(0, |counts| counts.len()))
    );
}

/// Prints the time of a union relative to reading the Cobertura XML of one part.
fn print_ratio() {
    let limits = Limits::default();
    let (one, other) = (part(1), part(2));
    let xml = cobertura(1);
    let (mut unite, mut read) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let parts = (one.clone(), other.clone());
        unite = unite.min(time(|| parts.0.united(parts.1, &limits)));
        read = read.min(time(|| {
            formats::read_with_lines(xml.as_bytes(), &formats::Limits::default()).expect("a report")
        }));
    }
    println!(
        "union of two parts {unite:.1?}, reading one {read:.1?}: ratio {:.2} (goal: 0.10 or less)",
        unite.as_secs_f64() / read.as_secs_f64()
    );
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = black_box(work());
    let taken = start.elapsed();
    drop(result);
    taken
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    speed(&mut criterion);
    criterion.final_summary();
    print_ratio();
}
