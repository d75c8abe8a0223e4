//! Writes tables as comma-separated values (RFC 4180), so that no spreadsheet interprets a text as a formula.

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// A text that a client may have chosen.
    Text(String),
    /// A text made by the service, such as a number or a date.
    Own(String),
    /// An empty cell.
    Empty,
}

impl Cell {
    /// A cell with the service's text of a value; empty for `None`.
    pub(crate) fn own(value: Option<impl ToString>) -> Self {
        value.map_or(Self::Empty, |value| Self::Own(value.to_string()))
    }
}

/// Writes a table whose first line names its columns.
pub(crate) fn csv<const COLUMNS: usize>(
    columns: [&str; COLUMNS],
    rows: impl Iterator<Item = [Cell; COLUMNS]>,
) -> String {
    let mut text = columns.join(",");
    text.push_str("\r\n");
    for row in rows {
        let cells = row.map(written);
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

fn written(cell: Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Own(text) => quoted(&text),
        // Spreadsheets run texts that begin like this as formulas. They do not show an apostrophe before the text.
        Cell::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) => {
            quoted(&format!("'{text}"))
        }
        Cell::Text(text) => quoted(&text),
    }
}

/// Quotes a cell if needed.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_if_needed_and_text_is_never_a_formula() {
        let cell = |text: &str| written(Cell::Text(text.to_owned()));
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
        assert_eq!(csv(["a", "b"], rows.into_iter()), "a,b\r\n,1\r\n");
    }
}
