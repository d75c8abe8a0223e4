//! Enums whose variants have a word in addresses, and the error for an unknown word.

use thiserror::Error;

/// Why a value is refused: a phrase that follows the parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be one of {0}")]
pub struct ChoiceError(pub(crate) &'static str);

/// Declares choices, each with its word in an address, and perhaps with the label that pages show.
macro_rules! choices {
    (
        $(#[$doc:meta])*
        $name:ident: $($(#[$of:meta])* $choice:ident = $word:literal => $label:literal,)+
    ) => {
        choices! { $(#[$doc])* $name: $($(#[$of])* $choice = $word,)+ }

        impl $name {
            /// The label that pages show.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$choice => $label,)+
                }
            }
        }
    };
    (
        $(#[$doc:meta])*
        $name:ident: $(#[$of_first:meta])* $first:ident = $first_word:literal,
        $($(#[$of:meta])* $choice:ident = $word:literal,)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[$of_first])*
            $first,
            $($(#[$of])* $choice,)+
        }

        impl $name {
            /// All choices, in the order in which pages show them.
            pub const ALL: &[Self] = &[Self::$first, $(Self::$choice),+];

            /// The word in an address.
            pub fn word(self) -> &'static str {
                match self {
                    Self::$first => $first_word,
                    $(Self::$choice => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::ChoiceError;

            fn from_str(word: &str) -> Result<Self, $crate::ChoiceError> {
                match word {
                    $first_word => Ok(Self::$first),
                    $($word => Ok(Self::$choice),)+
                    _ => Err($crate::ChoiceError(concat!($first_word, $(", ", $word),+))),
                }
            }
        }
    };
}

pub(crate) use choices;
