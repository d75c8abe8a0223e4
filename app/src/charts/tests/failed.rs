//! The marks of points whose gate failed.

use super::*;

#[test]
fn a_point_whose_gate_failed_has_a_cross() {
    let mut failed = chart(vec![line("rust", &[8_000, 7_000, 8_000])]);
    assert!(!failed.svg(WIDE).contains("class=\"failed\""));
    failed.lines[0].pieces[0][1].has_failed = true;
    let svg = failed.svg(WIDE);
    let cross = svg
        .split_once("class=\"failed\" d=\"M")
        .map(|(_, rest)| rest);
    let cross = cross
        .and_then(|rest| rest.split_once('"'))
        .expect("a cross")
        .0;
    assert!(
        cross.ends_with("l8 8m0-8l-8 8") && !cross.contains('M'),
        "{cross}"
    );
}
