//! Who changes something, and from where, for the audit log.

pub use domain::ActorKind;

use std::{env, fs, net::IpAddr, os::unix::fs::MetadataExt};

/// The maximum length of a stored name, in bytes.
const NAME_BYTES: usize = 255;

/// Who changes something, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The kind of actor.
    pub kind: ActorKind,
    /// Its name. For a token: the name of the token, never its secret.
    pub name: String,
    /// The address of the client. For a command: the machine that it runs on.
    pub source: String,
}

impl Actor {
    /// A client of the service.
    pub fn client(kind: ActorKind, name: &str, address: IpAddr) -> Self {
        Self {
            kind,
            name: name[..name.floor_char_boundary(NAME_BYTES)].to_owned(),
            source: address.to_canonical().to_string(),
        }
    }

    /// The service, acting automatically.
    pub fn service() -> Self {
        Self {
            kind: ActorKind::Service,
            name: "the service".to_owned(),
            source: machine(),
        }
    }

    /// The operating system user that runs this process as a command.
    pub fn command() -> Self {
        Self {
            kind: ActorKind::Command,
            name: user(),
            source: format!("command line on {}", machine()),
        }
    }
}

/// The user name of this process, and the user who ran it with sudo.
#[expect(
    clippy::disallowed_methods,
    reason = "sudo sets it; it is not a setting"
)]
fn user() -> String {
    let uid = fs::metadata("/proc/self").map(|process| process.uid()).ok();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = uid.and_then(|uid| name_of(uid, &users));
    let name = match (name, uid) {
        (Some(name), _) => name,
        (None, Some(uid)) => format!("user {uid}"),
        (None, None) => "unknown user".to_owned(),
    };
    match env::var("SUDO_USER") {
        Ok(before) if !before.is_empty() => format!("{name} (sudo by {})", shown(&before)),
        _ => name,
    }
}

/// The user with this number in the text of `/etc/passwd`.
fn name_of(uid: u32, users: &str) -> Option<String> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(uid)).then(|| shown(name))
    })
}

fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "this machine".to_owned(),
        name => shown(name),
    }
}

/// The text in one line, at most as long as a name.
fn shown(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(NAME_BYTES)];
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const USERS: &str = "root:x:0:0:root:/root:/bin/sh\nkim:x:1000:1000::/home/kim:\nbroken\n";

    #[test]
    fn a_user_is_found_by_number() {
        assert_eq!(name_of(0, USERS).as_deref(), Some("root"));
        assert_eq!(name_of(1_000, USERS).as_deref(), Some("kim"));
        assert_eq!(name_of(7, USERS), None);
    }

    #[test]
    fn a_command_names_its_user_and_its_machine() {
        let actor = Actor::command();
        assert!(!actor.name.is_empty() && actor.source.starts_with("command line on "));
    }

    #[test]
    fn an_address_is_written_in_one_form_only() {
        let address = "::ffff:10.0.0.7".parse().expect("an address");
        let actor = Actor::client(ActorKind::Token, &"é".repeat(200), address);
        assert_eq!(actor.source, "10.0.0.7");
        assert_eq!(actor.name.len(), 254);
    }
}
