//! A treemap: large tiles have many lines, and low coverage is visible at once.

mod layout;

use super::{canvas, escaped::escaped};
use domain::{Count, Level, Percentage, Scale};
use layout::{Rect, layout};
use std::fmt::Write;

/// For wide screens, and for phones with a width of 360 pixels.
pub(crate) const TREEMAP_SIZES: [(u32, u32); 2] = [(1120, 380), (340, 300)];

/// The approximate width of an ASCII letter in pixels; other letters have at most twice the width.
const LETTER: u32 = 7;
const LINE: u32 = 16;

/// A name that is cut to fewer letters is left out.
const LEAST_CUT: u32 = 6;
const PADDING: u32 = 6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Treemap {
    /// Its tiles, the largest first, without empty ones.
    pub(crate) tiles: Vec<Tile>,
    pub(crate) scale: Scale,
}

/// A rectangle: its area shows the total, and its colour, hatching and number show the coverage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) name: String,
    pub(crate) count: Count,
    /// Its link; `None` for a tile that combines several files.
    pub(crate) href: Option<String>,
    /// More lines for its tooltip.
    pub(crate) details: Vec<String>,
}

impl Treemap {
    /// Returns an SVG element of this size in pixels; empty if there is nothing to draw.
    pub(crate) fn svg(&self, (width, height): (u32, u32)) -> String {
        let tiles = self.tiles.iter();
        let mut tiles: Vec<_> = tiles.filter(|tile| tile.count.total > 0).collect();
        tiles.sort_by_key(|tile| std::cmp::Reverse(tile.count.total));
        if tiles.is_empty() {
            return String::new();
        }
        let weights: Vec<_> = tiles.iter().map(|tile| tile.count.total).collect();
        let places = layout(&weights, (width, height));
        let mut svg = String::new();
        // Writing to a string cannot fail. Pattern ids include the width, because a page has two drawings.
        let _ = write!(
            svg,
            "<svg class=\"treemap\" {}><defs>\
             <pattern id=\"low-{width}\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
             <rect class=\"hatch\" width=\"2\" height=\"7\"/></pattern>\
             <pattern id=\"mid-{width}\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\">\
             <circle class=\"dot\" cx=\"3\" cy=\"3\" r=\"1\"/></pattern></defs>",
            canvas((width, height))
        );
        for (tile, place) in tiles.into_iter().zip(places) {
            if place.width > 0 && place.height > 0 {
                draw(&mut svg, tile, self.scale, place, width);
            }
        }
        svg.push_str("</svg>");
        svg
    }
}

fn draw(svg: &mut String, tile: &Tile, scale: Scale, place: Rect, drawing: u32) {
    let percentage = tile.count.percentage();
    let level = scale.level(percentage);
    let mut tip = vec![tile.name.clone(), format!("{percentage}\u{202f}%")];
    tip.extend(tile.details.iter().cloned());
    let tip = escaped(&tip.join("\n"));
    let class = level.class();
    // A data attribute: real links would give assistive technology hundreds of links for one chart.
    let href = tile.href.as_deref();
    let href = href.map_or_else(String::new, |href| {
        format!(" data-href=\"{}\"", escaped(href))
    });
    let (x, y, width, height) = (place.x, place.y, place.width, place.height);
    let _ = write!(
        svg,
        "<g class=\"tile {class}\" data-tip=\"{tip}\"{href}>\
         <rect class=\"area\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
    );
    if level != Level::High {
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"url(#{class}-{drawing})\"/>"
        );
    }
    for (line, text) in (0..).zip(lines(&tile.name, percentage, width, height)) {
        let (text_x, text_y) = (x + PADDING, y + PADDING + 11 + LINE * line);
        let class = if line == 0 { "name" } else { "number" };
        let text = escaped(&text);
        let _ = write!(
            svg,
            "<text class=\"{class}\" x=\"{text_x}\" y=\"{text_y}\">{text}</text>"
        );
    }
    svg.push_str("</g>");
}

/// The texts on a tile that fit: its name, then its number.
fn lines(name: &str, percentage: Percentage, width: u32, height: u32) -> Vec<String> {
    let room = width.saturating_sub(PADDING * 2) / LETTER;
    if room < 3 || height < PADDING + LINE {
        return Vec::new();
    }
    let mut lines = Vec::new();
    // A few letters of a longer name say nothing.
    if room >= LEAST_CUT || width_of(name) <= room {
        lines.push(cut(name, room));
    }
    let number = format!("{}\u{202f}%", percentage.basis_points() / 100);
    if number.chars().count() as u32 <= room && height >= PADDING + LINE * 2 {
        lines.push(number);
    }
    lines
}

/// The letters that have room.
fn fitting(letters: impl Iterator<Item = char>, room: u32) -> String {
    let mut taken = 0;
    let fitting = letters.take_while(|letter| {
        taken += letter_width(*letter);
        taken <= room
    });
    fitting.collect()
}

fn letter_width(letter: char) -> u32 {
    if letter.is_ascii() { 1 } else { 2 }
}

fn width_of(text: &str) -> u32 {
    text.chars().map(letter_width).sum()
}

/// Cuts a text to a number of letters. Names beside each other often begin alike, so the end stays too.
fn cut(text: &str, room: u32) -> String {
    if width_of(text) <= room {
        return text.to_owned();
    }
    let room = room.saturating_sub(1);
    let end = fitting(text.chars().rev(), room / 2);
    let start = fitting(text.chars(), room - width_of(&end));
    start
        .chars()
        .chain(['…'])
        .chain(end.chars().rev())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str, covered: u64, total: u64) -> Tile {
        Tile {
            name: name.to_owned(),
            count: Count { covered, total },
            href: Some(format!("/records/7?dir={name}")),
            details: vec![format!("{} missed", total - covered)],
        }
    }

    fn drawn(tiles: Vec<Tile>) -> String {
        let scale = Scale::of_target(Percentage::from_basis_points(8_000));
        Treemap { tiles, scale }.svg(TREEMAP_SIZES[0])
    }

    #[test]
    fn every_tile_states_its_name_and_address_and_is_not_a_link() {
        let svg = drawn(vec![
            tile("src", 62, 100),
            tile("tests", 9, 10),
            tile("none", 0, 0),
        ]);
        assert_eq!(svg.matches(" data-href=\"/records/7?dir=").count(), 2);
        assert!(!svg.contains("<a ") && !svg.contains("tabindex"), "{svg}");
        assert!(
            svg.contains(
                "data-tip=\"src\n62.00\u{202f}%\n38 missed\" data-href=\"/records/7?dir=src\""
            ),
            "{svg}"
        );
        assert!(
            svg.contains(">src</text>") && svg.contains(">62\u{202f}%</text>"),
            "{svg}"
        );
        assert_eq!(drawn(vec![tile("none", 0, 0)]), "");
    }

    #[test]
    fn low_coverage_is_shown_by_more_than_colour() {
        let low = drawn(vec![tile("a", 1, 10)]);
        let mid = drawn(vec![tile("a", 7, 10)]);
        let high = drawn(vec![tile("a", 10, 10)]);
        assert!(low.contains("url(#low-1120)") && mid.contains("url(#mid-1120)"));
        assert!(!high.contains("url(#"), "{high}");
    }

    #[test]
    fn any_name_is_text_and_stays_on_its_tile() {
        let name = "</text><script>alert(1)</script>\"&\u{1}".repeat(20);
        let svg = drawn(vec![tile(&name, 1, 10), tile("b", 1, 1)]);
        assert!(!svg.contains("<script") && !svg.contains('\u{1}'), "{svg}");
        assert_eq!(cut("abcdef", 4), "ab…f");
        assert_eq!(cut("abcd", 4), "abcd");
        assert_eq!(cut("日本語日本語", 6), "日…語");
        assert_eq!(cut("test_invoice_totals.py", 12), "test_i…ls.py");
    }

    #[test]
    fn a_tile_without_room_for_words_has_none() {
        let narrow = lines("invoices.rs", Percentage::from_basis_points(100), 45, 60);
        assert_eq!(narrow, ["1\u{202f}%"]);
        assert!(lines("a", Percentage::from_basis_points(1), 20, 100).is_empty());
        assert_eq!(
            lines("abc", Percentage::from_basis_points(100), 60, 30),
            ["abc"]
        );
        assert_eq!(
            lines("abc", Percentage::from_basis_points(100), 60, 40).len(),
            2
        );
    }

    #[test]
    fn a_tile_for_several_files_has_no_link() {
        let others = Tile {
            href: None,
            ..tile("12 others", 1, 2)
        };
        let svg = drawn(vec![others]);
        assert!(
            svg.contains("data-tip=\"12 others\n") && !svg.contains("href"),
            "{svg}"
        );
    }
}
