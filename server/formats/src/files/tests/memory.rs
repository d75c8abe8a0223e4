//! The memory that files may use.

use super::*;
use crate::files::table::Table;

#[test]
fn reserved_memory_is_released() {
    let mut files = Files::new(&Limits::for_testing(), false);
    for _ in 0..10 {
        assert!(files.take_memory(4000));
        files.give_back_memory(4000);
    }
    assert!(!files.take_memory(4097));
    files.give_back_memory(4097);
    assert!(!files.take_memory(1));
}

#[test]
fn a_path_takes_twice_its_bytes_of_memory() {
    let limits = Limits::for_testing();
    let longest = (limits.memory_bytes - ENTRY_BYTES) / 2;
    for (bytes, is_too_long) in [(longest, false), (longest + 1, true)] {
        let mut files = Files::new(&limits, false);
        files.enter(&"a".repeat(bytes));
        assert_eq!(files.overflowed, is_too_long, "{bytes}");
    }
}

#[test]
fn stated_counts_of_files_take_memory() {
    for (stated, is_too_much) in [(None, false), (count(1, 1), true)] {
        let mut files = Files::new(&Limits::for_testing(), false);
        for file in 0..10 {
            files.enter(&file.to_string());
            files.add(Counter::Line, stated);
        }
        assert_eq!(files.overflowed, is_too_much);
    }
}

#[test]
fn branches_take_memory_for_each_line_that_has_some() {
    for (lines, is_too_much) in [(10, false), (300, true)] {
        let mut files = Files::new(&Limits::for_testing(), false);
        files.enter("a");
        for line in 0..lines {
            files.branches(line, count(1, 2).expect("a count"));
        }
        assert_eq!(files.overflowed, is_too_much, "{lines}");
    }
}

#[test]
fn a_repeated_block_takes_memory_for_its_lines_once() {
    let mut files = Files::new(&Limits::for_testing(), true);
    files.enter("a");
    for _ in 0..1000 {
        add_block(&mut files, (1, 10), 1);
    }
    assert!(!files.overflowed);
}

#[test]
fn the_lines_of_a_file_take_about_140_bytes_besides_their_hits() {
    let mut files = Files::new(&Limits::default(), true);
    files.enter("a");
    let before = files.memory;
    files.hits(1, 7);
    let of_hits = Table::default().add(1_u64, 7_u64);
    let taken = before - files.memory - of_hits;
    assert!((120..=140).contains(&taken), "{taken}");
    assert_eq!(files.memory_of_lines, taken + of_hits);
}
