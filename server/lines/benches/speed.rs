//! Measures encoding, decoding and union of the lines of a large report.
//!
//! `make bench-lines` runs it.

#![allow(missing_docs, reason = "a benchmark has no interface")]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lines::{Branches, FileLines, Limits, Line, Lines};

/// As many as a large Python project has.
const FILES: u32 = 1500;
const LINES_OF_A_FILE: u32 = 234;

/// A part: runs of lines that ran or did not, some of them partial.
fn part(seed: u32) -> Lines {
    let mut lines = Lines::default();
    for index in 0..FILES {
        let rows = (1..=LINES_OF_A_FILE).map(|row| {
            let number = row * 2 + row / 5;
            let run = (row / 9 + index + seed) % 4;
            let is_partial = row % 31 == seed;
            let branches = Branches::named(1, 2, [row % 2]).filter(|_| is_partial);
            let line = Line::new(number, u64::from(run * row % 300), is_partial);
            (line, branches)
        });
        lines.add(
            format!("project/package_{}/module_{index}.py", index / 20),
            FileLines::from_iter(rows),
        );
    }
    lines
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
    group.finish();
}

criterion_group!(benches, speed);
criterion_main!(benches);
