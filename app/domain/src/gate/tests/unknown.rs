//! Rules that could not be judged.

use super::*;

#[test]
fn what_is_not_known_skips_a_rule_and_is_said_once() {
    let all = Limits {
        changed: Some(80),
        lost: Some(0),
        floor: Some(70),
    };
    let mut rules = rules(all);
    let glob: PathGlob = "a/**".parse().expect("a glob");
    let other: PathGlob = "b/**".parse().expect("a glob");
    rules.paths = [(glob.clone(), all), (other, all)].into();
    rules.parts = [("e2e".parse().expect("a part"), all)].into();
    let nothing = GateInput {
        paths: vec![(glob.clone(), Measured::default())],
        ..GateInput::default()
    };
    let gate = judge(&rules, &nothing);
    assert_eq!(gate.verdict, Verdict::Unknown);
    assert_eq!(gate.reasons, gate.skipped);
    let skipped = [
        "changed: no changes were sent",
        "lost: there is no record of the base commit",
        "floor: the number of lines is not known",
        "b/**: the lines of these files are not known",
        "part e2e: the record does not have it",
    ];
    assert_eq!(gate.skipped, skipped);
    let of_all = GateInput {
        all: measured(9, 9),
        ..nothing
    };
    let gate = judge(&rules, &of_all);
    assert_eq!(gate.skipped[0], "a/**: changed: no changes were sent");
    assert_eq!(gate.skipped.len(), 5);
}

#[test]
fn unknown_branches_and_functions_skip_their_floors() {
    let rules = GateRules {
        branches_floor: Some(0),
        functions_floor: Some(0),
        ..GateRules::default()
    };
    let mut input = input(measured(9, 9));
    let gate = judge(&rules, &input);
    assert_eq!(gate.verdict, Verdict::Unknown);
    let skipped = [
        "branches_floor: the coverage file does not state the number of branches",
        "functions_floor: the coverage file does not state the number of functions",
    ];
    assert_eq!(gate.skipped, skipped);
    input.is_united = true;
    let skipped = [
        "branches_floor: the parts do not all name their branches, or not in the same way",
        "functions_floor: the functions of several parts are not counted",
    ];
    assert_eq!(judge(&rules, &input).skipped, skipped);
}

#[test]
fn files_whose_changed_lines_are_not_known_skip_the_rules_about_them() {
    let all = Limits {
        changed: Some(80),
        lost: Some(0),
        floor: Some(80),
    };
    let mut rules = rules(all);
    let glob: PathGlob = "a/**".parse().expect("a glob");
    rules.paths = [(glob.clone(), all)].into();
    let unknown = Measured {
        changed: None,
        lost: None,
        ..measured(9, 9)
    };
    let input = GateInput {
        paths: vec![(glob, unknown.clone())],
        unknown_files: 3,
        ..input(unknown)
    };
    let gate = judge(&rules, &input);
    let skipped = [
        "changed: the changed lines of 3 files are not known",
        "lost: the changed lines of 3 files are not known",
    ];
    assert_eq!(gate.skipped, skipped);
    assert_eq!(gate.verdict, Verdict::Failed, "the floor is judged");
}

#[test]
fn a_gate_of_which_no_rule_could_be_judged_is_unknown() {
    let lost = rules(Limits {
        lost: Some(0),
        ..Limits::default()
    });
    let unmeasured = |why: Option<&str>| GateInput {
        no_lost: why.map(ToOwned::to_owned),
        ..input(Measured {
            lost: None,
            ..measured(9, 9)
        })
    };
    for (why, said) in [
        (None, "lost: there is no record of the base commit"),
        (
            Some("lost: no changes were sent"),
            "lost: no changes were sent",
        ),
    ] {
        for evaluate in [false, true] {
            let rules = GateRules {
                evaluate: Some(evaluate),
                ..lost.clone()
            };
            let gate = judge(&rules, &unmeasured(why));
            assert_eq!(gate.verdict, Verdict::Unknown);
            assert_eq!(
                (&gate.reasons[..], &gate.skipped[..]),
                (&[said.to_owned()][..], &[said.to_owned()][..])
            );
            assert_eq!(gate.sentence(), format!("gate unknown: {said}"));
        }
    }
    // One judged rule is enough, also a rule that does not apply to so few lines.
    let mut with_floor = lost.clone();
    with_floor.all.floor = Some(70);
    let gate = judge(&with_floor, &unmeasured(None));
    assert_eq!((gate.verdict, gate.skipped.len()), (Verdict::Passed, 1));
    let few = judge(&rules(changed(80)), &input(measured(0, 1)));
    assert_eq!((few.verdict, few.skipped.len()), (Verdict::Passed, 1));
}
