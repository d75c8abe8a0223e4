//! A word of a line as an owner: a user, a team or group, an e-mail address, or a role.

use std::borrow::Cow;

/// The most bytes of an owner.
const MAX_BYTES: usize = 255;

/// `@user`, `@org/team`, or an e-mail address.
pub(crate) fn github(word: &str) -> Option<&str> {
    let is_owner = match word.strip_prefix('@') {
        Some(name) => {
            let (org, team) = name.split_once('/').unwrap_or((name, "team"));
            is_of(org, is_word) && is_of(team, |byte| is_word(byte) || byte == b'.')
        }
        None => is_address(word),
    };
    (is_owner && word.len() <= MAX_BYTES).then_some(word)
}

/// `@user`, `@group/of/groups`, an e-mail address, or a role such as `@@developer`. Other characters around a name do not count.
pub(crate) fn gitlab(word: &str) -> Option<Cow<'_, str>> {
    if let Some(role) = word.strip_prefix("@@") {
        let role = role.to_ascii_lowercase();
        let role = role.strip_suffix('s').unwrap_or(&role);
        let is_role = ["developer", "maintainer", "owner"].contains(&role);
        return is_role.then(|| format!("@@{role}").into());
    }
    let at = word.find('@')?;
    let is_name =
        !word[..at].ends_with(|character: char| character.is_alphanumeric() || character == '_');
    let owner = match is_name {
        true => {
            let name = &word[at + 1..];
            let end = name
                .bytes()
                .take_while(|&byte| is_word(byte) || matches!(byte, b'.' | b'/'));
            word[at..=at + end.count()].trim_end_matches(['.', '/'])
        }
        false => word.trim_matches(|character: char| !character.is_alphanumeric()),
    };
    let is_owner = match is_name {
        true => owner[1..]
            .split('/')
            .all(|part| is_of(part, |byte| is_word(byte) || byte == b'.')),
        false => is_address(owner),
    };
    (is_owner && owner.len() <= MAX_BYTES).then_some(owner.into())
}

fn is_address(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        is_of(name, |byte| {
            is_word(byte) || matches!(byte, b'.' | b'%' | b'+')
        }) && is_of(host, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
        }) && !host.starts_with('.')
            && !host.ends_with('.')
    })
}

fn is_of(word: &str, is_in: impl Fn(u8) -> bool) -> bool {
    !word.is_empty() && word.bytes().all(is_in)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}
