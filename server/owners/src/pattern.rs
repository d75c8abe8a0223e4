//! A pattern of a CODEOWNERS file, in a form that is the same for both forges.

use domain::{OwnersOf, PathGlobs, PathPattern, Reach};
use std::{iter::Peekable, str::Chars};

/// Which paths a line matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Whether it can begin at any component of a path, and not only at the root.
    pub(crate) is_floating: bool,
    components: Vec<Vec<Token>>,
    pub(crate) reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Character(char),
    /// An ASCII character of the set; with `is_negated`, any character that is not in it.
    OneOf {
        bytes: u128,
        is_negated: bool,
    },
    Star,
}

const ANY: Token = Token::OneOf {
    bytes: 0,
    is_negated: true,
};

impl Pattern {
    /// Reads a pattern, or returns why it is malformed.
    pub(crate) fn read(text: &str, of: OwnersOf) -> Result<Self, &'static str> {
        if text.len() > PathGlobs::MAX_PATH_BYTES {
            return Err("its pattern is longer than 1,024 bytes");
        }
        if text.is_empty() {
            return Err("it has no pattern");
        }
        let is_github = of == OwnersOf::Github;
        if is_github {
            refuse(text)?;
        }
        let mut components = tokens(text, of)?;
        let is_rooted = components.len() > 1 && components[0].is_empty();
        if is_rooted {
            components.remove(0);
        }
        let is_folder = components.last().is_some_and(Vec::is_empty);
        if is_folder {
            components.pop();
        }
        if components.iter().any(Vec::is_empty) {
            return Err("its pattern has an empty component");
        }
        let is_anchored = is_rooted || is_github && components.len() > 1;
        let folders = components
            .iter()
            .take_while(|all| is_double_star(all))
            .count();
        let folders = folders.min(components.len().saturating_sub(1));
        components.drain(..folders);
        let mut pattern = Self {
            is_floating: !is_anchored || folders > 0,
            components,
            reach: match (is_folder, is_github) {
                (true, _) => Reach::Below,
                (false, true) => Reach::ItselfAndBelow,
                (false, false) => Reach::Itself,
            },
        };
        pattern.simplify(is_folder, is_github);
        Ok(pattern)
    }

    /// Describes wildcards at the end by `reach` instead, so that fewer patterns have wildcards.
    fn simplify(&mut self, is_folder: bool, is_github: bool) {
        let is_star = |last: &Vec<Token>| match is_github {
            true => last == &[Token::Star],
            // For GitLab, `**` is the same as `*` if no `/` follows.
            false => last.iter().all(|&token| token == Token::Star),
        };
        let mut below = false;
        if !is_folder && self.components.last().is_some_and(is_star) {
            self.components.pop();
            self.reach = Reach::Children;
        }
        while self
            .components
            .pop_if(|last| is_double_star(last))
            .is_some()
        {
            below = true;
        }
        if below {
            self.reach = Reach::Below;
        }
        if below && is_folder && is_github {
            // `a/**/` are the folders in `a`.
            self.components.push(vec![Token::Star]);
        }
        if self.components.is_empty() && (self.is_floating || self.reach != Reach::Children) {
            self.is_floating = false;
            self.reach = Reach::Below;
        }
    }

    /// The name of the folder or file, if the pattern has no wildcards.
    pub(crate) fn name(&self) -> Option<String> {
        let mut name = String::new();
        for (place, component) in self.components.iter().enumerate() {
            if place > 0 {
                name.push('/');
            }
            for token in component {
                let Token::Character(character) = token else {
                    return None;
                };
                name.push(*character);
            }
        }
        Some(name)
    }

    pub(crate) fn glob(&self) -> PathPattern {
        let mut glob = PathPattern::new(self.reach);
        if self.is_floating {
            glob.folders();
        }
        for (place, component) in self.components.iter().enumerate() {
            if is_double_star(component) {
                glob.folders();
                continue;
            }
            for token in component {
                match *token {
                    Token::Character(character) => glob.character(character),
                    Token::OneOf { bytes, is_negated } => glob.one_of(bytes, is_negated),
                    Token::Star => glob.star(),
                }
            }
            if place + 1 < self.components.len() {
                glob.character('/');
            }
        }
        glob
    }
}

/// Refuses what GitHub does not read in a pattern.
fn refuse(text: &str) -> Result<(), &'static str> {
    Err(match text {
        "/" => "the pattern / matches nothing",
        _ if text.starts_with('!') => "a pattern cannot begin with !",
        _ if text.starts_with("\\#") => "a pattern cannot begin with #",
        _ if text.contains("***") => "its pattern has three asterisks in a row",
        _ => return Ok(()),
    })
}

/// The tokens of each component. A leading or trailing slash gives an empty component.
fn tokens(text: &str, of: OwnersOf) -> Result<Vec<Vec<Token>>, &'static str> {
    let mut components = vec![Vec::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let token = match (character, of) {
            ('/', _) => {
                components.push(Vec::new());
                continue;
            }
            ('\\', _) => match characters.next() {
                Some('/') | None => return Err("a backslash in its pattern escapes nothing"),
                Some(escaped) => Token::Character(escaped),
            },
            ('*', _) => Token::Star,
            ('?', _) => ANY,
            ('[', OwnersOf::Github) => return Err("a pattern cannot have a set of characters"),
            ('[', OwnersOf::Gitlab) => set(&mut characters)?,
            _ => Token::Character(character),
        };
        if let Some(component) = components.last_mut() {
            component.push(token);
        }
    }
    Ok(components)
}

/// Reads a set of characters, such as `[a-z]` or `[!a]`, after its bracket.
fn set(characters: &mut Peekable<Chars>) -> Result<Token, &'static str> {
    const MALFORMED: &str = "a set of characters in its pattern is malformed or not ASCII";
    let is_negated = characters
        .next_if(|first| matches!(first, '!' | '^'))
        .is_some();
    let next = |characters: &mut Peekable<Chars>| match characters.next() {
        Some('\\') => characters.next().map(|escaped| (escaped, true)),
        character => character.map(|character| (character, false)),
    };
    let mut bytes = 0_u128;
    loop {
        let Some((first, is_escaped)) = next(characters) else {
            return Err(MALFORMED);
        };
        if first == ']' && !is_escaped {
            return Ok(Token::OneOf { bytes, is_negated });
        }
        let mut last = first;
        let mut after = characters.clone();
        if after.next() == Some('-') && after.next().is_some_and(|end| end != ']') {
            characters.next();
            last = next(characters).ok_or(MALFORMED)?.0;
        }
        if !first.is_ascii() || !last.is_ascii() || first == '/' || last == '/' {
            return Err(MALFORMED);
        }
        for byte in first as u32..=last as u32 {
            bytes |= 1 << byte;
        }
    }
}

/// Whether a component is `**`, any number of folders.
fn is_double_star(component: &Vec<Token>) -> bool {
    component == &[Token::Star, Token::Star]
}
