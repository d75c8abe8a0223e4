//! Reads what the working tree defines: the owners of its files, and its views.

use super::settings::start_of;
use crate::{environment::variable, git::Git};
use domain::{OwnersOf, ViewKind};
use owners::Owners;
use std::{io, sync::Arc};
use store::{Definitions, RecordSettings};

/// The places of the CODEOWNERS file, as `upload.sh` searches for it. The first that exists is used.
const PLACES: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

const PLACES_OF_GITLAB: [&str; 3] = ["CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/// Reads the definitions, and adds what is wrong with the CODEOWNERS file to `notices`. Reads no file if no rule names an
/// owner.
pub(super) fn definitions(
    git: &Git,
    settings: RecordSettings,
    notices: &mut Vec<String>,
) -> io::Result<Arc<Definitions>> {
    let mut ruled = settings.rules.views.keys();
    let has_rule = ruled.any(|view| view.kind() == ViewKind::Owner);
    let place = has_rule.then(|| place(git, settings.owners_of)).flatten();
    let file = place.map(|place| start_of(&git.root().join(place), Owners::MAX_BYTES));
    // The uploader does not send an empty file.
    let file = file.transpose()?.filter(|file| !file.is_empty());
    let definitions = Definitions::read(settings, file.as_deref());
    notices.extend(definitions.notices());
    Ok(Arc::new(definitions))
}

/// Where the CODEOWNERS file is, if there is one that the service reads.
fn place(git: &Git, of: OwnersOf) -> Option<&'static str> {
    let is_set = |name| variable(name).is_some();
    if is_set("GITEA_ACTIONS") || is_set("FORGEJO_ACTIONS") {
        return None;
    }
    let is_gitlab = is_set("GITLAB_CI") || (!is_set("CI") && of == OwnersOf::Gitlab);
    let places = if is_gitlab { PLACES_OF_GITLAB } else { PLACES };
    places
        .into_iter()
        .find(|place| git.root().join(place).is_file())
}
