use super::*;

fn files() -> Files {
    Files::new(&Limits::default(), true)
}

fn count(covered: u64, total: u64) -> Option<Count> {
    Count::new(covered, total)
}

fn sum(files: &Files, counter: Counter) -> Option<Count> {
    files.sum().and_then(|sum| sum.get(counter))
}

#[test]
fn a_line_named_twice_counts_once_and_is_covered_if_any_copy_is() {
    let mut files = files();
    files.enter("a");
    for (number, hits) in [(1, 0), (1, 1), (2, 0), (1, 0)] {
        files.line(number, hits);
    }
    assert_eq!(sum(&files, Counter::Line), count(1, 2));
}

#[test]
fn a_file_that_comes_back_later_is_the_same_file() {
    let mut files = files();
    for (path, hits) in [("a", 0), ("b", 0), ("a", 1)] {
        files.enter(path);
        files.line(7, hits);
    }
    assert_eq!(sum(&files, Counter::Line), count(1, 2));
    let paths: Vec<String> = files.into_vec().into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["a", "b"]);
}

#[test]
fn line_numbers_in_any_order_and_of_any_size_are_counted() {
    let mut files = files();
    for number in [u32::MAX, 0, 64, 63, u32::MAX, 65, 0] {
        files.line(number, 1);
    }
    assert_eq!(sum(&files, Counter::Line), count(5, 5));
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
        assert_eq!(sum(&files, Counter::Branch), count(covered * 2, total * 2));
    }
}

#[test]
fn branches_beyond_all_measure_are_cut() {
    let mut files = files();
    files.enter("a");
    files.branches(u32::MAX, count(u64::MAX - 1, u64::MAX).expect("a count"));
    assert_eq!(sum(&files, Counter::Branch), count(8192, 8192));
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
fn hits_are_not_kept_for_who_does_not_ask() {
    let mut files = Files::new(&Limits::default(), false);
    files.enter("a");
    files.line(1, 1);
    assert_eq!(files.into_vec().remove(0).lines, []);
}

#[test]
fn of_branches_of_a_line_that_comes_twice_the_greater_numbers_count() {
    let mut files = files();
    files.enter("a");
    for (covered, total) in [(1, 2), (0, 4), (2, 2)] {
        files.branches(8, Count::new(covered, total).expect("a count"));
    }
    assert_eq!(sum(&files, Counter::Branch), count(2, 4));
}

#[test]
fn what_is_listed_comes_before_what_is_stated() {
    let mut files = files();
    files.enter("a");
    files.add(Counter::Line, count(1, 9));
    files.enter("b");
    files.add(Counter::Line, count(1, 9));
    files.line(1, 0);
    assert_eq!(sum(&files, Counter::Line), count(1, 10));
}

#[test]
fn a_file_named_late_joins_the_one_that_has_its_path() {
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
fn more_than_the_memory_holds_is_dropped_for_good() {
    let mut files = Files::new(&Limits::for_testing(), true);
    for number in 0..100_000 {
        files.enter(&number.to_string());
        for line in 0..10 {
            files.line(line * 64, 1);
        }
    }
    assert!(files.overflowed());
    assert_eq!(files.sum(), None);
    assert_eq!(files.entries.len(), 1);
    assert!(files.entries[0].hits.len() < 100);
}
