//! The theme: light, dark, or the system's. A cookie stores the choice, so that the server renders pages in it and nothing
//! flashes.

use std::{convert::Infallible, str::FromStr};

/// The reader's choice of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As set in the operating system.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The cookie that stores it. It contains only the theme's name, and scripts write it.
    pub const COOKIE: &'static str = "theme";

    /// The lifetime of the cookie in seconds: one year.
    pub const COOKIE_SECONDS: u32 = 31_536_000;

    /// The name in the cookie, in the form and in the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The next theme of the switch.
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// The accessible name of the switch.
    pub fn label(self) -> String {
        format!("Theme: {}. Change to {}.", self.name(), self.next().name())
    }

    /// The value of `<meta name="color-scheme">`, which the browser needs before the style sheet is loaded.
    pub fn color_scheme(self) -> &'static str {
        match self {
            Self::System => "light dark",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Unknown names give the system's theme.
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
