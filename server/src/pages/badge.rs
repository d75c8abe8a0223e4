//! The text and colour of a badge, and its SVG in the style of shields.io.

use domain::{Level, Percentage, Scale};
use serde::Serialize;
use shields::{BadgeStyle, builder::Badge as Drawing};
use utoipa::ToSchema;

/// The most characters of a label; a longer one is cut.
const LABEL: usize = 60;

/// The colours of the levels of coverage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Palette {
    /// Red to green, as on shields.io.
    #[default]
    Shields,
    /// Distinguishable with red-green colour blindness (Okabe and Ito, 2008).
    ColorBlind,
}

/// <https://shields.io/badges/endpoint-badge>
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ShieldsEndpoint)]
pub(crate) struct Badge {
    /// Always 1.
    #[schema(examples(1))]
    schema_version: u8,
    /// The left half.
    #[schema(examples("coverage"))]
    label: String,
    /// The right half.
    #[schema(examples("84.14%", "unknown"))]
    message: String,
    /// The colour of the right half.
    #[schema(examples("#97ca00"))]
    color: &'static str,
    /// Whether the coverage is unknown.
    is_error: bool,
    /// The lowest value that shields.io accepts.
    #[schema(examples(300))]
    cache_seconds: u16,
}

impl Badge {
    pub(crate) fn new(
        label: &str,
        coverage: Option<Percentage>,
        scale: Scale,
        palette: Palette,
        decimals: u8,
    ) -> Self {
        let message = coverage.map(|coverage| format!("{}%", coverage.with_decimals(decimals)));
        Self {
            schema_version: 1,
            label: shown(label),
            message: message.unwrap_or_else(|| "unknown".to_owned()),
            color: color(coverage, scale, palette),
            is_error: coverage.is_none(),
            cache_seconds: 300,
        }
    }

    /// Returns the right half without its sign.
    pub(crate) fn text(&self) -> String {
        self.message.trim_end_matches('%').to_owned()
    }

    /// Returns the badge as SVG. An unknown style becomes `flat`.
    pub(crate) fn svg(&self, style: Option<&str>) -> String {
        let style = match style {
            Some("flat-square") => BadgeStyle::FlatSquare,
            Some("plastic") => BadgeStyle::Plastic,
            Some("for-the-badge") => BadgeStyle::ForTheBadge,
            _ => BadgeStyle::Flat,
        };
        Drawing::style(style)
            .label(&self.label)
            .message(&self.message)
            .message_color(self.color)
            .build()
    }
}

/// Returns a label without the characters that XML does not allow (XML 1.0, section 2.2), cut to `LABEL`.
fn shown(label: &str) -> String {
    let is_shown = |char: &char| !char.is_control() && !matches!(char, '\u{fffe}' | '\u{ffff}');
    label.chars().filter(is_shown).take(LABEL).collect()
}

fn color(coverage: Option<Percentage>, scale: Scale, palette: Palette) -> &'static str {
    let Some(coverage) = coverage else {
        return "#9f9f9f";
    };
    let [none, low, mid, high, full] = match palette {
        Palette::Shields => ["#e05d44", "#dfb317", "#a4a61d", "#97ca00", "#4c1"],
        Palette::ColorBlind => ["#d55e00", "#e69f00", "#56b4e9", "#0072b2", "#0072b2"],
    };
    match (coverage.basis_points(), scale.level(coverage)) {
        (0, _) => none,
        (Percentage::FULL, _) => full,
        (_, Level::Low) => low,
        (_, Level::Mid) => mid,
        (_, Level::High) => high,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale() -> Scale {
        let [mid, high] = [8_000, 9_000].map(Percentage::from_basis_points);
        Scale::new(mid, high).expect("a scale")
    }

    fn badge(basis_points: Option<u16>, palette: Palette) -> Badge {
        let coverage = basis_points.map(Percentage::from_basis_points);
        Badge::new("coverage", coverage, scale(), palette, 2)
    }

    #[test]
    fn a_badge_changes_its_colour_at_the_thresholds() {
        let colors = |palette| {
            let points = [0, 1, 7_999, 8_000, 8_999, 9_000, 9_999, 10_000];
            points.map(|points| badge(Some(points), palette).color)
        };
        assert_eq!(
            colors(Palette::Shields),
            [
                "#e05d44", "#dfb317", "#dfb317", "#a4a61d", "#a4a61d", "#97ca00", "#97ca00", "#4c1"
            ]
        );
        assert!(!colors(Palette::ColorBlind).contains(&"#97ca00"));
        assert_eq!(badge(None, Palette::Shields).color, "#9f9f9f");
    }

    #[test]
    fn a_badge_has_an_accessible_name() {
        let svg = badge(Some(8_414), Palette::Shields).svg(None);
        assert!(svg.contains("role=\"img\""), "{svg}");
        assert!(svg.contains("<title>coverage: 84.14%</title>"), "{svg}");
        assert!(svg.contains("textLength="), "text is fitted: {svg}");
    }

    #[test]
    fn a_badge_has_the_requested_style_or_flat() {
        let badge = badge(Some(8_333), Palette::Shields);
        let flat = badge.svg(None);
        assert_eq!(badge.svg(Some("no-such")), flat);
        let others =
            ["flat-square", "plastic", "for-the-badge"].map(|style| badge.svg(Some(style)));
        assert!(others.iter().all(|other| *other != flat));
        assert!(
            !others[0].contains("rx=\"3\"") && flat.contains("rx=\"3\""),
            "{flat}"
        );
        assert!(others[2].contains("COVERAGE"), "{}", others[2]);
    }

    #[test]
    fn a_hostile_or_long_label_stays_text() {
        let long = format!("\u{1}\u{fffe}<script>\"&'{}", "ü".repeat(1_000));
        let svg = Badge::new(&long, None, scale(), Palette::Shields, 2).svg(None);
        assert!(
            svg.contains("&lt;script&gt;") && !svg.contains("<script"),
            "{svg}"
        );
        assert!(svg.len() < 5_000 && !svg.contains(['\u{1}', '\u{fffe}']));
    }
}
