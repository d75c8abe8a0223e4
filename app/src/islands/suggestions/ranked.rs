//! The suggestions for a text, the best first, and which of them is active.

use super::{
    Scope,
    choice::{Choice, Kind, Named, Names, pages},
};
use domain::{Rank, Typos, Words};
use std::sync::Arc;

pub(super) const MOST: usize = 12;

/// The number of recent pages that an empty field shows.
const RECENT: usize = 6;

/// With this many suggestions, typing errors are not allowed. The most files whose names have none of the words.
const ENOUGH: usize = 3;

/// How well a suggestion matches: by its words, then the more recent, then by its place, such as the shorter one.
type Key = (Rank, usize, usize);

pub(super) struct Sources<'a> {
    pub(super) names: &'a Names,
    /// The pages that the reader visited, the last one first.
    pub(super) recent: &'a [Choice],
    pub(super) found: &'a [Choice],
}

impl Sources<'_> {
    pub(super) fn ranked(&self, scope: Scope, text: &str) -> Vec<Choice> {
        let words = Words::of(text);
        if words.is_empty() {
            return match scope {
                Scope::Pages => self.of_nothing(),
                Scope::Records | Scope::Authors => Vec::new(),
            };
        }
        let mut ranked = self.local(scope, &words, Typos::Refused);
        if ranked.len() + self.found.len() < ENOUGH {
            ranked = self.local(scope, &words, Typos::Forgiven);
        }
        ranked.extend(self.found.iter().filter_map(|choice| {
            let key = self.key(&words, of(choice), &choice.searched, Typos::Forgiven)?;
            Some((key, choice.clone()))
        }));
        // A word that is only in a folder finds all files in the folder, so a few of them are enough.
        let (mut by_folder, mut ranked): (Vec<_>, Vec<_>) = ranked
            .into_iter()
            .partition(|(_, choice)| choice.is_found_by_folder(&words));
        for (part, most) in [(&mut ranked, MOST), (&mut by_folder, ENOUGH)] {
            part.sort_by(|(left, one), (right, other)| {
                left.cmp(right).then_with(|| one.text.cmp(&other.text))
            });
            part.truncate(most);
        }
        ranked.extend(by_folder);
        ranked.truncate(MOST);
        ranked.into_iter().map(|(_, choice)| choice).collect()
    }

    /// The suggestions for an empty text: the recent pages, then the fixed pages.
    fn of_nothing(&self) -> Vec<Choice> {
        let recent = self
            .recent
            .iter()
            .filter(|choice| self.names.may_have(choice));
        recent.take(RECENT).cloned().chain(pages()).collect()
    }

    fn local(&self, scope: Scope, words: &Words, typos: Typos) -> Vec<(Key, Choice)> {
        let is_named = |named: &&Named| match scope {
            Scope::Pages => true,
            Scope::Records => named.kind == Kind::Repository,
            Scope::Authors => false,
        };
        let mut keys: Vec<(Key, &Named)> = self
            .names
            .iter()
            .filter(is_named)
            .filter_map(|named| {
                let key = self.key(
                    words,
                    (named.kind, &named.text, named.text.len()),
                    &named.folded,
                    typos,
                )?;
                Some((key, named))
            })
            .collect();
        if keys.len() > MOST {
            keys.select_nth_unstable_by(MOST, |(left, one), (right, other)| {
                left.cmp(right).then_with(|| one.text.cmp(&other.text))
            });
            keys.truncate(MOST);
        }
        let names = keys
            .into_iter()
            .filter_map(|(key, named)| Some((key, named.choice()?)));
        let pages = pages()
            .filter(|_| scope == Scope::Pages)
            .filter_map(|page| {
                let key = self.key(words, of(&page), &page.searched, typos)?;
                Some((key, page))
            });
        names.chain(pages).collect()
    }

    fn key(
        &self,
        words: &Words,
        (kind, text, place): (Kind, &str, usize),
        folded: &str,
        typos: Typos,
    ) -> Option<Key> {
        let rank = words.rank(folded, typos)?;
        let mut recent = self.recent.iter();
        let recent = recent.position(|choice| choice.kind == kind && choice.text == text);
        Some((rank, recent.unwrap_or(usize::MAX), place))
    }
}

fn of(choice: &Choice) -> (Kind, &str, usize) {
    (choice.kind, &choice.text, choice.place)
}

#[derive(Clone, Default)]
pub(super) struct Shown {
    pub(super) choices: Arc<Vec<Choice>>,
    /// The index of the suggestion that Enter chooses.
    pub(super) active: Option<usize>,
    /// The text that assistive technology announces.
    pub(super) status: String,
    /// Whether the status is visible, because there is nothing else to show.
    pub(super) is_status_visible: bool,
}

impl Shown {
    pub(super) fn active(&self) -> Option<&Choice> {
        self.choices.get(self.active?)
    }

    /// Activates the suggestion `by` places after the active one. The first suggestion follows the last one.
    pub(super) fn walk(&mut self, by: isize) {
        let count = self.choices.len();
        self.active = match self.active {
            _ if count == 0 => None,
            Some(active) => active
                .checked_add_signed(by)
                .map_or(Some(count - 1), |next| {
                    if next < count { Some(next) } else { Some(0) }
                }),
            None if by < 0 => Some(count - 1),
            None => Some(0),
        };
    }
}
