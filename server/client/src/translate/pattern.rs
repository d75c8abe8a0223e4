//! Patterns of paths: Codecov's prefixes, globs and regular expressions as patterns of the service.

use domain::GlobList;

/// Returns the patterns of the service for a pattern of Codecov; `None` if no pattern matches the same files.
///
/// Codecov takes a text without special characters as the beginning of a path, and other texts as globs or as regular
/// expressions, which match at the beginning of a path.
pub(super) fn of(text: &str) -> Option<Vec<String>> {
    let (sign, text) = match text.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", text),
    };
    let text = text.strip_prefix("./").unwrap_or(text);
    let text = text.strip_prefix('/').unwrap_or(text);
    let patterns = match Kind::of(text) {
        Kind::Prefix => prefix(text),
        Kind::Glob => of_glob(text)?,
        Kind::Regex => of_regex(text)?,
    };
    let patterns = patterns.iter().map(|pattern| format!("{sign}{pattern}"));
    let patterns: Vec<_> = patterns.collect();
    let are_valid = GlobList::of(patterns.iter().map(String::as_str)).is_ok();
    are_valid.then_some(patterns)
}

enum Kind {
    Prefix,
    Glob,
    Regex,
}

impl Kind {
    fn of(text: &str) -> Self {
        let is_plain = !text.contains(['*', '$', '[', ']', '^', '\\', '(', '|', '?', '+']);
        let is_glob = text.contains("**") || text.contains("/*");
        let has_regex_star = text.contains(".*") || text.contains("]*");
        match () {
            () if is_plain => Self::Prefix,
            () if text.contains('\\') || text.contains(['^', '$', '(', '|', '+']) => Self::Regex,
            () if is_glob || (text.contains('*') && !has_regex_star) => Self::Glob,
            () => Self::Regex,
        }
    }
}

/// The files below a folder, or one file: a name with an extension is a file. Some names may be either, such as
/// `test/Acme.Specs`.
fn prefix(text: &str) -> Vec<String> {
    let folder = format!("{}/**", text.trim_end_matches('/'));
    let name = text.rsplit('/').next().unwrap_or(text);
    let extension = name.trim_start_matches('.').rsplit_once('.');
    match extension.map(|(_, extension)| extension) {
        None | Some("") => vec![folder],
        Some(extension) if extension.chars().all(|c| c.is_ascii_lowercase()) => {
            vec![text.to_owned()]
        }
        Some(_) => vec![text.to_owned(), folder],
    }
}

/// The most patterns that a glob becomes.
const MOST: usize = 4;

/// Writes a glob so that `**` is a whole folder of it. Codecov's `**` crosses folders everywhere, as in `tests**/a.py`.
fn of_glob(text: &str) -> Option<Vec<String>> {
    if text.contains(['[', ']', '{']) {
        return None;
    }
    let mut patterns = vec![String::new()];
    for (place, folder) in text.split('/').enumerate() {
        let slash = if place > 0 { "/" } else { "" };
        let names: Vec<_> = folder.split("**").collect();
        for (place_of_name, name) in names.iter().enumerate() {
            let is_last = place_of_name + 1 == names.len() && name.is_empty();
            let joints: &[&str] = match (place_of_name, names[0]) {
                (0, _) => &[slash],
                (1, "") if is_last => &["**"],
                (1, "") => &["**/*"],
                _ if is_last => &["*", "*/**"],
                _ => &["*", "*/**/*"],
            };
            let all = patterns.iter().flat_map(|before| {
                let joined = joints.iter();
                joined.map(move |joint| format!("{before}{joint}{name}"))
            });
            patterns = all.collect();
            if patterns.len() > MOST {
                return None;
            }
        }
    }
    Some(patterns)
}

/// Translates a regular expression of literal characters, `.*` and `[^/]*`. `.*` crosses folders, so it becomes `**` only beside
/// slashes or at the ends.
fn of_regex(text: &str) -> Option<Vec<String>> {
    let text = text.strip_prefix('^').unwrap_or(text);
    let (text, is_whole) = match text.strip_suffix('$') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (mut pattern, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        if let Some(after) = within_name(rest) {
            pattern.push('*');
            rest = after;
        } else if let Some(after) = rest.strip_prefix(".*") {
            let is_at_start = pattern.is_empty() || pattern.ends_with('/');
            pattern.push_str(match (is_at_start, after.chars().next()) {
                (true, None | Some('/')) => "**",
                (true, Some(_)) => "**/*",
                // The rest of a name, or of a path.
                (false, None) => {
                    return Some(vec![format!("{pattern}*"), format!("{pattern}*/**")]);
                }
                // `.*` after a name would also match across folders.
                (false, Some(_)) => return None,
            });
            rest = after;
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            let literal = escaped
                .chars()
                .next()
                .filter(|c| c.is_ascii_punctuation())?;
            if "*?[]!".contains(literal) {
                return None;
            }
            pattern.push(literal);
            rest = &escaped[literal.len_utf8()..];
        } else if "[](){}|+?*^$".contains(first) {
            return None;
        } else {
            pattern.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    let names_files = is_whole || pattern.ends_with("**") || has_extension(&pattern);
    match (names_files, pattern.ends_with('/')) {
        (_, true) => Some(vec![pattern + "**"]),
        (true, false) => Some(vec![pattern]),
        (false, false) => None,
    }
}

/// What follows `[^/]*` or `[^/]+`.
fn within_name(text: &str) -> Option<&str> {
    let after = text
        .strip_prefix("[^/]")
        .or_else(|| text.strip_prefix("[^\\/]"))?;
    after.strip_prefix(['*', '+'])
}

fn has_extension(pattern: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| !extension.is_empty())
}
