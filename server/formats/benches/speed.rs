//! Measures the speed of reading coverage files of each format, against a bare loop over the same bytes that only finds
//! tokens: quick-xml's events, json-event-parser's events, or the ends of lines. Each format is read without and with the state of
//! every line.
//!
//! `make bench-parser` runs it; `make bench-parser ARGS=jacoco` runs one format. The table at the end has the ratios. The goal is
//! 0.80 for XML and 0.70 for JSON. Finding the ends of lines takes almost no time, so the ratio of text formats means little.

#![allow(clippy::print_stdout, reason = "printing the table is its purpose")]
#![allow(missing_docs, unreachable_pub, reason = "a benchmark has no interface")]

#[path = "../tests/writers/mod.rs"]
mod writers;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput};
use formats::Limits;
use json_event_parser::{JsonEvent, ReaderJsonParser};
use quick_xml::events::Event;
use writers::{Odd, WRITERS, Writer};

/// Larger than the caches of a processor, and small enough that a run over all formats takes two minutes.
const BYTES: usize = 8_000_000;

/// How often each loop is timed for the table. They alternate, so that other load of the machine slows both.
const ROUNDS: usize = 25;

/// The shortest times for one format.
struct Row {
    name: &'static str,
    bytes: usize,
    read: Duration,
    with_lines: Duration,
    bare: Duration,
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10)
        .configure_from_args();
    let rows = WRITERS.iter();
    let rows: Vec<Row> = rows
        .filter_map(|writer| measure(writer, &mut criterion))
        .collect();
    criterion.final_summary();
    print(&rows);
}

/// Returns `None` if the arguments do not select this format.
fn measure(writer: &Writer, criterion: &mut Criterion) -> Option<Row> {
    let report = writer.write(&writer.model_of_size(BYTES, 200), Odd::none());
    let limits = Limits::default();
    let read = || formats::read(&report[..], &limits).expect("a report");
    let with_lines = || formats::read_with_lines(&report[..], &limits).expect("a report");
    let bare = || match report.first() {
        Some(b'<') => xml_events(&report),
        Some(b'{') => json_events(&report),
        _ => lines(&report),
    };

    let mut is_wanted = false;
    let mut group = criterion.benchmark_group(writer.name);
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Bytes(report.len() as u64));
    group.bench_function("read", |bencher| {
        is_wanted = true;
        bencher.iter(read);
    });
    group.bench_function("with lines", |bencher| bencher.iter(with_lines));
    group.bench_function("bare", |bencher| bencher.iter(bare));
    group.finish();

    let mut row = Row {
        name: writer.name,
        bytes: report.len(),
        read: Duration::MAX,
        with_lines: Duration::MAX,
        bare: Duration::MAX,
    };
    for _ in 0..ROUNDS {
        if is_wanted {
            row.read = row.read.min(time(read));
            row.with_lines = row.with_lines.min(time(with_lines));
            row.bare = row.bare.min(time(bare));
        }
    }
    is_wanted.then_some(row)
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn xml_events(report: &[u8]) {
    let mut reader = quick_xml::Reader::from_reader(report);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) => return,
            event => {
                black_box(event.expect("XML"));
            }
        }
    }
}

fn json_events(report: &[u8]) {
    let mut parser = ReaderJsonParser::new(report);
    loop {
        match parser.parse_next() {
            Ok(JsonEvent::Eof) => return,
            event => {
                black_box(event.expect("JSON"));
            }
        }
    }
}

fn lines(report: &[u8]) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', report) {
        black_box(&report[start..end]);
        start = end + 1;
    }
}

fn print(rows: &[Row]) {
    println!(
        "\n{:<26}{:>12}{:>12}{:>12}{:>8}{:>12}",
        "", "read", "with lines", "bare", "ratio", "with lines"
    );
    for row in rows {
        let speed = |time: Duration| row.bytes as f64 / 1e6 / time.as_secs_f64();
        let (read, with_lines, bare) = (speed(row.read), speed(row.with_lines), speed(row.bare));
        println!(
            "{:<26}{read:>7.0} MB/s{with_lines:>7.0} MB/s{bare:>7.0} MB/s{:>8.2}{:>12.2}",
            row.name,
            read / bare,
            with_lines / bare
        );
    }
}
