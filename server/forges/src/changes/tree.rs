//! Computes the identifier of a tree from its entries: GitLab and Gitea return the entries, but not the tree of a commit.
//!
//! GitLab: <https://gitlab.com/gitlab-org/gitlab/-/issues/27355>. Gitea returns the commit in place of its tree.

use crate::forge::Entry;
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// Computes the identifier of a tree with these entries, in any order, with as many digits as their identifiers. `None` if an
/// entry is not valid in git.
pub(super) fn hash(mut entries: Vec<Entry>) -> Option<String> {
    entries.sort_by(|one, other| one.order().cmp(other.order()));
    let mut object = Vec::new();
    let mut length = None;
    for entry in &entries {
        let is_expected = length
            .replace(entry.id.len())
            .is_none_or(|length| length == entry.id.len());
        let is_name = !entry.name.is_empty() && !entry.name.contains(['/', '\0']);
        let mode = entry.mode.trim_start_matches('0');
        let is_mode = !mode.is_empty() && mode.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
        if !is_expected || !is_name || !is_mode {
            return None;
        }
        object.extend_from_slice(mode.as_bytes());
        object.push(b' ');
        object.extend_from_slice(entry.name.as_bytes());
        object.push(0);
        object.extend_from_slice(&bytes(&entry.id)?);
    }
    let head = format!("tree {}\0", object.len());
    let data = [head.as_bytes(), &object].concat();
    match length {
        Some(64) => Some(domain::text::hexadecimal(&Sha256::digest(&data))),
        Some(40) => Some(domain::text::hexadecimal(&Sha1::digest(&data))),
        _ => None,
    }
}

fn bytes(id: &str) -> Option<Vec<u8>> {
    let pairs = (0..id.len()).step_by(2);
    let byte = |at| u8::from_str_radix(id.get(at..at + 2)?, 16).ok();
    pairs.map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mode: &str, name: &str, id: &str) -> Entry {
        Entry {
            name: name.to_owned(),
            mode: mode.to_owned(),
            id: id.to_owned(),
        }
    }

    /// The output of `git mktree` for these entries.
    const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    const FOLDER: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    #[test]
    fn a_tree_has_the_identifier_that_git_gives_it() {
        let entries = vec![
            entry("040000", "lib", FOLDER),
            entry("100644", "lib.c", EMPTY),
            entry("100755", "lib-x", EMPTY),
            entry("160000", "sub", &"1".repeat(40)),
            entry("120000", "ü", EMPTY),
        ];
        assert_eq!(
            hash(entries).as_deref(),
            Some("4b35360f2ea964ab8ab56962b21ddcd68918ff26")
        );
    }

    #[test]
    fn a_tree_of_sha256_has_its_longer_identifier() {
        let id = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813";
        let entries = vec![entry("100644", "a", id)];
        assert_eq!(
            hash(entries).as_deref(),
            Some("5f6f307bcc469c02acba4f7da42d8d4defdda8209777fe732956f1e2fa0db3ff")
        );
    }

    #[test]
    fn entries_that_git_does_not_have_make_no_tree() {
        for entry in [
            entry("100644", "a/b", EMPTY),
            entry("", "a", EMPTY),
            entry("9", "a", EMPTY),
            entry("100644", "", EMPTY),
            entry("100644", "a", "ab"),
            entry("100644", "a", &"g".repeat(40)),
        ] {
            assert_eq!(hash(vec![entry]), None);
        }
        assert_eq!(hash(Vec::new()), None);
    }
}
