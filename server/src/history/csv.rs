//! Writes tables as comma-separated values (RFC 4180), so that no spreadsheet interprets a text as a formula.

use csv::{Terminator, Writer, WriterBuilder};
use domain::guarded;
use std::{borrow::Cow, io::Write};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell<'a> {
    /// A text that a client may have chosen.
    Text(Cow<'a, str>),
    /// A text made by the service, such as a number or a date.
    Own(String),
    Empty,
}

impl<'a> Cell<'a> {
    /// A cell with the service's text of a value; empty for `None`.
    pub(crate) fn own(value: Option<impl ToString>) -> Self {
        value.map_or(Self::Empty, |value| Self::Own(value.to_string()))
    }

    /// Returns what is written, before it is quoted.
    pub(super) fn guarded(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) => guarded(text),
            Self::Own(text) => text.into(),
            Self::Empty => "".into(),
        }
    }
}

/// Writes a table whose first line names its columns.
pub(crate) fn csv<'a, const COLUMNS: usize>(
    columns: [&str; COLUMNS],
    rows: impl Iterator<Item = [Cell<'a>; COLUMNS]>,
) -> csv::Result<Vec<u8>> {
    let mut table = writer(Vec::new());
    table.write_record(columns)?;
    for row in rows {
        write_row(&mut table, row)?;
    }
    table
        .into_inner()
        .map_err(|error| error.into_error().into())
}

pub(super) fn writer<W: Write>(out: W) -> Writer<W> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(out)
}

pub(super) fn write_row<const COLUMNS: usize>(
    table: &mut Writer<impl Write>,
    row: [Cell; COLUMNS],
) -> csv::Result<()> {
    table.write_record(row.map(Cell::guarded).iter().map(|cell| cell.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cell: Cell) -> String {
        let mut row = Vec::new();
        write_row(&mut writer(&mut row), [cell]).expect("a row");
        let row = String::from_utf8(row).expect("a text");
        row.trim_end_matches("\r\n").to_owned()
    }

    #[test]
    fn cells_are_quoted_if_needed_and_text_is_never_a_formula() {
        let cell = |text: &'static str| written(Cell::Text(text.into()));
        assert_eq!(cell("payments"), "payments");
        assert_eq!(cell("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        for formula in ["=1+1", "+1", "-cmd", "@sum", "\tx"] {
            assert!(cell(formula).starts_with('\''), "{formula}");
        }
        assert_eq!(cell("=1,\"2\""), "\"'=1,\"\"2\"\"\"");
        assert_eq!(
            written(Cell::own(Some("-0.31"))),
            "-0.31",
            "a number stays a number"
        );
    }

    #[test]
    fn lines_end_with_crlf_as_rfc_4180_says() {
        let rows = [[Cell::Empty, Cell::own(Some(1))]];
        let table = csv(["a", "b"], rows.into_iter()).expect("a table");
        assert_eq!(table, b"a,b\r\n,1\r\n");
    }
}
