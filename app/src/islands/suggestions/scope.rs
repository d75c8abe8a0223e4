//! The scopes of fields that suggest.

/// What a field looks for. `data-suggest` on the field has its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Pages,
    Records,
    Authors,
}

impl Scope {
    /// The value of `data-suggest`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Records => "records",
            Self::Authors => "authors",
        }
    }

    #[cfg(feature = "hydrate")]
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Self::Pages, Self::Records, Self::Authors];
        all.into_iter().find(|scope| scope.name() == name)
    }
}
