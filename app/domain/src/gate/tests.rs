//! The verdicts and sentences of gates.

mod unknown;

use super::*;
use crate::{Count, PathGlob};

fn changed(percent: u8) -> Limits {
    Limits {
        changed: Some(percent),
        ..Limits::default()
    }
}

fn rules(all: Limits) -> GateRules {
    GateRules {
        all,
        ..GateRules::default()
    }
}

fn missed(ranges: &[(&str, u32, u32)]) -> Vec<PlacedRange> {
    let placed = |&(path, first, last): &(&str, u32, u32)| (path.to_owned(), (first, last));
    ranges.iter().map(placed).collect()
}

fn measured(covered: u64, coverable: u64) -> Measured {
    Measured {
        changed: Some(ChangedCount {
            covered,
            coverable,
            ..ChangedCount::default()
        }),
        lost: Some(LostCount::default()),
        total: Some(Count {
            covered: 70,
            total: 100,
        }),
        base: None,
    }
}

fn input(all: Measured) -> GateInput {
    GateInput {
        all,
        ..GateInput::default()
    }
}

/// The gate without the rules that it kept, which have a test of their own.
fn judge(rules: &GateRules, input: &GateInput) -> Gate {
    let kept = Vec::new();
    let gate = Gate::judge(rules, input).expect("a gate");
    Gate { kept, ..gate }
}

fn passed() -> Gate {
    Gate {
        verdict: Verdict::Passed,
        reasons: Vec::new(),
        kept: Vec::new(),
        skipped: Vec::new(),
        evaluate: false,
    }
}

fn failed(reasons: &[&str]) -> Gate {
    Gate {
        verdict: Verdict::Failed,
        reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
        ..passed()
    }
}

#[test]
fn without_a_limit_there_is_no_gate() {
    let input = input(measured(0, 9));
    assert_eq!(Gate::judge(&GateRules::default(), &input), None);
    let evaluate = GateRules {
        evaluate: Some(true),
        ..GateRules::default()
    };
    assert_eq!(Gate::judge(&evaluate, &input), None);
}

#[test]
fn a_passed_gate_says_which_rules_it_kept_and_by_how_much() {
    let kept = |covered| {
        let gate = Gate::judge(&rules(changed(80)), &input(measured(covered, 100)));
        gate.expect("a gate").kept
    };
    let rule = "92 of 100 changed lines are covered, 80 % needs 80";
    assert_eq!(kept(92), [rule]);
    assert_eq!(kept(79), [""; 0]);
}

#[test]
fn broken_rules_are_named_in_lines() {
    let all = Limits {
        changed: Some(80),
        lost: Some(0),
        floor: Some(70),
    };
    let measured = Measured {
        changed: Some(ChangedCount {
            covered: 18,
            partial: 2,
            coverable: 24,
            missed: missed(&[("src/tax.rs", 41, 46)]),
        }),
        lost: Some(LostCount {
            lines: 3,
            first: missed(&[("src/a.rs", 3, 5)]),
            unmeasured: Vec::new(),
        }),
        total: Some(Count {
            covered: 69,
            total: 100,
        }),
        base: None,
    };
    assert_eq!(
        judge(&rules(all), &input(measured)),
        failed(&[
            "18 of 24 changed lines are covered, 80 % needs 20: src/tax.rs 41–46",
            "3 unchanged lines are no longer run, 0 are allowed: src/a.rs 3–5",
            "69 of 100 lines are covered, 70 % needs 70",
        ])
    );
}

#[test]
fn a_reason_about_a_floor_says_that_the_base_failed_too() {
    let floor = Limits {
        floor: Some(70),
        ..Limits::default()
    };
    let count = |covered| Count {
        covered,
        total: 100,
    };
    let reason = |base: Option<u64>| {
        let measured = Measured {
            total: Some(count(69)),
            base: base.map(count),
            ..Measured::default()
        };
        judge(&rules(floor), &input(measured)).reasons
    };
    let alone = "69 of 100 lines are covered, 70 % needs 70";
    assert_eq!(reason(None), [alone]);
    assert_eq!(reason(Some(70)), [alone]);
    let both = format!("{alone}; the base failed too, with 68 of 100");
    assert_eq!(reason(Some(68)), [both]);
    let of_functions = GateRules {
        functions_floor: Some(70),
        ..GateRules::default()
    };
    let counted = GateInput {
        functions: Some(count(69)),
        base_functions: Some(count(68)),
        ..GateInput::default()
    };
    let both =
        "69 of 100 functions are covered, 70 % needs 70; the base failed too, with 68 of 100";
    assert_eq!(judge(&of_functions, &counted).reasons, [both]);
}

#[test]
fn branches_and_functions_have_floors_of_their_own() {
    let rules = GateRules {
        branches_floor: Some(50),
        functions_floor: Some(100),
        ..GateRules::default()
    };
    let count = |covered, total| Some(Count { covered, total });
    let gate = |branches, functions| {
        let input = GateInput {
            branches,
            functions,
            ..GateInput::default()
        };
        judge(&rules, &input)
    };
    let expected = failed(&["1 of 3 branches are covered, 50 % needs 2"]);
    assert_eq!(gate(count(1, 3), count(2, 2)), expected);
    let expected = failed(&["9 of 10 functions are covered, 100 % needs 10"]);
    assert_eq!(gate(count(1, 2), count(9, 10)), expected);
    assert_eq!(gate(count(2, 3), count(0, 0)), passed());
}

#[test]
fn percentages_are_compared_without_rounding() {
    for (covered, coverable, percent, is_passed) in [
        (4, 5, 80, true),
        (7_999, 10_000, 80, false),
        (99_999, 100_000, 100, false),
        (2, 3, 66, true),
        (2, 3, 67, false),
        (0, 9, 0, true),
        (u64::MAX, u64::MAX, 100, true),
        (u64::MAX - 1, u64::MAX, 100, false),
    ] {
        let mut rules = rules(changed(percent));
        rules.changed_min = Some(0);
        let gate = judge(&rules, &input(measured(covered, coverable)));
        let is = gate.verdict == Verdict::Passed;
        assert_eq!(is, is_passed, "{covered} {coverable} {percent}");
    }
}

#[test]
fn few_changed_lines_skip_the_rule_and_none_pass_it() {
    let gate = judge(&rules(changed(80)), &input(measured(0, 4)));
    let why = "changed: the rule needs 5, and 4 changed lines can be covered";
    assert_eq!(
        (gate.verdict, &*gate.skipped),
        (Verdict::Passed, &[why.to_owned()][..])
    );
    assert_eq!(judge(&rules(changed(80)), &input(measured(0, 0))), passed());
    let at_the_least = judge(&rules(changed(80)), &input(measured(0, 5)));
    assert_eq!(at_the_least.verdict, Verdict::Failed);
    let few = GateRules {
        changed_min: Some(1),
        ..rules(changed(80))
    };
    let gate = judge(&few, &input(measured(0, 1)));
    assert_eq!(
        gate,
        failed(&["0 of 1 changed lines are covered, 80 % needs 1"])
    );
}

#[test]
fn partial_lines_count_as_the_rules_say() {
    let half = ChangedCount {
        covered: 10,
        partial: 5,
        coverable: 10,
        missed: missed(&[("a", 1, 5)]),
    };
    let input = input(Measured {
        changed: Some(half),
        ..Measured::default()
    });
    let mut rules = rules(changed(80));
    assert_eq!(judge(&rules, &input), passed());
    rules.partial = Some(PartialLines::Miss);
    let reason = "5 of 10 changed lines are fully covered, 80 % needs 8: a 1–5";
    assert_eq!(judge(&rules, &input), failed(&[reason]));
}

#[test]
fn the_main_branch_is_judged_by_its_floors_unless_the_rules_say_more() {
    let all = Limits {
        changed: Some(80),
        lost: Some(0),
        floor: Some(70),
    };
    let mut both = rules(all);
    both.paths = [("a/**".parse().expect("a glob"), changed(1))].into();
    let floor = Limits {
        floor: Some(70),
        ..Limits::default()
    };
    assert_eq!(both.clone().of_main(), rules(floor));
    assert!(!rules(changed(80)).of_main().have_limits());
    both.main = Some(true);
    assert_eq!(both.clone().of_main(), both);
}

#[test]
fn a_file_that_nothing_measures_any_more_is_said_to_be_one() {
    let lost = LostCount {
        lines: 3,
        first: missed(&[("a", 1, 2), ("b", 4, 4)]),
        unmeasured: vec!["b".to_owned()],
    };
    let none = Limits {
        lost: Some(0),
        ..Limits::default()
    };
    let input = input(Measured {
        lost: Some(lost),
        ..Measured::default()
    });
    let reason =
        "3 unchanged lines are no longer run, 0 are allowed: a 1–2; b (no longer measured) 4";
    assert_eq!(judge(&rules(none), &input), failed(&[reason]));
}

#[test]
fn only_missing_parts_make_a_gate_incomplete() {
    let mut rules = rules(changed(80));
    rules.parts = [("e2e".parse().expect("a part"), changed(1))].into();
    let waiting = GateInput {
        waiting_for: "web,e2e".parse().expect("parts"),
        ..input(measured(0, 9))
    };
    for evaluate in [false, true] {
        rules.evaluate = Some(evaluate);
        let gate = judge(&rules, &waiting);
        assert_eq!(gate.verdict, Verdict::Incomplete);
        assert_eq!(gate.reasons, ["waiting for e2e and web"]);
        assert!(gate.skipped.is_empty(), "{:?}", gate.skipped);
        assert_eq!(gate.sentence(), "waiting for e2e and web");
    }
}

#[test]
fn a_gate_that_evaluates_says_what_would_fail() {
    let mut rules = rules(changed(80));
    rules.evaluate = Some(true);
    let gate = judge(&rules, &input(measured(0, 9)));
    assert_eq!((gate.verdict, gate.evaluate), (Verdict::Passed, true));
    let reason = "would fail: 0 of 9 changed lines are covered, 80 % needs 8";
    assert_eq!(gate.reasons, [reason]);
    assert_eq!(gate.sentence(), format!("gate {reason}"));
}

#[test]
fn rules_of_paths_and_parts_begin_with_their_names() {
    let glob: PathGlob = "billing/**".parse().expect("a glob");
    let part: crate::PartName = "e2e".parse().expect("a part");
    let rules = GateRules {
        paths: [(glob.clone(), changed(95))].into(),
        parts: [(part.clone(), changed(50))].into(),
        ..GateRules::default()
    };
    let input = GateInput {
        paths: vec![(glob, measured(8, 9))],
        parts: vec![(part, Some(measured(1, 9)))],
        ..input(measured(0, 9))
    };
    let gate = judge(&rules, &input);
    assert_eq!(
        gate.reasons,
        [
            "billing/**: 8 of 9 changed lines are covered, 95 % needs 9",
            "part e2e: 1 of 9 changed lines are covered, 50 % needs 5",
        ]
    );
    let sentence =
        "gate failed: billing/**: 8 of 9 changed lines are covered, 95 % needs 9, and 1 more";
    assert_eq!(gate.sentence(), sentence);
}

#[test]
fn a_sentence_names_few_lines_and_stays_on_one_line() {
    let ranges = [
        ("a\nb", 1, 2),
        ("a\nb", 4, 4),
        ("c", 5, 5),
        ("c", 7, 9),
        ("c", 11, 11),
    ];
    let lost = LostCount {
        lines: 8,
        first: missed(&ranges),
        unmeasured: Vec::new(),
    };
    let all = Limits {
        lost: Some(1),
        ..Limits::default()
    };
    let mut input = input(Measured {
        lost: Some(lost),
        ..Measured::default()
    });
    let reason =
        "8 unchanged lines are no longer run, 1 is allowed: a\u{fffd}b 1–2, 4; c 5, 7–9, and more";
    assert_eq!(judge(&rules(all), &input), failed(&[reason]));
    input.all.lost = Some(LostCount {
        lines: 1,
        first: missed(&ranges[2..3]),
        unmeasured: Vec::new(),
    });
    let none = Limits {
        lost: Some(0),
        ..all
    };
    let reason = "1 unchanged line is no longer run, 0 are allowed: c 5";
    assert_eq!(judge(&rules(none), &input), failed(&[reason]));
}

#[test]
fn the_sentence_of_a_status_has_at_most_140_characters() {
    let gate = failed(&[&"ä".repeat(200), "b", "c"]);
    let sentence = gate.sentence();
    assert_eq!(sentence.chars().count(), 140);
    assert!(sentence.ends_with("ä…, and 2 more"), "{sentence}");
    assert_eq!(passed().sentence(), "gate passed");
    let skipped = |phrases: &[&str]| Gate {
        skipped: phrases.iter().map(|&phrase| phrase.to_owned()).collect(),
        ..passed()
    };
    assert_eq!(skipped(&["a"]).sentence(), "gate passed, 1 rule skipped");
    let two = skipped(&["a", "b"]).sentence();
    assert_eq!(two, "gate passed, 2 rules skipped");
}
