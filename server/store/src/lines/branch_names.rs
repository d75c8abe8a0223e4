//! The names of branches in words. The crate `formats` makes the names: `Scheme` in `server/formats/src/report.rs`.

use lines::Branches;

const NUMBERS: u32 = 0;
const DESTINATION: u32 = 2;
const OUTCOME: u32 = 3;

/// A name in words, such as `to line 46`; `None` if only its hash is stored.
pub(super) fn words(name: u32) -> Option<String> {
    let number = name >> Branches::SCHEME_BITS;
    match name & ((1 << Branches::SCHEME_BITS) - 1) {
        // `numbered` in `server/formats/src/formats/lcov.rs` packs more branches than 64 in another way.
        NUMBERS if number < 1 << 27 => {
            Some(format!("branch {} of block {}", number % 64, number / 64))
        }
        DESTINATION if number == 0 => Some("to the exit".to_owned()),
        DESTINATION => Some(format!("to line {number}")),
        OUTCOME => {
            let outcome = if number & 1 == 0 { "true" } else { "false" };
            Some(format!("{outcome} at column {}", number / 2))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_have_the_names_that_people_understand() {
        let of = |number: u32, scheme: u32| words(number << Branches::SCHEME_BITS | scheme);
        assert_eq!(
            of(64 * 3 + 1, NUMBERS).as_deref(),
            Some("branch 1 of block 3")
        );
        assert_eq!(of(46, DESTINATION).as_deref(), Some("to line 46"));
        assert_eq!(of(0, DESTINATION).as_deref(), Some("to the exit"));
        assert_eq!(of(9 * 2 + 1, OUTCOME).as_deref(), Some("false at column 9"));
        assert_eq!(of(7, 5), None);
    }
}
