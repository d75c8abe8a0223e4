//! The parts of a line: a pattern and the words after it, or the heading of a section.

/// The pattern, and what follows it. A backslash escapes a space.
pub(crate) fn split(line: &str) -> (&str, &str) {
    let mut is_escaped = false;
    let end = line.find(|character: char| {
        let ends = character.is_whitespace() && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends
    });
    line.split_at(end.unwrap_or(line.len()))
}

/// A section of GitLab: `[Name]`, `^[Name]`, `[Name][2]`, each perhaps with default owners.
pub(crate) struct Heading<'a> {
    pub(crate) name: &'a str,
    /// The words after the brackets.
    pub(crate) owners: &'a str,
}

impl<'a> Heading<'a> {
    /// Reads a line. A heading that does not close its bracket is a pattern, as in GitLab.
    pub(crate) fn read(line: &'a str) -> Option<Self> {
        let line = line.strip_prefix('^').unwrap_or(line);
        let (name, rest) = line.strip_prefix('[')?.split_once(']')?;
        let approvals = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let rest = match approvals {
            Some((number, after)) if number.bytes().all(|byte| byte.is_ascii_digit()) => after,
            _ => rest,
        };
        let owners = match rest.starts_with(char::is_whitespace) {
            true => rest.split('#').next().unwrap_or_default(),
            false => "",
        };
        Some(Self { name, owners })
    }
}
