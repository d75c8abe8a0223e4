//! The marks of the largest drops.

use super::*;

#[test]
fn the_largest_drops_of_the_first_line_are_marked_with_their_sizes() {
    let falls = [9_000, 8_990, 8_000, 8_900, 8_890, 6_000, 6_100];
    let chart = chart(vec![line("main", &falls), line("dev", &[9_000, 5_000])]);
    let sizes: Vec<_> = chart
        .steps()
        .iter()
        .map(|(change, ..)| change.to_string())
        .collect();
    assert_eq!(sizes, ["−28.90", "−9.90"], "small ones are left out");
    let svg = chart.svg(WIDE);
    assert!(svg.contains("▼ −28.90</text>"), "{svg}");
    let picture = chart.document("Coverage", "nothing");
    assert!(picture.contains("▼ −28.90</text>"), "{picture}");
    assert!(
        picture.contains("fill=\"#8c1c3c\" class=\"low\">▼"),
        "{picture}"
    );
    assert!(!svg.contains("−40.00") && !svg.contains("−0.10"), "{svg}");
    let rising = self::chart(vec![line("main", &[8_000, 8_100])]);
    assert!(!rising.svg(WIDE).contains("drops"), "{rising:?}");
}

#[test]
fn days_on_which_repositories_joined_are_marked_and_are_no_drops() {
    let mut all = line("all", &[9_000, 6_000, 5_900]);
    for (point, repositories) in all.pieces[0].iter_mut().zip([1, 2, 2]) {
        point.repositories = repositories;
    }
    let unnamed = self::chart(vec![all.clone()]).svg(WIDE);
    assert!(
        !unnamed.contains("joined") && !unnamed.contains('▼'),
        "{unnamed}"
    );
    all.pieces[0][1].detail.push("+ web".to_owned());
    let chart = chart(vec![all]);
    let svg = chart.svg(WIDE);
    let picture = chart.document("Coverage", "nothing");
    assert!(svg.contains("class=\"joined\">+ web</text>"), "{svg}");
    for svg in [svg, picture] {
        assert!(svg.contains(">+ web</text>"), "{svg}");
        assert!(!svg.contains('▼'), "{svg}");
    }
}
