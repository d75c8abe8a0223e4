//! A line chart as a standalone SVG document, to be shown as an image anywhere: it contains its colours, light and dark,
//! and needs no style sheets and no scripts.

use super::{
    LineChart, Size, canvas,
    drawing::{Projection, drawing},
    escaped::escaped,
    points::{landmarks, shape, steps},
    theme::{colors, of_itself},
};
use domain::CHART_LINES;
use std::fmt::Write;

/// Fits the column of a README.
const SIZE: Size = Size {
    width: 760,
    height: 260,
    points: 200,
    top: 56,
};

const SENTENCE: Size = Size { height: 64, ..SIZE };

/// How many times larger an inset is than its text and lines would be on a page.
const INSET_SCALE: u32 = 2;

/// The maximum length of a title, of a line's name, and of the names in a row of the legend, in characters.
const LONGEST_TITLE: usize = 88;
const LONGEST_NAME: usize = 72;
const LEGEND_ROW: usize = 100;

/// The height of a row of the legend.
const ROW: u32 = 18;

/// The marks of the lines, one shape for each line.
const SHAPES: [char; CHART_LINES] = ['●', '■', '◆', '▲', '▼', '✚', '▬', '▮'];

/// The colour of the largest drops.
const DROP: &str = "low";

const STROKES: [&str; 2 + CHART_LINES] = [
    "line", "ink-2", "series-1", "series-2", "series-3", "series-4", "series-5", "series-6",
    "series-7", "series-8",
];

impl LineChart {
    /// Returns the chart as an SVG document; `empty` is the sentence for a chart without points.
    pub fn document(&self, title: &str, empty: &str) -> String {
        let mut description: Vec<_> = self.ends().collect();
        let (low, high) = self.axis();
        description.push(format!("the axis goes from {low} % to {high} %"));
        let rows = legend(self);
        // Further rows of the legend need more room.
        let more = ROW * (rows.len() as u32).saturating_sub(1);
        let size = Size {
            height: SIZE.height + more,
            top: SIZE.top + more,
            ..SIZE
        };
        match self.drawn(size, &rows.concat()) {
            Some(drawn) => head(size, title, &description.join("; ")) + &drawn,
            None => sentence(title, empty),
        }
    }

    /// Returns the chart in its own colours, as an element at a place in another drawing; empty without points.
    pub fn inset(&self, (x, y): (u32, u32), (width, height): (u32, u32)) -> String {
        let size = Size {
            width: width / INSET_SCALE,
            height: height / INSET_SCALE,
            points: SIZE.points,
            top: 12,
        };
        let canvas = canvas((size.width, size.height));
        let drawn = self.drawn(size, "").map(|drawn| {
            format!(
                "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {canvas}>{drawn}"
            )
        });
        drawn.unwrap_or_default()
    }

    /// The drawing without its first tag, with the marks on top; `None` without points.
    fn drawn(&self, size: Size, legend: &str) -> Option<String> {
        let thinned = self.thinned(size.points);
        let drawn = drawing(&thinned, &self.axes(), size, of_itself, |place| {
            legend.to_owned() + &marks(&thinned, place)
        });
        let (_, drawn) = drawn.split_once('>')?;
        Some(drawn.to_owned())
    }
}

fn marks(chart: &LineChart, place: &Projection) -> String {
    let mut marks = String::new();
    for (index, line) in chart.lines.iter().enumerate() {
        let color = of_itself(&format!("series-{}", index + 1));
        for (x, y) in landmarks(chart, line).into_iter().map(place) {
            let shape = shape(index, x, y);
            // Writing to a string cannot fail.
            let _ = write!(marks, "<path d=\"{shape}\" fill=\"{color}\"/>");
        }
    }
    let [drop, joined] = [DROP, "ink-2"].map(|colour| {
        let colour = of_itself(colour);
        format!("font-size=\"12\" font-weight=\"600\" fill=\"{colour}\"")
    });
    marks + &steps(chart, place, [&drop, &joined])
}

/// Returns an SVG document with a sentence only.
pub fn sentence(title: &str, text: &str) -> String {
    let ink = of_itself("ink-2");
    format!(
        "{}<text x=\"16\" y=\"50\" font-size=\"13\" fill=\"{ink}\">{}</text></svg>",
        head(SENTENCE, title, text),
        escaped(&shortened(text, LONGEST_TITLE + LONGEST_NAME))
    )
}

/// Everything before the drawing: the text alternative, the colours of the dark theme, the background and the title.
fn head(size: Size, title: &str, description: &str) -> String {
    let Size { width, height, .. } = size;
    let (surface, line, ink) = (of_itself("surface"), of_itself("line"), of_itself("ink"));
    let (name, description) = (escaped(title), escaped(description));
    format!(
        "<svg width=\"{width}\" height=\"{height}\" {} role=\"img\" aria-labelledby=\"title description\">\
         <title id=\"title\">{name}</title><desc id=\"description\">{description}</desc>\
         <style>{}</style>\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{surface}\"/>\
         <rect x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"7.5\" fill=\"none\" stroke=\"{line}\"/>\
         <text x=\"16\" y=\"25\" font-size=\"14\" font-weight=\"600\" fill=\"{ink}\">{}</text>",
        canvas((width, height)),
        style(),
        width - 1,
        height - 1,
        escaped(&shortened(title, LONGEST_TITLE)),
    )
}

/// The style sheet: the font and the dark theme. The attributes have the colours of the light theme.
fn style() -> String {
    let mut style = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\
                     @media(prefers-color-scheme:dark){"
        .to_owned();
    for token in ["surface", "ink", "ink-2", DROP]
        .iter()
        .chain(&STROKES[2..])
    {
        let (_, color) = colors(token);
        let _ = write!(style, ":is(rect,text,tspan,path,g).{token}{{fill:{color}}}");
    }
    for token in STROKES {
        let (_, color) = colors(token);
        let _ = write!(style, ":is(polyline,line,rect).{token}{{stroke:{color}}}");
    }
    style.push('}');
    style
}

/// The names of the lines, each with its shape, its colour and its current percentage; in as many rows as they need.
fn legend(chart: &LineChart) -> Vec<String> {
    let mut rows: Vec<(usize, String)> = Vec::new();
    let lines = chart.lines.iter().take(CHART_LINES).enumerate();
    // A line without points is hidden; the others keep their colours.
    for (index, line) in lines.filter(|(_, line)| !line.pieces.is_empty()) {
        let color = of_itself(&format!("series-{}", index + 1));
        let last = line.points().last();
        let last = last.map(|point| format!(" {}\u{202f}%", point.percentage));
        let last = last.unwrap_or_default();
        let name = shortened(&line.label, LONGEST_NAME);
        let length = name.chars().count() + last.len() + 4;
        // Isolates names of any text direction.
        let name = escaped(&format!("\u{2068}{name}\u{2069}"));
        let shape = SHAPES[index];
        let entry = format!("fill=\"{color}\">{shape} {name}{last}</tspan>");
        match rows.last_mut() {
            Some((used, row)) if *used + length <= LEGEND_ROW => {
                *used += length;
                *row += &format!("<tspan dx=\"14\" {entry}");
            }
            _ => rows.push((length, format!("<tspan {entry}"))),
        }
    }
    let rows = (0..).zip(rows).map(|(place, (_, row))| {
        let y = 45 + ROW * place;
        format!("<text x=\"16\" y=\"{y}\" font-size=\"12\">{row}</text>")
    });
    rows.collect()
}

/// A text of at most this many characters. A longer one lacks a part before its middle: the end names repository and branch.
pub fn shortened(text: &str, longest: usize) -> String {
    let count = text.chars().count();
    if count <= longest {
        return text.to_owned();
    }
    let (start, end) = (longest / 3, longest - longest / 3 - 1);
    let chars = text.chars();
    let kept = chars.clone().take(start).chain(['…']);
    kept.chain(chars.skip(count - end)).collect()
}
