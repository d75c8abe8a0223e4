//! How a reader comes to a page.

/// Decides about the history, the focus and the scroll position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// By a link or a form: a new step of the history; the page is read from its top.
    New,
    /// By another choice on the same page: a new step of the history; focus and scroll position stay.
    Chosen,
    /// By a heading of a table that the server sorts: like [`Chosen`](Self::Chosen), but only the card of the table changes.
    Sorted,
    /// By typing into a field of the page: like [`Chosen`](Self::Chosen), but only the first letter is a step.
    Typed,
    /// By Back or Forward: at the position where the reader left it.
    Back,
    /// The same page, with its current content.
    Renewed,
}
