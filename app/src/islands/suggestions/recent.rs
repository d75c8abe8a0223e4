//! The pages of orgs, repositories, pull requests and authors that the reader visited last. The browser keeps their paths.

use super::choice::Choice;
use crate::browser::storage;
use percent_encoding::percent_decode_str;
use web_sys::Storage;

/// The key in the browser's storage. Its value has a path in each line, the last visited one first.
const KEY: &str = "coverage-recent";

const MOST: usize = 20;

/// Remembers the page with this path, if it is the page of an org, a repository or an author.
pub fn visited(path: &str) {
    // Without storage, as in a private window of some browsers, no page is recent.
    let is_kept = ["/orgs/", "/repos/", "/authors/"]
        .iter()
        .any(|start| path.starts_with(start));
    let Some(storage) = storage().filter(|_| is_kept) else {
        return;
    };
    let before = kept(&storage);
    let before = before.lines().filter(|other| *other != path);
    let mut paths = path.to_owned();
    for other in before.take(MOST - 1) {
        paths.push('\n');
        paths.push_str(other);
    }
    // Storage may be full. Then the page is not remembered.
    let _ = storage.set_item(KEY, &paths);
}

/// Forgets all pages: the reader logs out.
pub fn forget() {
    if let Some(storage) = storage() {
        // Storage that can be read can be emptied.
        let _ = storage.remove_item(KEY);
    }
}

pub(super) fn recent() -> Vec<Choice> {
    let kept = storage().map(|storage| kept(&storage)).unwrap_or_default();
    kept.lines().filter_map(choice).collect()
}

fn kept(storage: &Storage) -> String {
    storage.get_item(KEY).ok().flatten().unwrap_or_default()
}

fn choice(path: &str) -> Option<Choice> {
    let (kind, name) = path.strip_prefix('/')?.split_once('/')?;
    let name = percent_decode_str(name).decode_utf8().ok()?;
    match kind {
        "orgs" => Some(Choice::org(&name.parse().ok()?)),
        "repos" => Choice::below_repositories(&name),
        "authors" => Some(Choice::author(&name.parse().ok()?)),
        _ => None,
    }
}
