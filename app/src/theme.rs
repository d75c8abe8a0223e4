//! Light, dark, or what the system says. A cookie keeps the choice, so that a page arrives in it and nothing flashes.

use serde::{Deserialize, Serialize};
use std::{convert::Infallible, str::FromStr};

/// The colours that a reader chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The cookie that keeps it. It holds nothing but the theme's name, and scripts write it.
    pub const COOKIE: &'static str = "theme";

    /// For how long the cookie is kept, in seconds: a year.
    pub const COOKIE_SECONDS: u32 = 31_536_000;

    /// The name in the cookie, in the form that sends it, and in the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The one that the switch goes on to.
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// What the browser has to know before the style sheet is there (`<meta name="color-scheme">`).
    pub fn color_scheme(self) -> &'static str {
        match self {
            Self::System => "light dark",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Whatever is unknown is the system's.
impl FromStr for Theme {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_goes_through_all_themes_and_back() {
        let mut theme = Theme::System;
        let names: Vec<_> = (0..4)
            .map(|_| {
                let name = theme.name();
                assert_eq!(name.parse(), Ok(theme));
                theme = theme.next();
                name
            })
            .collect();
        assert_eq!(names, ["system", "light", "dark", "system"]);
        assert_eq!("<b>".parse(), Ok(Theme::System));
    }
}
