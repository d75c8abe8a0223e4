//! The choices of a page as parameters of its address: one definition reads and writes them.

use std::{fmt::Display, str::FromStr};

/// Returns all values of a parameter of an address.
pub type Values<'a> = &'a dyn Fn(&str) -> Vec<String>;

/// A choice of a page. A default is not written, and an invalid value counts as absent.
pub(crate) trait Parameter: Sized {
    fn read(name: &str, values: Values<'_>) -> Self;

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>);
}

/// The last value of a parameter, or an empty text.
pub(crate) fn text(name: &str, values: Values<'_>) -> String {
    values(name).pop().unwrap_or_default()
}

/// A text without spaces around it; empty by default.
impl Parameter for String {
    fn read(name: &str, values: Values<'_>) -> Self {
        text(name, values).trim().to_owned()
    }

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
        if !self.is_empty() {
            into.push((name, self.clone()));
        }
    }
}

/// The number of a page, counted from 1; callers refuse or clamp 0.
impl Parameter for u32 {
    fn read(name: &str, values: Values<'_>) -> Self {
        text(name, values).parse().unwrap_or(1)
    }

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
        if *self > 1 {
            into.push((name, self.to_string()));
        }
    }
}

impl<T: FromStr + Display> Parameter for Option<T> {
    fn read(name: &str, values: Values<'_>) -> Self {
        text(name, values).parse().ok()
    }

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
        into.extend(self.as_ref().map(|value| (name, value.to_string())));
    }
}

/// A choice with a default.
macro_rules! with_default {
    ($($name:ty),+) => {
        $(impl $crate::query::Parameter for $name {
            fn read(name: &str, values: $crate::Values<'_>) -> Self {
                $crate::query::text(name, values).parse().unwrap_or_default()
            }

            fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
                if *self != Self::default() {
                    into.push((name, self.to_string()));
                }
            }
        })+
    };
}

/// Declares the choices of a page, each with the name of its parameter. The fields in parentheses come from the path of the page.
macro_rules! query {
    (
        $(#[$doc:meta])*
        pub struct $query:ident {
            $(($($(#[$of_path:meta])* pub $path:ident: $path_type:ty,)+))?
            $($(#[$of:meta])* pub $field:ident: $type:ty = $name:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $query {
            $($($(#[$of_path])* pub $path: $path_type,)+)?
            $($(#[$of])* pub $field: $type,)+
        }

        impl $query {
            /// Reads the choices from the parameters of an address.
            pub fn of($($($path: $path_type,)+)? values: $crate::Values<'_>) -> Self {
                Self {
                    $($($path,)+)?
                    $($field: $crate::query::Parameter::read($name, values),)+
                }
            }

            /// The parameters of the page's address, without default values.
            pub fn parameters(&self) -> Vec<(&'static str, String)> {
                let mut all = Vec::new();
                $($crate::query::Parameter::write(&self.$field, $name, &mut all);)+
                all
            }
        }
    };
}

pub(crate) use {query, with_default};
