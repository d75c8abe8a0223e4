//! What words find, and in which order.

use super::*;
use proptest::prelude::*;

/// The names that `text` finds, the best first.
fn found<'a>(text: &str, names: &[&'a str]) -> Vec<&'a str> {
    let words = Words::of(text);
    let mut found: Vec<_> = names
        .iter()
        .filter_map(|name| Some((words.rank(&folded(name), Typos::Forgiven)?, *name)))
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn words_are_found_in_any_order_and_case() {
    let names = ["acme/core", "acme/shop", "other/core"];
    for text in [
        "acme core",
        "core acme",
        "CORE  Acme",
        "core acm",
        "acme/core",
    ] {
        assert_eq!(found(text, &names), ["acme/core"], "{text}");
    }
}

#[test]
fn whole_parts_come_before_starts_and_starts_before_other_places() {
    let names = [
        "acme/score",
        "acme/core-tools",
        "acme/corelib",
        "acme/encore",
    ];
    let expected = [
        "acme/core-tools",
        "acme/corelib",
        "acme/score",
        "acme/encore",
    ];
    assert_eq!(found("core", &names), expected);
}

#[test]
fn typing_errors_are_forgiven_in_words_of_four_letters() {
    let names = ["acme/payments", "acme/shop", "acme/billing"];
    for text in [
        "paymetns",
        "pyaments",
        "paymnts",
        "payyments",
        "paymemts",
        "acme paymet",
        "acme/paymetns",
        "amce/paymetns",
    ] {
        assert_eq!(found(text, &names), ["acme/payments"], "{text}");
    }
    for text in ["sho", "shop"] {
        assert_eq!(found(text, &names), ["acme/shop"], "{text}");
    }
    for text in ["shp", "pmnts", "acme bxlxnx"] {
        assert_eq!(found(text, &names), [""; 0], "{text}");
    }
}

#[test]
fn what_is_typed_correctly_comes_first() {
    assert_eq!(
        found("care", &["acme/core", "acme/care"]),
        ["acme/care", "acme/core"]
    );
}

#[test]
fn names_in_any_script_are_found() {
    let names = ["Zoë Müller", "李雷", "شيماء"];
    assert_eq!(found("müller zoë", &names), ["Zoë Müller"]);
    assert_eq!(found("MÜLER", &names), ["Zoë Müller"]);
    assert_eq!(found("李", &names), ["李雷"]);
    assert_eq!(found("شيم", &names), ["شيماء"]);
}

#[test]
fn the_start_of_a_commit_has_four_characters_of_a_hash() {
    let commit = |text| Words::of(text).commit().map(str::to_owned);
    assert_eq!(commit("9BE0").as_deref(), Some("9be0"));
    assert_eq!(commit("r1042").as_deref(), Some("r1042"), "of Subversion");
    for text in ["9be", "9be/", "9be0 1", ""] {
        assert_eq!(commit(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_can_be_searched_in_any_name(text in ".{0,80}", name in ".{0,80}") {
        let words = Words::of(&text);
        let name = folded(&name);
        let literal = words.rank(&name, Typos::Refused);
        let forgiven = words.rank(&name, Typos::Forgiven);
        // With typing errors, more names are found, and the rank of the other names is the same.
        prop_assert!(literal.is_none() || literal == forgiven);
    }

    #[test]
    fn a_name_is_found_by_its_words_in_reverse(words in proptest::collection::vec("[a-z]{1,8}", 1..5)) {
        let name = words.join("/");
        let text: Vec<_> = words.iter().rev().map(String::as_str).collect();
        prop_assert_eq!(Words::of(&text.join(" ")).rank(&name, Typos::Refused), Some(Rank(0)));
    }
}
