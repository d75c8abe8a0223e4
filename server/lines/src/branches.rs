//! The branches of a partial line.

/// The most names of a line in a part that names only missed branches. With more, no name is kept.
const MAX_MISSED: usize = 64;

/// The most names of a line in a part that names all branches. With more, no name is kept.
const MAX_NAMES: usize = 256;

/// The most names of a line in a union. With more, no name is kept.
const MAX_UNITED: usize = 1024;

/// The bits of a name that hold its scheme.
const SCHEME: u32 = (1 << Branches::SCHEME_BITS) - 1;

/// Replaces the bits of schemes in a line with too many names.
const FORGOTTEN: u16 = u16::MAX;

/// The branches of a partial line.
///
/// Their names are kept: if two parts each miss another branch of a line, both parts together take all branches. A name is a
/// number that means the same branch in all parts. Reports of different formats name branches by different
/// [schemes](Self::SCHEME_BITS).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branches {
    /// The greatest numbers that a part states.
    taken: u32,
    total: u32,
    /// First the missed names, then the taken names, each sorted and without repetitions. Empty if the report does not name
    /// branches: then any branch may be missed.
    names: Box<[u32]>,
    number_of_missed: u16,
    /// A bit for each scheme by which a part names only missed branches: all other branches of the scheme were taken.
    pub(crate) missed_only: u16,
}

impl Branches {
    /// The number of bits at the low end of a name that hold its scheme: how the report names branches.
    pub const SCHEME_BITS: u32 = 4;

    pub(crate) const MOST_NAMES: usize = MAX_UNITED;

    /// The numbers of branches, without names. `None` if no branch was missed.
    pub fn unnamed(taken: u32, total: u32) -> Option<Self> {
        (taken < total).then(|| Self {
            taken,
            total,
            names: Box::default(),
            number_of_missed: 0,
            missed_only: 0,
        })
    }

    /// The numbers of branches, with the names of the missed ones: all others were taken. `None` if no branch was missed.
    pub fn named(taken: u32, total: u32, missed: impl IntoIterator<Item = u32>) -> Option<Self> {
        let missed = sorted(missed);
        let unnamed = Self::unnamed(taken, total)?;
        if missed.len() > MAX_MISSED {
            return Some(unnamed);
        }
        let missed_only = schemes(&missed);
        Some(unnamed.with_names(&missed, &[], missed_only))
    }

    /// The names of all branches of a line. `None` if no branch was missed.
    pub fn all_named(
        missed: impl IntoIterator<Item = u32>,
        reached: impl IntoIterator<Item = u32>,
    ) -> Option<Self> {
        let (mut missed, reached) = (sorted(missed), sorted(reached));
        missed.retain(|name| reached.binary_search(name).is_err());
        let number = |names: &[u32]| u32::try_from(names.len()).ok();
        let (taken, of_missed) = (number(&reached)?, number(&missed)?);
        let unnamed = Self::unnamed(taken, taken.checked_add(of_missed)?)?;
        if missed.len() + reached.len() > MAX_NAMES {
            return Some(unnamed);
        }
        Some(unnamed.with_names(&missed, &reached, 0))
    }

    /// Creates branches as they were encoded, with names in ascending order. `None` if they cannot be the branches of a partial
    /// line.
    pub(crate) fn decoded(
        (taken, total): (u32, u32),
        (missed, reached): (&[u32], &[u32]),
        missed_only: u16,
    ) -> Option<Self> {
        let unnamed = Self::unnamed(taken, total)?;
        if missed.is_empty() {
            let is_known = missed_only == 0 || missed_only == FORGOTTEN;
            return (is_known && reached.is_empty()).then_some(Self {
                missed_only,
                ..unnamed
            });
        }
        let is_sound = missed.len() + reached.len() <= MAX_UNITED
            && missed_only & !schemes(missed) == 0
            && missed_only & schemes(reached) == 0
            && missed
                .iter()
                .all(|name| reached.binary_search(name).is_err());
        is_sound.then(|| unnamed.with_names(missed, reached, missed_only))
    }

    /// The number of taken branches.
    pub fn taken(&self) -> u32 {
        let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
        let (missed, reached) = self.split();
        let by_scheme = (0..=SCHEME).filter(|scheme| self.missed_only >> scheme & 1 == 1);
        let by_scheme =
            by_scheme.map(|of| missed.iter().filter(|&name| name & SCHEME == of).count());
        let fewest = by_scheme.filter(|&missed| missed > 0).min();
        let by_missed = fewest.map(|missed| self.total.saturating_sub(number(missed)));
        let taken = self.taken.max(number(reached.len()));
        taken
            .max(by_missed.unwrap_or(0))
            .min(self.total().saturating_sub(1))
    }

    /// The number of branches of the line, always greater than the number of taken branches.
    pub fn total(&self) -> u32 {
        let (missed, reached) = self.split();
        let is_all = |name: &&u32| self.missed_only >> (*name & SCHEME) & 1 == 0;
        let named = missed.iter().filter(is_all).count() + reached.len();
        self.total.max(u32::try_from(named).unwrap_or(u32::MAX))
    }

    /// The greatest numbers of taken branches and of all branches that one part states.
    pub(crate) fn stated(&self) -> (u32, u32) {
        (self.taken, self.total)
    }

    /// The names of the missed branches in ascending order, if branches have names.
    pub fn missed(&self) -> Option<&[u32]> {
        (!self.names.is_empty()).then(|| self.split().0)
    }

    /// The names of the taken branches in ascending order, if the reports state them.
    pub fn reached(&self) -> &[u32] {
        self.split().1
    }

    pub(crate) fn names(&self) -> usize {
        self.names.len()
    }

    /// Whether every named branch was taken, in any of the parts.
    pub(crate) fn are_taken(&self) -> bool {
        !self.names.is_empty() && self.number_of_missed == 0
    }

    /// The branches of a line in two parts: a branch stays missed unless one of the parts took it. `None` if the line is a hit
    /// regardless of other parts.
    pub(crate) fn joined(&self, other: &Self) -> Option<Self> {
        let numbers = Self {
            taken: self.taken.max(other.taken),
            total: self.total.max(other.total),
            names: Box::default(),
            number_of_missed: 0,
            missed_only: FORGOTTEN,
        };
        let both = [self, other];
        if both.iter().any(|one| one.have_forgotten()) {
            return Some(numbers);
        }
        let missed_only = self.missed_only | other.missed_only;
        let is_missed = |name: &u32| {
            both.iter().all(|one| {
                let (missed, reached) = one.split();
                let is_known = one.missed_only >> (name & SCHEME) & 1 == 0;
                (is_known || missed.binary_search(name).is_ok())
                    && reached.binary_search(name).is_err()
            })
        };
        let of_both =
            |names: fn(&Self) -> &[u32]| sorted(both.into_iter().flat_map(names).copied());
        let mut missed = of_both(|one| one.split().0);
        missed.retain(is_missed);
        let mut reached = of_both(Self::reached);
        reached.retain(|name| missed_only >> (name & SCHEME) & 1 == 0);
        if missed_only & !schemes(&missed) != 0 {
            return None;
        }
        if missed.len() + reached.len() > MAX_UNITED {
            return Some(numbers);
        }
        Some(numbers.with_names(&missed, &reached, missed_only))
    }

    fn have_forgotten(&self) -> bool {
        self.names.is_empty() && self.missed_only == FORGOTTEN
    }

    fn split(&self) -> (&[u32], &[u32]) {
        self.names.split_at(usize::from(self.number_of_missed))
    }

    /// Sets at most [`MAX_UNITED`] names.
    fn with_names(self, missed: &[u32], reached: &[u32], missed_only: u16) -> Self {
        Self {
            names: [missed, reached].concat().into(),
            number_of_missed: u16::try_from(missed.len()).unwrap_or(u16::MAX),
            missed_only,
            ..self
        }
    }
}

fn sorted(names: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut names: Vec<u32> = names.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns a bit for each scheme of the names.
pub(crate) fn schemes(names: &[u32]) -> u16 {
    names
        .iter()
        .fold(0, |schemes, name| schemes | 1 << (name & SCHEME))
}
