//! Compares differences and carried lines with a simple implementation that knows the base line of each head line.

use super::*;
use lines::{Moves, Way};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::fmt::Write;

/// What happens to a line of the base, and the lines that are added before it.
#[derive(Clone, Debug)]
struct Step {
    added: Vec<char>,
    base: char,
    /// `None` if the line is removed.
    head: Option<char>,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let state = || select(vec!['+', '~', '-', '.']);
    let added = prop_oneof![4 => Just(Vec::new()), 1 => vec(state(), 1..4)];
    let step = (added, state(), option::weighted(0.8, state()));
    vec(
        step.prop_map(|(added, base, head)| Step { added, base, head }),
        0..40,
    )
}

/// The states of both trees, the hunks between them, and the effects of their lines.
#[derive(Default)]
struct Model {
    base: String,
    head: String,
    /// The states of the base, at the positions of the lines in the head.
    carried: String,
    hunks: String,
    effects: Vec<(Cause, i64, i64)>,
    lost: Vec<u32>,
}

impl Model {
    fn of(steps: &[Step]) -> Self {
        let mut model = Self::default();
        let (mut old, mut new) = (1, 1);
        // The start of the open hunk.
        let mut hunk: Option<(u32, u32)> = None;
        for step in steps {
            if !step.added.is_empty() || step.head.is_none() {
                hunk.get_or_insert((old, new));
            }
            for &state in &step.added {
                model.count(Cause::Added, value(state), 1);
                model.head.push(state);
                model.carried.push('.');
                new += 1;
            }
            model.base.push(step.base);
            let Some(state) = step.head else {
                model.count(Cause::Removed, value(step.base), -1);
                old += 1;
                continue;
            };
            model.close(hunk.take(), old, new);
            model.head.push(state);
            model.carried.push(step.base);
            match (value(step.base), value(state)) {
                (Some(0), Some(1)) => model.effects.push((Cause::Gained, 1, 0)),
                (Some(1), Some(0)) => {
                    model.effects.push((Cause::Lost, -1, 0));
                    model.lost.push(new);
                }
                (None, now) => model.count(Cause::Appeared, now, 1),
                (was, None) => {
                    model.count(Cause::Vanished, was, -1);
                    if was == Some(1) {
                        model.lost.push(new);
                    }
                }
                _ => {}
            }
            old += 1;
            new += 1;
        }
        model.close(hunk, old, new);
        model
    }

    fn count(&mut self, cause: Cause, value: Option<i64>, sign: i64) {
        if let Some(covered) = value {
            self.effects.push((cause, sign * covered, sign));
        }
    }

    /// Writes a hunk that ends before these lines.
    fn close(&mut self, hunk: Option<(u32, u32)>, old: u32, new: u32) {
        let Some((old_first, new_first)) = hunk else {
            return;
        };
        let (old_lines, new_lines) = (old - old_first, new - new_first);
        let start = |first: u32, lines: u32| if lines == 0 { first - 1 } else { first };
        let old_start = start(old_first, old_lines);
        let new_start = start(new_first, new_lines);
        let _ = writeln!(
            self.hunks,
            "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@"
        );
    }

    fn sum(&self, cause: Cause) -> (i64, i64) {
        let of_cause = self.effects.iter().filter(|(of, ..)| *of == cause);
        of_cause.fold((0, 0), |sum, (_, covered, coverable)| {
            (sum.0 + covered, sum.1 + coverable)
        })
    }
}

/// Whether a line is covered. `None` if it is not coverable.
fn value(state: char) -> Option<i64> {
    match state {
        '+' | '~' => Some(1),
        '-' => Some(0),
        _ => None,
    }
}

const CAUSES: [Cause; 6] = [
    Cause::Added,
    Cause::Removed,
    Cause::Gained,
    Cause::Lost,
    Cause::Appeared,
    Cause::Vanished,
];

proptest! {
    #[test]
    fn each_line_has_the_cause_that_follows_from_the_edits(steps in steps()) {
        let model = Model::of(&steps);
        let diff = match model.hunks.as_str() {
            "" => String::new(),
            hunks => edit("a.c", hunks),
        };
        let changes = changes(&diff);
        let base = record(&[("a.c", &model.base)]);
        let head = record(&[("a.c", &model.head)]);
        let way = Way { changes: Some(&changes), is_exact: true, ..Way::default() };
        let difference = Difference::between(&base, &head, way);
        for cause in CAUSES {
            let group = difference.groups.iter().find(|group| group.cause == cause);
            let effect = group.map_or((0, 0), |group| (group.effect.covered, group.effect.coverable));
            prop_assert_eq!(effect, model.sum(cause), "{:?} of {:?}", cause, diff);
        }
        let lost = difference.lost.iter().flat_map(|(_, ranges)| ranges.iter().cloned().flatten());
        prop_assert_eq!(lost.collect::<Vec<_>>(), model.lost);
    }
}

proptest! {
    #[test]
    fn carried_lines_are_the_unchanged_ones_where_they_are_now(steps in steps()) {
        let model = Model::of(&steps);
        let diff = match model.hunks.as_str() {
            "" => String::new(),
            hunks => edit("a.c", hunks),
        };
        let carried = record(&[("a.c", &model.base)]).moved(&Moves::of(&changes(&diff)));
        let expected = file(&model.carried);
        let states = |file: &FileLines| {
            file.lines().iter().map(|line| (line.number(), line.state())).collect::<Vec<_>>()
        };
        let found = carried.get("a.c").map(states).unwrap_or_default();
        prop_assert_eq!(found, states(&expected), "{:?}", diff);
    }
}
