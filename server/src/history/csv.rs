//! Writes tables as comma-separated values (RFC 4180), so that no spreadsheet interprets a text as a formula.

use csv::{Terminator, Writer, WriterBuilder};
use domain::{Count, guarded};
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
    fn guarded(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) => guarded(text),
            Self::Own(text) => text.into(),
            Self::Empty => "".into(),
        }
    }
}

pub(crate) fn text(text: &str) -> Cell<'_> {
    Cell::Text(text.into())
}

pub(crate) fn covered<'a>(count: Option<Count>) -> Cell<'a> {
    Cell::own(count.map(|count| count.covered))
}

pub(crate) fn total<'a>(count: Option<Count>) -> Cell<'a> {
    Cell::own(count.map(|count| count.total))
}

/// The name of a column, and its cell of a row.
pub(crate) type Column<Row> = (&'static str, fn(&Row) -> Cell<'_>);

/// Writes a table whose first line names its columns.
pub(crate) fn csv<Row>(columns: &[Column<Row>], rows: &[Row]) -> csv::Result<Vec<u8>> {
    let mut table = start(Vec::new(), columns)?;
    for row in rows {
        write_row(&mut table, columns, row)?;
    }
    table
        .into_inner()
        .map_err(|error| error.into_error().into())
}

/// Starts a table with the line of its columns.
pub(super) fn start<Row, W: Write>(out: W, columns: &[Column<Row>]) -> csv::Result<Writer<W>> {
    let mut table = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(out);
    table.write_record(columns.iter().map(|(name, _)| name))?;
    Ok(table)
}

pub(super) fn write_row<Row>(
    table: &mut Writer<impl Write>,
    columns: &[Column<Row>],
    row: &Row,
) -> csv::Result<()> {
    for (_, cell) in columns {
        table.write_field(cell(row).guarded().as_bytes())?;
    }
    table.write_record(None::<&[u8]>)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cell: Cell<'static>) -> String {
        let columns: [Column<Cell>; 1] = [("", |cell| cell.clone())];
        let table = csv(&columns, &[cell]).expect("a table");
        let table = String::from_utf8(table).expect("a text");
        let (_, row) = table.split_once("\r\n").expect("two lines");
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
        let columns: [Column<i32>; 2] = [("a", |_| Cell::Empty), ("b", |row| Cell::own(Some(row)))];
        let table = csv(&columns, &[1]).expect("a table");
        assert_eq!(table, b"a,b\r\n,1\r\n");
    }
}
