//! A pattern as elements of the automaton.

use crate::PathGlob;

/// What a state waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Byte(u8),
    /// A character but `/`: of a set of ASCII, or with `other`, any that is not in it. This is its first byte.
    OneOf {
        bytes: u128,
        other: bool,
    },
    /// The other bytes of that character, if it has more than one.
    Rest,
    /// Any characters but `/`.
    Star,
    /// Any number of folders, each with its `/`.
    Folders,
}

impl Element {
    /// Marks the bytes that the element treats differently from all others.
    pub(super) fn name(self, named: &mut [bool; 256]) {
        match self {
            Self::Byte(byte) => named[usize::from(byte)] = true,
            Self::OneOf { bytes, .. } => {
                let all = named[..128].iter_mut().enumerate();
                all.for_each(|(byte, named)| *named |= bytes >> byte & 1 == 1);
            }
            Self::Rest | Self::Star | Self::Folders => {}
        }
    }

    fn is_optional(self) -> bool {
        matches!(self, Self::Rest | Self::Star | Self::Folders)
    }
}

/// Which paths a pattern matches: the path that its elements spell, or paths in that folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The path itself.
    #[default]
    Itself,
    /// All paths in that folder and its folders.
    Below,
    /// The path itself, and if it is a folder, all paths below.
    ItselfAndBelow,
    /// The paths directly in that folder.
    Children,
}

/// A pattern, written element by element.
#[derive(Clone, Debug, Default)]
pub struct PathPattern {
    elements: Vec<Element>,
    reach: Reach,
}

impl PathPattern {
    /// A pattern without elements, with the reach that its elements will have.
    #[must_use]
    pub fn new(reach: Reach) -> Self {
        Self {
            elements: Vec::new(),
            reach,
        }
    }

    /// The most states that the pattern needs.
    #[must_use]
    pub fn states(&self) -> usize {
        self.elements.len() + 3
    }

    /// Adds a character, which can be `/`.
    pub fn character(&mut self, character: char) {
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).bytes();
        self.elements.extend(bytes.map(Element::Byte));
    }

    /// Adds one character of a set of ASCII, given as bits; with `other`, one that is not in the set. It is never `/`.
    pub fn one_of(&mut self, bytes: u128, other: bool) {
        self.elements.push(Element::OneOf { bytes, other });
        if other {
            self.elements.push(Element::Rest);
        }
    }

    /// Adds any characters but `/`.
    pub fn star(&mut self) {
        self.push(Element::Star);
    }

    /// Adds any number of folders, each with its `/`. This is possible at the begin of a component only.
    pub fn folders(&mut self) {
        self.push(Element::Folders);
    }

    /// Two adjacent elements are never of the same optional kind, because a step of the automaton skips only one.
    fn push(&mut self, element: Element) {
        if !element.is_optional() || self.elements.last() != Some(&element) {
            self.elements.push(element);
        }
    }

    /// The elements, and the states in which the pattern matches.
    pub(super) fn finished(mut self) -> (Vec<Element>, [usize; 2]) {
        let itself = self.elements.len();
        if self.reach != Reach::Itself && itself > 0 {
            self.character('/');
        }
        match self.reach {
            Reach::Itself => {}
            Reach::Below | Reach::ItselfAndBelow => self.folders(),
            Reach::Children => self.star(),
        }
        let last = self.elements.len();
        // The state of folders stays active for all that is below.
        let matching = match self.reach {
            Reach::Itself | Reach::Children => [last, last],
            Reach::Below => [last - 1, last - 1],
            Reach::ItselfAndBelow => [itself, last - 1],
        };
        (self.elements, matching)
    }
}

impl From<&PathGlob> for PathPattern {
    fn from(glob: &PathGlob) -> Self {
        let mut pattern = Self::default();
        let mut components = glob.as_str().split('/').peekable();
        while let Some(component) = components.next() {
            let is_last = components.peek().is_none();
            if component == "**" {
                pattern.folders();
                if is_last {
                    pattern.star();
                }
                continue;
            }
            for character in component.chars() {
                match character {
                    '*' => pattern.star(),
                    '?' => pattern.one_of(0, true),
                    other => pattern.character(other),
                }
            }
            if !is_last {
                pattern.character('/');
            }
        }
        pattern
    }
}
