//! Reading a written report returns the numbers that were written, in every spelling.
//!
//! The cases are the same on every run; `PROPTEST_CASES=10000` tries more of them.

use formats::{Count, Counter, Coverage, Format, Report, ReportError};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};

use crate::writers::model::{Function, Line};
use crate::writers::{Hits, Model, Odd, Oddity, Quirk, SourceFile, WRITERS, Writer};
use crate::{read, read_with_lines};

#[test]
fn written_coverage_files_round_trip() {
    for writer in WRITERS {
        let config = ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let outcome = TestRunner::new_with_rng(config, random).run(
            &(models(), any::<u16>(), any::<u64>()),
            |(model, oddities, seed)| check(writer, &model, Odd::new(oddities, seed)),
        );
        if let Err(TestError::Fail(why, (model, oddities, seed))) = outcome {
            let text = writer.text(&model, Odd::new(oddities, seed));
            panic!("{}: {why}\noddities {oddities:#b}\n{text}", writer.name);
        }
    }
}

#[test]
fn every_format_has_a_writer() {
    for format in Format::ALL {
        let mut writers = WRITERS.iter();
        assert!(
            writers.any(|writer| writer.format() == format.name()),
            "{format}"
        );
    }
}

#[test]
fn a_realistic_coverage_file_round_trips() {
    let model = Model::realistic(40, 60);
    for writer in WRITERS {
        for odd in [Odd::none(), Odd::all(1)] {
            let outcome = check(writer, &model, odd);
            assert!(outcome.is_ok(), "{}: {outcome:?}", writer.name);
        }
    }
}

/// Checks that the report read equals the report written.
fn check(writer: &Writer, model: &Model, odd: Odd) -> Result<(), TestCaseError> {
    if model.files.is_empty() && writer.has(Quirk::NeverEmpty) {
        return Ok(());
    }
    let odd_states_nothing = odd.has(Oddity::Unstated);
    let is_of_whole_only = |counter| writer.has(Quirk::WholeOnly(counter));
    let bytes = writer.write(model, odd);
    let report = read_with_lines(&bytes).map_err(refused)?;
    prop_assert_eq!(report.format.name(), writer.format());
    prop_assert_eq!(&report.warnings, &[]);

    let counts = |count: &dyn Fn(_) -> Count| {
        let mut counts: Vec<(Counter, Count)> = writer
            .counts
            .iter()
            .map(|(counter, of)| (*counter, count(*of)))
            .collect();
        counts.retain(|(_, count)| count.total() > 0);
        counts.sort_unstable_by_key(|(counter, _)| *counter);
        counts
    };
    let mut whole = counts(&|of| model.count(of));
    if odd_states_nothing {
        whole.retain(|(counter, _)| !is_of_whole_only(*counter));
    }
    prop_assert_eq!(&report.counters.iter().collect::<Vec<_>>(), &whole);
    let of = |wanted: &Counter| whole.iter().find(|(counter, _)| counter == wanted);
    match writer.total.iter().find_map(of) {
        Some((counter, count)) => prop_assert_eq!(report.total, Coverage::Counts(*count, *counter)),
        None => prop_assert!(
            matches!(report.total, Coverage::Empty { .. }),
            "{:?}",
            report.total
        ),
    }

    let is_named = |file: &&SourceFile| !(writer.has(Quirk::NamedByLines) && file.lines.is_empty());
    let named: Vec<&SourceFile> = model.files.iter().filter(is_named).collect();
    let paths: Vec<&str> = report.files.iter().map(|file| file.path.as_str()).collect();
    prop_assert_eq!(
        paths,
        named
            .iter()
            .map(|file| file.path.as_str())
            .collect::<Vec<_>>()
    );
    for (file, read) in named.into_iter().zip(&report.files) {
        let mut expected = counts(&|of| file.count(of));
        expected.retain(|(counter, _)| !is_of_whole_only(*counter));
        prop_assert_eq!(
            read.counters.iter().collect::<Vec<_>>(),
            expected,
            "{:?}",
            file.path
        );
        let lines = read.lines.iter().map(|at| (at.line, at.hits));
        prop_assert_eq!(
            lines.collect::<Vec<_>>(),
            hits(writer.hits, file),
            "{:?}",
            file.path
        );
    }

    if writer.has(Quirk::BranchesOfLines) {
        check_branches(writer, model, &report)?;
    }

    let mut without_lines = report;
    for file in &mut without_lines.files {
        file.lines.clear();
        file.partial.clear();
        file.branches.clear();
    }
    prop_assert_eq!(read(&bytes).map_err(refused)?, without_lines);
    Ok(())
}

/// Checks the lines that ran without all their branches.
fn check_branches(writer: &Writer, model: &Model, report: &Report) -> Result<(), TestCaseError> {
    for (file, read) in model.files.iter().zip(&report.files) {
        let written = file.lines_in_order().into_iter();
        let partial = written.filter(|line| line.hits > 0 && line.taken < line.branches);
        let partial = partial.map(|line| (line.number, line.taken, line.branches));
        let found = read.partial.iter().map(|at| (at.line, at.taken, at.total));
        prop_assert_eq!(
            found.collect::<Vec<_>>(),
            partial.collect::<Vec<_>>(),
            "{:?}",
            file.path
        );
        for line in &read.partial {
            let missed = usize::try_from(line.total - line.taken).expect("small");
            let names = line.missed.len();
            let is_named = names == missed && line.missed.is_sorted();
            prop_assert!(is_named || names == 0, "{}: {:?}", writer.name, line);
            let taken = usize::try_from(line.taken).expect("small");
            let are_all = names == missed && line.reached.len() == taken;
            prop_assert!(
                are_all || line.reached.is_empty(),
                "{}: {:?}",
                writer.name,
                line
            );
        }
    }
    Ok(())
}

fn refused(error: ReportError) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

/// The lines of a file in order, with their hits as precisely as the format states them.
fn hits(hits: Hits, file: &SourceFile) -> Vec<(u32, u64)> {
    let most = match hits {
        Hits::Number => u64::MAX,
        Hits::Once => 1,
        Hits::None => return Vec::new(),
    };
    let mut lines: Vec<_> = file
        .lines
        .iter()
        .map(|line| (line.number, line.hits.min(most)))
        .collect();
    lines.sort_unstable();
    lines
}

fn models() -> impl Strategy<Value = Model> {
    vec(files(), 0..5).prop_map(Model::new)
}

fn files() -> impl Strategy<Value = SourceFile> {
    let numbers = prop_oneof![20 => 1..200_u32, 1 => 1..3_000_u32];
    let lines = vec((numbers, hits_of_lines(), branches()), 0..40);
    let functions = vec((names(), 1..3000_u32, hits_of_lines()), 0..6);
    (paths(), lines, functions).prop_map(|(path, lines, functions)| {
        let mut file = SourceFile {
            path,
            ..SourceFile::default()
        };
        for (number, hits, (branches, taken)) in lines {
            if file.lines.iter().all(|line| line.number != number) {
                let taken = if hits > 0 { taken } else { 0 };
                file.lines.push(Line {
                    number,
                    hits,
                    branches,
                    taken,
                });
            }
        }
        for (name, line, hits) in functions {
            if file.functions.iter().all(|function| function.name != name) {
                file.functions.push(Function { name, line, hits });
            }
        }
        file
    })
}

fn hits_of_lines() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(0), 4 => 1..20_u64, 1 => any::<u32>().prop_map(u64::from), 1 => Just(1 << 53)]
}

/// The numbers of branches and of taken branches of a line.
fn branches() -> impl Strategy<Value = (u32, u32)> {
    let several = (1..8_u32).prop_flat_map(|branches| (Just(branches), 0..=branches));
    let many = (60..200_u32).prop_flat_map(|branches| (Just(branches), 0..=branches));
    prop_oneof![20 => Just((0, 0)), 10 => several, 1 => many]
}

fn paths() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "b",
        "src",
        "/",
        "/",
        "/",
        "\\",
        ".",
        "..",
        "-",
        " ",
        "_",
        "main.c",
        "Größe",
        "\u{4e2d}",
        "\u{1f980}",
        "&",
        "&amp;",
        "<T>",
        "\"",
        "'",
        "]]>",
        "--",
        "%20",
        "$1",
        "C:",
        "{",
        "}",
        ",",
        ";",
        "#",
        "=",
        "1",
    ];
    vec(select(PIECES), 0..9).prop_map(|pieces| format!("f{}.c", pieces.concat()))
}

fn names() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "f",
        "g",
        "main",
        "<init>",
        "operator",
        "(int, int)",
        "::",
        "&&",
        "\u{e9}",
        "\"",
        "lambda$0",
        ",",
    ];
    vec(select(PIECES), 1..4).prop_map(|pieces| pieces.concat())
}
