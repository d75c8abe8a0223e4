//! Strategies for lines.

use lines::{Branches, FileLines, Line, Lines};
use proptest::{
    collection::{btree_map, vec},
    option,
    prelude::*,
};

/// Branches of a line with four branches: named, numbered, or none.
fn branches() -> impl Strategy<Value = Option<Branches>> {
    let named = (vec(0..4_u32, 1..4), 0..3_u32).prop_map(|(mut missed, scheme)| {
        missed.sort_unstable();
        missed.dedup();
        let taken = 4 - u32::try_from(missed.len()).unwrap_or(4);
        Branches::named(taken, 4, missed.into_iter().map(|name| name << 4 | scheme))
    });
    let all_named = (vec((0..8_u32, any::<bool>()), 1..6), 0..3_u32).prop_map(|(names, scheme)| {
        let of = |wanted: bool| {
            let names = names.clone().into_iter();
            names.filter_map(move |(name, taken)| (taken == wanted).then_some(name << 4 | scheme))
        };
        Branches::all_named(of(false), of(true))
    });
    let unnamed = (0..3_u32, 3..6_u32).prop_map(|(taken, total)| Branches::unnamed(taken, total));
    prop_oneof![named, all_named, unnamed, Just(None)]
}

/// A coverable line of a short file, so that parts often share lines.
fn line() -> impl Strategy<Value = (Line, Option<Branches>)> {
    let hits = prop_oneof![Just(0), 1..4_u64, Just(254), 255..1000_u64];
    (1..40_u32, hits, option::of(branches())).prop_map(|(number, hits, branches)| {
        (
            Line::new(number, hits, branches.is_some()),
            branches.flatten(),
        )
    })
}

pub(crate) fn file() -> impl Strategy<Value = FileLines> {
    vec(line(), 0..30).prop_map(FileLines::from_iter)
}

/// A part with few different file names.
pub(crate) fn part() -> impl Strategy<Value = Lines> {
    let path = prop_oneof![
        Just("src/a.rs"),
        Just("src/ab.rs"),
        Just("src/é.rs"),
        Just("")
    ];
    btree_map(path, file(), 0..4).prop_map(|files| {
        let mut lines = Lines::default();
        for (path, file) in files {
            lines.add(path, file);
        }
        lines
    })
}
