//! Which forge's rules a CODEOWNERS file follows.

use crate::choice::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// The forge whose rules find the owners of a path. Its word is the word in forms.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    OwnersOf:
    /// The last line that matches counts, also one without owners.
    #[default]
    Github = "github",
    /// The last line of each section counts.
    Gitlab = "gitlab",
}
