//! Lines of one file.

use lines::{Branches, FileLines, Line, State};

/// Names of one scheme.
const A: u32 = 1 << 4;
const B: u32 = 2 << 4;
const C: u32 = 3 << 4;

/// The scheme of another format.
const OTHER: u32 = 1;

fn file(lines: impl IntoIterator<Item = (u32, u64)>) -> FileLines {
    let lines = lines.into_iter();
    lines
        .map(|(number, hits)| Line::new(number, hits, false))
        .collect()
}

fn partial(branches: Option<Branches>) -> FileLines {
    FileLines::from_iter([(Line::new(1, 1, true), branches)])
}

fn union(one: FileLines, other: FileLines) -> FileLines {
    let mut union = one;
    union.unite(other);
    union
}

#[test]
fn lines_outside_of_1_to_10_million_are_left_out() {
    let file = file([
        (0, 1),
        (1, 1),
        (10_000_000, 1),
        (10_000_001, 1),
        (u32::MAX, 1),
    ]);
    assert_eq!(file.ranges(State::Hit), [1..=1, 10_000_000..=10_000_000]);
}

#[test]
fn a_line_named_twice_has_its_greater_hits() {
    let file = file([(7, 0), (3, 2), (7, 4), (7, 1)]);
    let hits: Vec<_> = file
        .lines()
        .iter()
        .map(|line| (line.number(), line.hits()))
        .collect();
    assert_eq!(hits, [(3, 2), (7, 4)]);
}

#[test]
fn hits_are_capped_at_255() {
    assert_eq!(file([(1, u64::MAX)]).lines()[0].hits(), 255);
    assert_eq!(file([(1, 256)]).lines()[0].hits(), 255);
}

#[test]
fn a_line_that_did_not_run_is_missed_whatever_its_branches() {
    let branches = Branches::unnamed(1, 2);
    let file = FileLines::from_iter([(Line::new(1, 0, true), branches)]);
    assert_eq!(file.state(1), Some(State::Missed));
    assert_eq!(file.branches(1), None);
}

#[test]
fn a_hit_in_one_part_is_a_hit_of_the_union() {
    let both = union(file([(1, 0), (2, 3)]), file([(1, 5), (2, 0), (4, 0)]));
    assert_eq!(both.ranges(State::Hit), [1..=2]);
    assert_eq!(both.ranges(State::Missed), [4..=4]);
    assert_eq!(both.counts().coverable(), 3);
    let with_hit = union(partial(Branches::named(1, 2, [A])), file([(1, 9)]));
    assert_eq!(
        (with_hit.state(1), with_hit.branches(1)),
        (Some(State::Hit), None)
    );
}

#[test]
fn two_partial_states_are_a_hit_if_no_named_branch_is_missed_in_both() {
    let both = union(
        partial(Branches::named(1, 2, [A])),
        partial(Branches::named(1, 2, [B])),
    );
    assert_eq!((both.state(1), both.branches(1)), (Some(State::Hit), None));
}

#[test]
fn a_branch_that_one_part_misses_and_the_other_does_not_name_stays_missed() {
    let both = union(
        partial(Branches::all_named([A], [B])),
        partial(Branches::all_named([C], [4 << 4])),
    );
    assert_eq!(both.state(1), Some(State::Partial));
    let branches = both.branches(1).expect("branches");
    assert_eq!((branches.taken(), branches.total()), (2, 4));
    assert_eq!(branches.missed(), Some(&[A, C][..]));
    assert_eq!(branches.reached(), [B, 4 << 4]);
}

#[test]
fn two_partial_states_are_a_hit_if_one_of_them_takes_every_named_branch() {
    let both = || {
        union(
            partial(Branches::all_named([A], [B])),
            partial(Branches::all_named([B], [A])),
        )
    };
    let hit = (Some(State::Hit), None);
    assert_eq!((both().state(1), both().branches(1)), hit);
    // The third part names another branch that no part takes.
    let third = || partial(Branches::all_named([C], [A]));
    assert_eq!(union(both(), third()).state(1), Some(State::Partial));
    assert_eq!(union(third(), both()).state(1), Some(State::Partial));
    // A part that alone took all branches has none.
    let whole = union(union(both(), third()), file([(1, 1)]));
    assert_eq!((whole.state(1), whole.branches(1)), hit);
}

#[test]
fn parts_that_name_only_missed_branches_took_all_others() {
    let missing = |missed| partial(Branches::named(1, 2, [missed]));
    let all = |missed, reached| partial(Branches::all_named([missed], [reached]));
    assert_eq!(union(missing(A), all(B, A)).state(1), Some(State::Hit));
    let both = union(missing(A), all(B, C));
    assert_eq!(both.state(1), Some(State::Partial));
    let branches = both.branches(1).expect("branches");
    assert_eq!(branches.missed(), Some(&[A][..]));
    assert_eq!(union(all(B, C), missing(A)), both);
}

#[test]
fn more_branches_than_a_union_keeps_leave_the_line_partial() {
    let names = |first: u32, len: u32| (first..first + len).map(|name| name << 4);
    let part = |index: u32| partial(Branches::all_named(names(index * 200, 200), []));
    let many = (0..6).map(part).reduce(union).expect("six parts");
    let branches = many.branches(1).expect("branches");
    assert_eq!((branches.total(), branches.missed()), (200, None));
    let taken = partial(Branches::all_named([9 << 20], names(0, 200)));
    assert_eq!(union(many, taken).state(1), Some(State::Partial));
    assert_eq!(
        Branches::all_named(names(0, 200), names(500, 57))
            .and_then(|all| all.missed().map(<[u32]>::len)),
        None
    );
}

#[test]
fn two_partial_states_stay_partial_if_a_named_branch_is_missed_in_both() {
    let both = union(
        partial(Branches::named(1, 3, [A, B])),
        partial(Branches::named(1, 3, [B, C])),
    );
    assert_eq!(both.state(1), Some(State::Partial));
    let branches = both.branches(1).expect("branches");
    assert_eq!(
        (branches.taken(), branches.total(), branches.missed()),
        (2, 3, Some(&[B][..]))
    );
}

#[test]
fn two_partial_states_without_names_stay_partial_with_the_better_numbers() {
    let both = union(
        partial(Branches::unnamed(1, 4)),
        partial(Branches::unnamed(3, 4)),
    );
    let branches = both.branches(1).expect("branches");
    assert_eq!(
        (both.state(1), branches.taken(), branches.total()),
        (Some(State::Partial), 3, 4)
    );
    let both = union(partial(None), partial(None));
    assert_eq!(
        (both.state(1), both.branches(1)),
        (Some(State::Partial), None)
    );
}

#[test]
fn a_part_without_names_says_nothing_about_which_branch_is_missed() {
    let named = |missed| partial(Branches::named(1, 2, [missed]));
    let unnamed = || partial(Branches::unnamed(1, 2));
    assert_eq!(union(named(A), unnamed()).state(1), Some(State::Partial));
    assert_eq!(
        union(union(named(A), unnamed()), named(B)).state(1),
        Some(State::Hit)
    );
}

#[test]
fn names_of_different_schemes_are_not_compared() {
    let named = |missed| partial(Branches::named(1, 2, [missed]));
    let both = || union(named(A), named(B | OTHER));
    assert_eq!(both().state(1), Some(State::Partial));
    let branches = both();
    let branches = branches.branches(1).expect("branches");
    assert_eq!(
        (branches.taken(), branches.missed()),
        (1, Some(&[A, B | OTHER][..]))
    );
    assert_eq!(union(both(), named(B)).state(1), Some(State::Hit));
    assert_eq!(union(both(), named(A | OTHER)).state(1), Some(State::Hit));
    assert_eq!(union(both(), named(A)).state(1), Some(State::Partial));
}

#[test]
fn more_than_64_missed_branches_of_a_line_have_no_names() {
    let branches = |missed| Branches::named(1, 100, 0..missed).expect("branches");
    assert_eq!(branches(64).missed().map(<[u32]>::len), Some(64));
    assert_eq!(branches(65).missed(), None);
}
