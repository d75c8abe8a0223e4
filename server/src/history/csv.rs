//! Tables as comma-separated values (RFC 4180), made so that no spreadsheet takes a text for a formula.

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// What somebody else may have chosen.
    Text(String),
    /// What this service has written itself, such as a number or a date.
    Own(String),
    /// Nothing.
    Empty,
}

impl Cell {
    /// What this service writes of a value, or nothing.
    pub(crate) fn own(value: Option<impl ToString>) -> Self {
        value.map_or(Self::Empty, |value| Self::Own(value.to_string()))
    }
}

/// A table whose first line names its columns.
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
        // Spreadsheets run what begins so, and show no apostrophe that stands before it.
        Cell::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) => {
            quoted(&format!("'{text}"))
        }
        Cell::Text(text) => quoted(&text),
    }
}

/// A cell with quotes around it where it needs them.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
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
            "a number stays one"
        );
    }

    #[test]
    fn lines_end_with_crlf_as_rfc_4180_says() {
        let rows = [[Cell::Empty, Cell::own(Some(1))]];
        assert_eq!(csv(["a", "b"], rows.into_iter()), "a,b\r\n,1\r\n");
    }
}
