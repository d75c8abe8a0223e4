//! Choices, each with a word in addresses, and the error for another word.

use thiserror::Error;

/// Why a value is refused: a phrase that follows the parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be one of {}", .0.join(", "))]
pub struct ChoiceError(pub(crate) &'static [&'static str]);

/// Defines an enum whose values have words, with the method that returns the word, and perhaps with labels.
macro_rules! choice {
    (
        $(#[$of_all:meta])* $name:ident, $word_of:ident:
        $($(#[$of:meta])* $variant:ident = $word:literal, $label:literal;)+
    ) => {
        choice! { $(#[$of_all])* $name, $word_of: $($(#[$of])* $variant = $word;)+ }

        impl $name {
            /// The label that pages show.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }
        }
    };
    (
        $(#[$of_all:meta])* $name:ident, $word_of:ident:
        $($(#[$of:meta])* $variant:ident = $word:literal;)+
    ) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $variant,)+
        }

        impl $name {
            /// All choices, in the order of pages.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word in addresses and in the database.
            pub fn $word_of(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::ChoiceError;

            fn from_str(word: &str) -> Result<Self, $crate::ChoiceError> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::ChoiceError(&[$($word),+])),
                }
            }
        }
    };
}

pub(crate) use choice;
