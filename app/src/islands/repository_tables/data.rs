//! The settings that the page contains for the browser.

use crate::links::ReportLinks;
use domain::Percentage;
use serde::{Deserialize, Serialize};

/// The settings of the service that rows depend on. The page contains them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) target: Percentage,
    pub(super) reports: ReportLinks,
}
