//! Reads the lines of a file into rules.

use crate::{
    Owners, Rule,
    line::{Heading, split},
    literals::Literals,
    names::Names,
    notices::Notices,
    pattern::Pattern,
    words,
};
use domain::{OwnersOf, PathGlobs, PathPattern, text::shortened};
use std::collections::HashMap;

/// The most rules of a file: far more than 3 MiB of usual lines have. They take about 30 MB.
const MAX_RULES: usize = 250_000;

/// The most states of patterns with wildcards: they take about 8 MB, and a step for each 64 states and byte of a path.
const MAX_STATES: usize = 1 << 18;

/// The name of the section in which a file begins, as in GitLab.
const FIRST_SECTION: &str = "codeowners";

/// The most characters of a word in a notice.
const SHOWN: usize = 40;

#[derive(Default)]
struct Reader {
    of: OwnersOf,
    names: Names,
    notices: Notices,
    rules: Vec<Rule>,
    owners: Vec<u32>,
    literals: Literals,
    globs: Vec<PathPattern>,
    rule_of: Vec<u32>,
    states: usize,
    sections: HashMap<String, u32>,
    /// The most owners of a rule in each section.
    most_owners: Vec<u32>,
    section: u32,
    /// The default owners of the last heading: where they are.
    default: (u32, u32),
    name_bytes: usize,
}

pub(crate) fn read(text: &[u8], of: OwnersOf) -> Owners {
    let mut reader = Reader {
        of,
        ..Reader::default()
    };
    reader.enter(FIRST_SECTION);
    if text.len() > Owners::MAX_BYTES {
        return reader.too_costly("is larger than 3 MiB");
    }
    // The names are parts of the text.
    reader.name_bytes = text.len();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for (place, line) in text.split(|&byte| byte == b'\n').enumerate() {
        reader.line(place + 1, line.trim_ascii());
        if reader.rules.len() > MAX_RULES {
            return reader.too_costly("has more than 250,000 rules");
        }
        if reader.states > MAX_STATES {
            return reader.too_costly("has too many patterns with wildcards");
        }
    }
    reader.finish()
}

impl Reader {
    fn line(&mut self, number: usize, line: &[u8]) {
        if line.is_empty() || line.starts_with(b"#") {
            return;
        }
        let Ok(line) = str::from_utf8(line) else {
            return self.notices.skipped(number, &"it is not UTF-8");
        };
        if line.contains(|character: char| character.is_control() && character != '\t') {
            return self.notices.skipped(number, &"it has a control character");
        }
        match self.of {
            OwnersOf::Github => self.github(number, line),
            OwnersOf::Gitlab => match Heading::read(line) {
                Some(heading) => self.heading(number, &heading),
                None => self.gitlab(number, line),
            },
        }
    }

    /// A line is skipped if any word before a comment is no owner.
    fn github(&mut self, number: usize, line: &str) {
        let (pattern, rest) = split(line);
        let pattern = match Pattern::read(pattern, self.of) {
            Ok(pattern) => pattern,
            Err(why) => return self.notices.skipped(number, &why),
        };
        let words = || {
            let words = rest.split_whitespace();
            words.take_while(|word| !word.starts_with('#'))
        };
        if let Some(word) = words().find(|word| words::github(word).is_none()) {
            let why = format!("{} is not an owner", shown(word));
            return self.notices.skipped(number, &why);
        }
        let first = self.owners.len();
        for owner in words().filter_map(words::github) {
            self.owners.push(self.names.place(owner));
        }
        let owners = self.unique_since(first);
        self.rule(&pattern, owners, false);
    }

    /// Words that are no owners are left out. Without any word, the section's default owners count.
    fn gitlab(&mut self, number: usize, line: &str) {
        let (pattern, rest) = split(line);
        let excluded = pattern.strip_prefix('!');
        let pattern = match Pattern::read(excluded.unwrap_or(pattern), self.of) {
            Ok(pattern) => pattern,
            Err(why) => return self.notices.skipped(number, &why),
        };
        let owners = match (excluded, rest.trim().is_empty()) {
            (Some(_), _) => (0, 0),
            (None, true) => self.default,
            (None, false) => self.gitlab_owners(number, rest),
        };
        self.rule(&pattern, owners, excluded.is_some());
    }

    fn heading(&mut self, number: usize, heading: &Heading) {
        self.enter(heading.name);
        self.default = self.gitlab_owners(number, heading.owners);
    }

    fn enter(&mut self, section: &str) {
        let next = self.sections.len() as u32;
        self.section = *self.sections.entry(section.to_lowercase()).or_insert(next);
        if self.section == next {
            self.most_owners.push(0);
        }
    }

    fn gitlab_owners(&mut self, number: usize, text: &str) -> (u32, u32) {
        let first = self.owners.len();
        let words = text.split(|character: char| character.is_whitespace() || character == ',');
        let mut malformed = None;
        for word in words.filter(|word| !word.is_empty()) {
            match words::gitlab(word) {
                Some(owner) => self.owners.push(self.names.place(&owner)),
                None => malformed = malformed.or(Some(word)),
            }
        }
        if let Some(word) = malformed {
            self.notices.left_out(number, &shown(word));
        }
        self.unique_since(first)
    }

    /// The last owners in order, each once: where they are.
    fn unique_since(&mut self, first: usize) -> (u32, u32) {
        let mut added = self.owners.split_off(first);
        added.sort_unstable();
        added.dedup();
        self.owners.append(&mut added);
        (first as u32, (self.owners.len() - first) as u32)
    }

    fn rule(&mut self, pattern: &Pattern, (first, count): (u32, u32), excludes: bool) {
        let most = &mut self.most_owners[self.section as usize];
        *most = count.max(*most);
        self.rules.push(Rule {
            section: self.section,
            first,
            count,
            excludes,
        });
        match pattern.name() {
            Some(name) => {
                let Pattern {
                    is_floating, reach, ..
                } = *pattern;
                self.literals.add(is_floating, name, reach, &self.rules);
            }
            None => {
                let glob = pattern.glob();
                self.states += glob.states();
                self.globs.push(glob);
                self.rule_of.push((self.rules.len() - 1) as u32);
            }
        }
    }

    fn finish(self) -> Owners {
        Owners {
            of: self.of,
            names: self.names.into_all(),
            notices: self.notices.finish(),
            is_too_costly: false,
            rules: self.rules,
            owners: self.owners,
            literals: self.literals,
            globs: PathGlobs::compiled(self.globs),
            rule_of: self.rule_of,
            name_bytes: self.name_bytes,
            most_owners: self.most_owners.iter().map(|&most| most as usize).sum(),
        }
    }

    /// A file without rules, which says why.
    fn too_costly(self, why: &str) -> Owners {
        let mut owners = Self {
            of: self.of,
            ..Self::default()
        }
        .finish();
        owners.is_too_costly = true;
        owners.notices = vec![format!("CODEOWNERS {why}, so no file has owners.")];
        owners
    }
}

fn shown(word: &str) -> String {
    shortened(&domain::text::shown(word), SHOWN)
}
