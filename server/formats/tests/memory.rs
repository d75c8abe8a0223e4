//! Memory does not grow with the size of a report, and the kept data of its files stays within its limit.
//!
//! The tests measure the peak of resident memory that Linux reports. Each measurement has its own process, because a
//! process keeps memory that it once used.

#![allow(unreachable_pub, reason = "a test has no other crate to hide from")]
#![allow(clippy::print_stdout, reason = "processes print what they measured")]

#[path = "writers/mod.rs"]
mod writers;

use std::process::Command;
use std::{env, fs};

use formats::{ErrorKind, Limits, Report, Warning};
use writers::model::{Line, realistic_file};
use writers::stream::{NUMBER, Stream};
use writers::{Model, Odd, Oddity, Quirk, SourceFile, WRITERS, Writer};

const MIB: usize = 1 << 20;

/// The environment variables with the work of a process, its format and its count.
const VARIABLES: [&str; 3] = ["MEASURE_WORK", "MEASURE_FORMAT", "MEASURE_COUNT"];

/// The work of a process: takes a count and returns a number.
type Work = fn(&Writer, usize) -> usize;

const WORKS: &[(&str, Work)] = &[
    ("long", long),
    ("find most files", find_most_files),
    ("most files", most_files),
    ("a million files", a_million_files),
];

#[test]
#[ignore = "the other tests run it, each in its own process"]
fn in_its_own_process() {
    #[expect(
        clippy::disallowed_methods,
        reason = "the arguments of a test are those of its runner"
    )]
    let [Ok(work), Ok(format), Ok(count)] = VARIABLES.map(env::var) else {
        return;
    };
    let (_, work) = WORKS.iter().find(|(name, _)| *name == work).expect("work");
    let writer = WRITERS.iter().find(|writer| writer.name == format);
    let before = resident("VmRSS:");
    let outcome = work(writer.expect("a format"), count.parse().expect("a number"));
    println!("\noutcome: {outcome}");
    if let (Some(before), Some(peak)) = (before, resident("VmHWM:")) {
        println!("peak: {}", peak - before);
    }
}

fn resident(name: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}

/// Does the work in another process. Returns its outcome, and the growth of memory in bytes, if the system measures it.
fn outcome_and_peak(work: &str, writer: &Writer, count: usize) -> (usize, Option<usize>) {
    let process = Command::new(env::current_exe().expect("a program"))
        .args(["in_its_own_process", "--exact", "--ignored", "--nocapture"])
        .envs(
            VARIABLES
                .into_iter()
                .zip([work, writer.name, &count.to_string()]),
        )
        .output()
        .expect("a process");
    let output = String::from_utf8_lossy(&process.stdout);
    let errors = String::from_utf8_lossy(&process.stderr);
    assert!(process.status.success(), "{}: {errors}", writer.name);
    let number = |name| {
        let number = output.lines().find_map(|line| line.strip_prefix(name))?;
        number.parse().ok()
    };
    (number("outcome: ").expect("an outcome"), number("peak: "))
}

fn assert_peak(work: &str, writer: &Writer, count: usize, most: usize) {
    let (_, peak) = outcome_and_peak(work, writer, count);
    let Some(peak) = peak else {
        println!("not measured: there is no /proc/self/status here");
        return;
    };
    println!("{work}, {}: {} KiB", writer.name, peak / 1024);
    assert!(peak <= most, "{work}, {}: {peak} bytes", writer.name);
}

/// Long enough to detect that a twentieth of it is kept, and short enough that all formats take only some seconds.
/// With 500 MiB, all formats stay below 7 MiB too.
const LONG: usize = 250 * MIB;

/// Without optimisation, reading JSON has a tenth of the speed of reading XML.
const LONG_JSON: usize = 50 * MIB;

#[test]
fn a_huge_coverage_file_takes_no_more_memory_than_a_small_one() {
    for writer in WRITERS {
        let long = if writer.is_json() { LONG_JSON } else { LONG };
        assert_peak("long", writer, long, 12 * MIB);
    }
}

/// Reads few files that are repeated.
fn long(writer: &Writer, bytes: usize) -> usize {
    let model = Model::realistic(20, 300);
    let stream = Stream::of_repeated_files(writer, &model, bytes);
    let report = formats::read(stream, &Limits::default()).expect("a report");
    assert_eq!(report.files.len(), model.files.len());
    bytes
}

/// A file to copy many times. The shapes reveal a wrong estimate of a file's memory.
fn file(shape: usize) -> SourceFile {
    let with_lines = |numbers: &[u32], branches| {
        let line = |&number: &u32| Line {
            number,
            hits: 1,
            branches,
            taken: 0,
        };
        numbers.iter().map(line).collect()
    };
    let mut file = match shape {
        3 => realistic_file(0, 30),
        _ => SourceFile::default(),
    };
    match shape {
        0 => {}
        1 => file.lines = with_lines(&[7], 0),
        2 => file.lines = with_lines(&[7, 70, 700], 2),
        _ => {}
    }
    file.path = format!("src/some/folder/{NUMBER}.c");
    file
}

const SHAPES: usize = 4;

/// Small, so that tests reach it quickly.
const LIMIT: usize = 2 * MIB;

#[test]
fn the_limit_is_the_real_memory_of_files() {
    // A format with a table of paths has no more files than the table. In some formats, files without lines have no path.
    for writer in WRITERS.iter().filter(|writer| !writer.has(Quirk::Table)) {
        let shapes = usize::from(writer.has(Quirk::NamedByLines))..SHAPES;
        for shape in shapes {
            let (most, _) = outcome_and_peak("find most files", writer, shape);
            let count = most * SHAPES + shape;
            assert_peak("most files", writer, count, LIMIT * 5 / 4 + MIB);
        }
    }
}

fn fits(writer: &Writer, shape: usize, files: usize) -> bool {
    let limits = Limits {
        memory_bytes: LIMIT,
        ..Limits::default()
    };
    let stream = Stream::of_numbered_files(writer, &file(shape), Odd::none(), files);
    let outcome = formats::read_with_lines(stream, &limits);
    let has_lines = |report: &Report| !report.warnings.contains(&Warning::TooManyLines);
    outcome.is_ok_and(|report| !report.files.is_empty() && has_lines(&report))
}

fn find_most_files(writer: &Writer, shape: usize) -> usize {
    // A file needs more than 384 bytes.
    let (mut fitting, mut too_many) = (100, LIMIT / 384);
    while too_many - fitting > fitting / 10 {
        let files = (fitting + too_many) / 2;
        if fits(writer, shape, files) {
            fitting = files;
        } else {
            too_many = files;
        }
    }
    fitting
}

fn most_files(writer: &Writer, count: usize) -> usize {
    let (files, shape) = (count / SHAPES, count % SHAPES);
    assert!(fits(writer, shape, files));
    files
}

#[test]
fn a_million_files_take_no_more_than_the_limit() {
    let of_each_syntax = ["cobertura", "istanbul", "lcov"];
    for writer in WRITERS
        .iter()
        .filter(|writer| of_each_syntax.contains(&writer.name))
    {
        let limit = Limits::default().memory_bytes;
        assert_peak("a million files", writer, 1_000_000, limit * 5 / 4);
    }
}

/// The files are too many: the report is refused if it states no total.
fn a_million_files(writer: &Writer, files: usize) -> usize {
    let stated = Stream::of_numbered_files(writer, &file(1), Odd::none(), files);
    match formats::read(stated, &Limits::default()) {
        Ok(report) => {
            assert_eq!(report.files, []);
            assert_eq!(report.warnings, [Warning::TooManyFiles]);
        }
        Err(error) => {
            assert!(
                matches!(error.kind(), ErrorKind::TooManyFiles(_)),
                "{error}"
            );
            assert_ne!(writer.name, "cobertura", "it states its total");
        }
    }
    if writer.name == "cobertura" {
        let odd = Odd::only(Oddity::Unstated);
        let unstated = Stream::of_numbered_files(writer, &file(1), odd, files);
        let error = formats::read(unstated, &Limits::default()).expect_err("too many");
        assert!(
            matches!(error.kind(), ErrorKind::TooManyFiles(_)),
            "{error}"
        );
    }
    files
}
