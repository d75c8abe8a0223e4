//! Measures encoding, decoding, union and comparison of the lines of a large report. The goal: a union of two parts takes at most
//! a tenth of the time for reading the Cobertura XML of one part.
//!
//! `make bench-lines` runs it.

#![allow(clippy::print_stdout, reason = "printing the ratio is its purpose")]
#![allow(missing_docs, reason = "a benchmark has no interface")]

use criterion::{BatchSize, Criterion};
use lines::{Branches, Changes, ChangesParser, Difference, FileLines, Limits, Line, Lines, Way};
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
    group.finish();
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
