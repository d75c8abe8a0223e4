//! Tables for people, with columns as wide as their longest text.

use domain::text::printed;
use std::{
    io::{self, Write},
    iter::once,
};

pub(super) fn table<const N: usize>(
    out: &mut impl Write,
    titles: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let rows = rows.iter().map(|row| row.each_ref().map(printed));
    let all: Vec<_> = once(titles.map(str::to_owned)).chain(rows).collect();
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = all.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    });
    for row in &all {
        let cells = row.iter().zip(widths);
        let line: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
