//! Tables for people, with columns as wide as their longest text.

use domain::text::printed;
use std::io::{self, Write};

/// Prints titles and rows.
pub(super) fn table<const N: usize>(
    out: &mut impl Write,
    titles: &[String; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.each_ref().map(printed)).collect();
    let all = || std::iter::once(titles).chain(&rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = all().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    });
    for row in all() {
        let cells = row.iter().zip(widths);
        let line: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
