//! The branches of a line of which some were not taken.

/// More names of missed branches than these are not kept. A union may have as many of each scheme.
const MAX_NAMES: usize = 64;

/// The bits of a name that are its scheme.
const SCHEME: u32 = (1 << Branches::SCHEME_BITS) - 1;

/// The branches of a partial line.
///
/// The names of missed branches are kept, because two parts that each miss another branch of a line take all of them together.
/// A name is a number that stands for the same branch in all parts. Reports of different formats name branches by different
/// [schemes](Self::SCHEME_BITS), and names of different schemes are not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branches {
    taken: u32,
    total: u32,
    /// Sorted, without repetitions, not empty. None if the report does not name branches: then any of them may be missed.
    missed: Option<Box<[u32]>>,
}

impl Branches {
    /// The lowest bits of a name: its scheme, which says how the report names branches.
    pub const SCHEME_BITS: u32 = 4;

    /// The numbers of branches, without names. None if no branch was missed.
    #[must_use]
    pub fn unnamed(taken: u32, total: u32) -> Option<Self> {
        (taken < total).then_some(Self {
            taken,
            total,
            missed: None,
        })
    }

    /// The numbers of branches, with the names of the missed ones. None if no branch was missed.
    #[must_use]
    pub fn named(taken: u32, total: u32, missed: impl IntoIterator<Item = u32>) -> Option<Self> {
        let mut names: Vec<u32> = missed.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        let is_named = (1..=MAX_NAMES).contains(&names.len());
        Some(Self {
            missed: is_named.then(|| names.into()),
            ..Self::unnamed(taken, total)?
        })
    }

    /// The branches as they were encoded, with names of any schemes in ascending order. None if they are no branches.
    pub(crate) fn decoded(taken: u32, total: u32, missed: Vec<u32>) -> Option<Self> {
        let is_named = (1..=MAX_NAMES << Self::SCHEME_BITS).contains(&missed.len());
        is_named.then_some(Self {
            missed: Some(missed.into()),
            ..Self::unnamed(taken, total)?
        })
    }

    /// How many branches were taken.
    #[must_use]
    pub fn taken(&self) -> u32 {
        let named = self.missed().unwrap_or_default();
        let fewest = (0..=SCHEME).filter_map(|scheme| {
            let missed = named.iter().filter(|name| *name & SCHEME == scheme).count();
            u32::try_from(missed).ok().filter(|&missed| missed > 0)
        });
        let by_name = fewest.min().map(|missed| self.total.saturating_sub(missed));
        self.taken.max(by_name.unwrap_or(0))
    }

    /// The greatest number of branches that one part took. The encoding stores it.
    pub(crate) fn taken_in_a_part(&self) -> u32 {
        self.taken
    }

    /// How many branches the line has; always more than were taken.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The names of the missed branches in ascending order, if branches have names.
    #[must_use]
    pub fn missed(&self) -> Option<&[u32]> {
        self.missed.as_deref()
    }

    /// The branches that both miss, with the greater numbers; none if there is no such branch.
    pub(crate) fn joined(&self, other: &Self) -> Option<Self> {
        let missed = match (self.missed(), other.missed()) {
            (Some(ours), Some(theirs)) => Some(missed_in_both(ours, theirs)?),
            (Some(one), None) | (None, Some(one)) => Some(one.into()),
            (None, None) => None,
        };
        Some(Self {
            taken: self.taken.max(other.taken),
            total: self.total.max(other.total),
            missed,
        })
    }
}

/// The names in both, and those of schemes that the other does not use; none if a scheme names no branch that both miss.
fn missed_in_both(ours: &[u32], theirs: &[u32]) -> Option<Box<[u32]>> {
    let has_scheme = |names: &[u32], of: u32| names.iter().any(|name| (name ^ of) & SCHEME == 0);
    let stays = |name: u32, others: &[u32]| {
        others.binary_search(&name).is_ok() || !has_scheme(others, name)
    };
    let mut missed: Vec<u32> = Vec::with_capacity(ours.len().max(theirs.len()));
    missed.extend(ours.iter().filter(|name| stays(**name, theirs)));
    missed.extend(theirs.iter().filter(|name| stays(**name, ours)));
    missed.sort_unstable();
    missed.dedup();
    let mut named = ours.iter().chain(theirs);
    named
        .all(|&name| has_scheme(&missed, name))
        .then(|| missed.into())
}
