mod memory;

use super::*;
use crate::report::Scheme;

fn files() -> Files {
    Files::new(&Limits::default(), true)
}

fn count(covered: u64, total: u64) -> Option<Count> {
    Count::new(covered, total)
}

fn sum(files: &mut Files, counter: Counter) -> Option<Count> {
    files.sum().and_then(|sum| sum.get(counter))
}

#[test]
fn a_line_named_twice_counts_once_and_is_covered_if_any_copy_is() {
    let mut files = files();
    files.enter("a");
    for (number, hits) in [(1, 0), (1, 1), (2, 0), (1, 0)] {
        files.line(number, hits);
    }
    assert_eq!(sum(&mut files, Counter::Line), count(1, 2));
}

#[test]
fn a_file_that_comes_back_later_is_the_same_file() {
    let mut files = files();
    for (path, hits) in [("a", 0), ("b", 0), ("a", 1)] {
        files.enter(path);
        files.line(7, hits);
    }
    assert_eq!(sum(&mut files, Counter::Line), count(1, 2));
    let paths: Vec<String> = files.into_vec().into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["a", "b"]);
}

#[test]
fn line_numbers_in_any_order_and_of_any_size_but_0_are_counted() {
    let mut files = files();
    for number in [u32::MAX, 0, 64, 63, u32::MAX, 65, 0] {
        files.line(number, 1);
    }
    assert_eq!(sum(&mut files, Counter::Line), count(4, 4));
}

#[test]
fn branches_of_a_line_are_counted_also_if_they_are_many() {
    for (covered, total) in [(0, 1), (1, 2), (63, 64), (64, 65), (65, 65), (100, 300)] {
        let mut files = files();
        files.enter("a");
        for line in [1, 2, 1] {
            files.branches(line, count(covered, total).expect("a count"));
        }
        files.branches(1, count(0, total).expect("a count"));
        assert_eq!(
            sum(&mut files, Counter::Branch),
            count(covered * 2, total * 2)
        );
    }
}

#[test]
fn implausibly_many_branches_are_ignored() {
    let mut files = files();
    files.enter("a");
    files.branches(u32::MAX, count(8191, 8192).expect("a count"));
    assert_eq!(sum(&mut files, Counter::Branch), count(8191, 8192));
    files.branches(u32::MAX, count(8193, u64::MAX).expect("a count"));
    assert_eq!(sum(&mut files, Counter::Branch), count(8191, 8192));
}

#[test]
fn hits_are_in_order_and_the_highest_of_each_line() {
    let mut files = files();
    files.enter("a");
    for (number, hits) in [(9, 1), (3, 0), (9, 5), (3, 2), (9, 0)] {
        files.line(number, hits);
    }
    let lines = files.into_vec().remove(0).lines;
    let lines: Vec<_> = lines.iter().map(|at| (at.line, at.hits)).collect();
    assert_eq!(lines, [(3, 2), (9, 5)]);
}

#[test]
fn hits_are_not_kept_unless_requested() {
    let mut files = Files::new(&Limits::default(), false);
    files.enter("a");
    files.line(1, 1);
    assert_eq!(files.into_vec().remove(0).lines, []);
}

#[test]
fn branches_of_a_repeated_line_have_the_greater_numbers() {
    let mut files = files();
    files.enter("a");
    for (covered, total) in [(1, 2), (0, 4), (2, 2)] {
        files.branches(8, Count::new(covered, total).expect("a count"));
    }
    assert_eq!(sum(&mut files, Counter::Branch), count(2, 4));
}

#[test]
fn listed_lines_precede_stated_counts() {
    let mut files = files();
    files.enter("a");
    files.add(Counter::Line, count(1, 9));
    files.enter("b");
    files.add(Counter::Line, count(1, 9));
    files.line(1, 0);
    assert_eq!(sum(&mut files, Counter::Line), count(1, 10));
}

#[test]
fn a_file_named_late_is_merged_with_the_one_of_its_path() {
    let mut files = files();
    files.enter("a");
    files.line(1, 0);
    let unnamed = files.enter_unnamed();
    files.line(1, 3);
    files.line(2, 0);
    files.name(unnamed, "a");
    let only = files.into_vec();
    assert_eq!(only.len(), 1);
    assert_eq!(only[0].counters.get(Counter::Line), count(1, 2));
}

#[test]
fn a_file_named_late_brings_its_counts_of_every_kind() {
    let mut files = files();
    files.enter("a");
    add_block(&mut files, (3, 4), 0);
    let unnamed = files.enter_unnamed();
    add_block(&mut files, (3, 4), 7);
    add_block(&mut files, (6, 6), 0);
    files.branch(1, true);
    files.function(1, false);
    files.add(Counter::Class, count(1, 3));
    files.name(unnamed, "a");
    for (counter, covered, total) in [
        (Counter::Line, 2, 3),
        (Counter::Statement, 2, 4),
        (Counter::Branch, 1, 1),
        (Counter::Function, 0, 1),
        (Counter::Class, 1, 3),
    ] {
        assert_eq!(sum(&mut files, counter), count(covered, total), "{counter}");
    }
    let lines = files.into_vec().remove(0).lines;
    let lines: Vec<_> = lines.iter().map(|at| (at.line, at.hits)).collect();
    assert_eq!(lines, [(3, 7), (4, 7), (6, 0)]);
}

#[test]
fn a_file_named_again_keeps_its_data() {
    let mut files = files();
    let file = files.enter_unnamed();
    files.line(1, 1);
    let file = files.name(file, "a");
    assert_eq!(file, files.enter("a"));
    let file = files.name(file, "b");
    assert_eq!(file, files.enter("b"));
    files.line(2, 0);
    let no_file = files.enter("");
    files.line(3, 0);
    assert_eq!(files.name(no_file, "b"), file);
    let files = files.into_vec();
    let lines = |path| {
        let file = files.iter().find(|file| file.path == path);
        file.and_then(|file| file.counters.get(Counter::Line))
    };
    assert_eq!(lines("a"), count(1, 1));
    assert_eq!(lines("b"), count(0, 1));
    assert_eq!(lines(""), count(0, 1));
}

#[test]
fn lines_without_a_file_do_not_join_a_file_named_later() {
    let mut files = files();
    let unnamed = files.enter_unnamed();
    files.line(1, 1);
    files.enter("");
    assert!(!files.is_in_file());
    files.line(2, 0);
    files.enter_id(None);
    files.line(2, 0);
    files.name(unnamed, "a");
    assert!(files.is_in_file());
    let covered: Vec<_> = files
        .into_vec()
        .into_iter()
        .map(|file| (file.path, file.counters.get(Counter::Line)))
        .collect();
    assert_eq!(
        covered,
        [(String::new(), count(0, 1)), ("a".to_owned(), count(1, 1))]
    );
}

#[test]
fn a_number_is_the_same_file_before_and_after_its_table() {
    let mut files = files();
    files.enter_id(Some(7));
    files.line(1, 1);
    files.name_id(7, "a");
    files.enter_id(Some(7));
    files.line(2, 0);
    files.name_id(8, "a");
    files.enter_id(Some(8));
    files.line(3, 0);
    let only = files.into_vec();
    assert_eq!(only.len(), 1);
    assert_eq!(only[0].counters.get(Counter::Line), count(1, 3));
}

#[test]
fn a_number_means_another_file_in_another_table() {
    let mut files = files();
    for path in ["a", "b"] {
        files.forget_ids();
        files.name_id(0, path);
        files.enter_id(Some(0));
        files.line(1, 0);
    }
    files.name_id(0, "c");
    files.enter_id(Some(0));
    files.line(1, 0);
    let paths: Vec<String> = files.into_vec().into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["a", "b", "c"]);
}

#[test]
fn numbers_that_no_table_names_are_files_without_a_name() {
    let mut files = files();
    files.name_id(1, "");
    for id in [1, 2] {
        files.enter_id(Some(id));
        files.line(1, 0);
    }
    assert_eq!(sum(&mut files, Counter::Line), count(0, 2));
}

#[test]
fn numbers_are_bounded_also_if_all_are_of_one_file() {
    let mut files = Files::new(&Limits::for_testing(), false);
    for id in 0..100_000 {
        files.name_id(id, "a");
        assert!(files.by_id.len() <= 85);
    }
    assert!(files.overflowed);
    let mut files = Files::new(&Limits::for_testing(), false);
    for id in 0..100_000 {
        files.enter_id(Some(id));
        assert!(files.by_id.len() <= 12);
    }
    assert!(files.overflowed);
}

#[test]
fn forgotten_numbers_take_no_memory() {
    let mut files = Files::new(&Limits::for_testing(), false);
    for _ in 0..100_000 {
        files.forget_ids();
        for id in 0..10 {
            files.name_id(id, "a");
        }
    }
    assert!(!files.overflowed);
}

#[test]
fn data_beyond_the_memory_limit_is_dropped() {
    let mut files = Files::new(&Limits::for_testing(), true);
    for number in 0..100_000 {
        files.enter(&number.to_string());
        for line in 0..10 {
            files.line(line * 64, 1);
        }
    }
    assert!(files.overflowed);
    assert_eq!(files.sum(), None);
    assert_eq!(files.entries.len(), 1);
    assert!(files.entries[0].on_lines.is_none());
}

/// A block of two statements from one line to another.
fn add_block(files: &mut Files, lines: (u32, u32), hits: u64) {
    let span = Span {
        start: (lines.0, 5),
        end: (lines.1, 9),
    };
    files.block(span, 2, hits);
}

#[test]
fn a_block_named_twice_counts_once_with_its_greater_numbers() {
    let mut files = files();
    files.enter("a");
    for (lines, hits) in [((3, 4), 0), ((3, 4), 7), ((6, 6), 0), ((3, 4), 0)] {
        add_block(&mut files, lines, hits);
    }
    assert_eq!(sum(&mut files, Counter::Statement), count(2, 4));
    assert_eq!(sum(&mut files, Counter::Line), count(2, 3));
}

#[test]
fn lines_of_several_blocks_count_once_and_any_hit_covers_them() {
    let mut files = files();
    files.enter("a");
    for (lines, hits) in [
        ((1, 10), 0),
        ((2, 3), 1),
        ((3, 6), 2),
        ((10, 12), 1),
        ((20, 19), 1),
    ] {
        add_block(&mut files, lines, hits);
    }
    assert_eq!(sum(&mut files, Counter::Line), count(8, 12));
    let lines = files.into_vec().remove(0).lines;
    let lines: Vec<_> = lines.iter().map(|at| (at.line, at.hits)).collect();
    assert_eq!(lines[..4], [(1, 0), (2, 1), (3, 2), (4, 2)]);
    assert_eq!(lines.len(), 12);
}

#[test]
fn a_block_over_all_possible_lines_costs_no_more_than_another() {
    let mut files = Files::new(&Limits::for_testing(), false);
    files.enter("a");
    add_block(&mut files, (0, u32::MAX), 1);
    assert_eq!(
        sum(&mut files, Counter::Line),
        count((1 << 32) - 1, (1 << 32) - 1)
    );
    let mut files = Files::new(&Limits::for_testing(), true);
    files.enter("a");
    add_block(&mut files, (0, u32::MAX), 1);
    assert!(files.dropped_lines && !files.overflowed);
    assert_eq!(files.into_vec().remove(0).lines, []);
}

#[test]
fn a_large_block_after_repeated_ones_out_of_order_costs_its_lines() {
    let mut files = Files::new(&Limits::for_testing(), true);
    files.enter("a");
    for lines in [(5, 5), (1, 1), (1, 1), (2, u32::MAX)] {
        add_block(&mut files, lines, 1);
    }
    assert!(files.dropped_lines && !files.overflowed);
}

#[test]
fn lines_are_dropped_before_files() {
    let count_of = |with_lines| {
        let mut files = Files::new(&Limits::for_testing(), with_lines);
        files.enter("a");
        for line in 0..400 {
            files.line(line, u64::from(line % 2));
            files.branch_on(line, BranchName::new(Scheme::Numbers, 0), false);
        }
        assert!(!files.overflowed);
        assert_eq!(files.dropped_lines, with_lines);
        (files.memory, files.into_vec().remove(0))
    };
    assert_eq!(count_of(true), count_of(false));
}

#[test]
fn blocks_beyond_the_memory_limit_are_dropped() {
    let mut files = Files::new(&Limits::for_testing(), false);
    for line in 0..1000 {
        add_block(&mut files, (line, line), 1);
    }
    assert!(files.overflowed);
    assert_eq!(files.sum(), None);
}

#[test]
fn hits_of_lines_that_are_counted_elsewhere_count_nothing() {
    let mut files = files();
    files.enter("a");
    files.add(Counter::Line, count(1, 1));
    files.hits(3, 1);
    assert_eq!(sum(&mut files, Counter::Line), count(1, 1));
    assert_eq!(files.into_vec().remove(0).lines.len(), 1);
    let mut files = Files::new(&Limits::default(), false);
    files.enter("a");
    files.hits(3, 1);
    assert_eq!(files.into_vec().remove(0).lines, []);
}
