//! The effective configuration of the service as the settings page shows it: secrets are hidden already.

use std::fmt;

/// The effective configuration, and what the service runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceSettings {
    /// The version of the service.
    pub version: &'static str,
    /// The number of the newest migration of the database.
    pub schema: i64,
    /// The name of the database engine.
    pub database: &'static str,
    /// The kind of storage of HTML reports.
    pub storage: &'static str,
    /// The variables of the upload tokens that the configuration has.
    pub tokens: Vec<&'static str>,
    /// All settings.
    pub groups: Vec<SettingGroup>,
}

/// Settings that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingGroup {
    /// The heading above them.
    pub heading: &'static str,
    /// The settings, in the order of the manual.
    pub settings: Vec<Setting>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its variable.
    pub variable: &'static str,
    /// What it is, in a sentence.
    pub about: String,
    /// Its value; `None` without a value, or if the default depends on other settings.
    pub value: Option<String>,
    /// Where the value comes from.
    pub source: SettingSource,
}

/// Where the value of a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// The definition of the setting.
    Default,
    /// Its environment variable.
    Environment,
    /// This flag of the command line, without dashes.
    Flag(String),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Environment => f.write_str("environment"),
            Self::Flag(flag) => write!(f, "--{flag}"),
        }
    }
}
