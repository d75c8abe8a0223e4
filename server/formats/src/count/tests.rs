use super::*;
use crate::{Coverage, Rate};

fn basis_points(covered: u64, total: u64) -> u16 {
    Count::new(covered, total).expect("a count").basis_points()
}

#[test]
fn more_covered_than_total_is_not_a_count() {
    assert_eq!(Count::new(1, 0), None);
    assert_eq!(Count::new(u64::MAX, u64::MAX - 1), None);
}

#[test]
fn percentages_are_rounded_half_up_to_hundredths() {
    assert_eq!(basis_points(3584, 4496), 7972);
    assert_eq!(basis_points(1769, 1990), 8889);
    assert_eq!(basis_points(1, 3), 3333);
    assert_eq!(basis_points(2, 3), 6667);
    // 0.125 % and 0.375 %: exactly between two hundredths.
    assert_eq!(basis_points(1, 800), 13);
    assert_eq!(basis_points(3, 800), 38);
}

#[test]
fn only_all_covered_reads_100_and_only_none_reads_0() {
    assert_eq!(basis_points(99_998, 100_000), 9_999);
    assert_eq!(basis_points(u64::MAX - 1, u64::MAX), 9_999);
    assert_eq!(basis_points(u64::MAX, u64::MAX), 10_000);
    assert_eq!(basis_points(1, 100_000), 1);
    assert_eq!(basis_points(1, u64::MAX), 1);
    assert_eq!(basis_points(0, u64::MAX), 0);
    assert_eq!(basis_points(0, 0), 0);
}

#[test]
fn no_percentage_of_small_counts_is_more_than_half_a_hundredth_off() {
    for total in 1..=700 {
        let mut before = 0;
        for covered in 0..=total {
            let rounded = basis_points(covered, total);
            let twice_off = (u64::from(rounded) * total).abs_diff(covered * 10_000) * 2;
            assert!(twice_off <= total, "{covered}/{total} reads {rounded}");
            let is_half = twice_off == total;
            let is_up = u64::from(rounded) * total > covered * 10_000;
            assert!(
                !is_half || is_up,
                "{covered}/{total} rounds down from a half"
            );
            assert!(
                before <= rounded,
                "{covered}/{total} reads less than one fewer"
            );
            before = rounded;
        }
    }
}

#[test]
fn sums_stop_at_the_largest_number() {
    let huge = Count::of_missed(u64::MAX, u64::MAX);
    assert_eq!(
        huge.plus(huge),
        Count::new(u64::MAX, u64::MAX).expect("a count")
    );
    let sum = Count::of_missed(5, u64::MAX).plus(Count::of_missed(7, 1));
    assert_eq!((sum.covered(), sum.total()), (12, u64::MAX));
}

#[test]
fn nothing_to_cover_reads_its_rate_or_else_0() {
    let of = |rate| Coverage::Empty { rate }.basis_points();
    assert_eq!(of(None), 0);
    assert_eq!(of(Rate::parse(b"1.0")), 10_000);
    assert_eq!(of(Rate::parse(b"0")), 0);
}
