//! The image of a link preview, with the names, the coverage, its change and the trend.
//!
//! Chats show it at 1200 by 630 pixels (<https://ogp.me>). Most of them take no SVG, so the SVG is converted to PNG.

use app::{
    charts::{LineChart, shortened},
    escaped,
};
use domain::{Change, Level, Percentage, Repository, Scale};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb::Database},
};
use std::{
    fmt::Write,
    sync::{Arc, LazyLock},
};
use thiserror::Error;

/// The size of the image, in pixels.
pub(crate) const WIDTH: u32 = 1_200;
pub(crate) const HEIGHT: u32 = 630;

/// The most characters of a name on its line.
const LONGEST_ORG: usize = 60;
const LONGEST_REPO: usize = 18;

/// The most characters of a repository in smaller letters, in which a long name fits.
const LONGEST_SMALL: usize = 34;
const LONGEST_DETAIL: usize = 64;

/// The most characters of the detail and of the change if they share a line.
const LONGEST_BESIDE: usize = 36;
const LONGEST_CHANGE: usize = 30;

/// The texts and the trend of an image.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    /// `None` if the address names no repository.
    pub(crate) repository: Option<Repository>,
    /// What is measured, such as `main · python`.
    pub(crate) detail: String,
    /// `None` if it is unknown.
    pub(crate) coverage: Option<Percentage>,
    /// The change, and what it is measured against.
    pub(crate) change: Option<(Change, String)>,
    pub(crate) trend: Option<LineChart>,
}

impl Preview {
    pub(crate) fn svg(&self, scale: Scale) -> String {
        let (org, repo) = match &self.repository {
            Some(Repository { org, repo }) => (org.to_string(), repo.to_string()),
            None => (String::new(), "Coverage".to_owned()),
        };
        let ink = color(self.coverage, scale);
        let coverage = self
            .coverage
            .map_or("unknown".to_owned(), |coverage| format!("{coverage} %"));
        let change = self
            .change
            .as_ref()
            .map(|(change, base)| format!("{change} against {base}"));
        let longest = if change.is_some() {
            LONGEST_BESIDE
        } else {
            LONGEST_DETAIL
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\">\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\
             <rect width=\"16\" height=\"{HEIGHT}\" fill=\"{ink}\"/>"
        );
        let change = cut(&change.unwrap_or_default(), LONGEST_CHANGE);
        let (repo_size, longest_repo) = match repo.chars().count() > LONGEST_REPO {
            true => (36, LONGEST_SMALL),
            false => (64, LONGEST_REPO),
        };
        for (x, y, size, weight, fill, anchor, text) in [
            (64, 72, 32, 400, GREY, "start", cut(&org, LONGEST_ORG)),
            (
                62,
                158,
                repo_size,
                700,
                BLACK,
                "start",
                cut(&repo, longest_repo),
            ),
            (1_136, 158, 104, 700, ink, "end", coverage),
            (64, 222, 30, 400, GREY, "start", cut(&self.detail, longest)),
            (1_136, 222, 30, 400, GREY, "end", change),
        ] {
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{fill}\" text-anchor=\"{anchor}\">{}</text>",
                escaped(&text)
            );
        }
        if let Some(trend) = &self.trend {
            svg.push_str(&trend.inset((64, 262), (1_088, 340)));
        }
        svg.push_str("</svg>");
        svg
    }
}

const BLACK: &str = "#141a21";
const GREY: &str = "#4b5664";

/// The colours of the levels on pages, in the light theme.
fn color(coverage: Option<Percentage>, scale: Scale) -> &'static str {
    match coverage.map(|coverage| scale.level(coverage)) {
        None => "#868f9b",
        Some(Level::Low) => "#8c1c3c",
        Some(Level::Mid) => "#946200",
        Some(Level::High) => "#0b7a75",
    }
}

/// Returns a text without control characters, shortened to a number of characters.
fn cut(text: &str, longest: usize) -> String {
    let shown: String = text.chars().filter(|char| !char.is_control()).collect();
    shortened(&shown, longest)
}

/// Every error is a fault of this service.
#[derive(Debug, Error)]
pub(crate) enum RasterError {
    #[error("the image is not valid SVG")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the image has no size")]
    Size,
    #[error("the image cannot be encoded: {0}")]
    Png(String),
}

/// Noto Sans is part of the binary, since a server may have no fonts.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(ttf_noto_sans::REGULAR.to_vec());
    fonts.load_font_data(ttf_noto_sans::BOLD.to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// Converts an SVG of this service to PNG, in its own size. This takes about 30 ms, so it belongs on a blocking thread.
pub(crate) fn png(svg: &str) -> Result<Vec<u8>, RasterError> {
    let options = Options {
        fontdb: FONTS.clone(),
        font_family: "Noto Sans".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(RasterError::Size)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| RasterError::Png(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale() -> Scale {
        Scale::of_target(Percentage::from_basis_points(8_000))
    }

    fn painted(preview: &Preview) -> (u32, u32, Vec<u8>) {
        let png = png(&preview.svg(scale())).expect("an image");
        let mut reader = resvg::tiny_skia::Pixmap::decode_png(&png).expect("a PNG");
        let pixels = reader.data_mut().to_vec();
        (reader.width(), reader.height(), pixels)
    }

    #[test]
    fn an_image_shows_names_and_coverage_as_text() {
        let preview = Preview {
            repository: Some("acme/tools/payments".parse().expect("a repository")),
            detail: "main · python".to_owned(),
            coverage: Some(Percentage::from_basis_points(8_414)),
            ..Preview::default()
        };
        let svg = preview.svg(scale());
        for text in [
            "acme/tools",
            "payments",
            "84.14 %",
            "main · python",
            "#0b7a75",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let (width, height, pixels) = painted(&preview);
        assert_eq!((width, height), (WIDTH, HEIGHT));
        let nothing = painted(&Preview::default());
        assert_ne!(pixels, nothing.2, "the fonts are found");
        let ink = [0x0b, 0x7a, 0x75, 0xff];
        let inked = pixels.chunks(4).filter(|pixel| *pixel == ink).count();
        let bar = 16 * HEIGHT as usize;
        assert!(inked > bar + 5_000, "the number is painted: {inked}");
    }

    #[test]
    fn hostile_names_stay_text_within_their_line() {
        let preview = Preview {
            detail: format!(
                "\u{1}</text><image href='file:///etc/passwd'/>&{}",
                "ü".repeat(500)
            ),
            ..Preview::default()
        };
        let svg = preview.svg(scale());
        assert!(
            !svg.contains("<image") && svg.contains("&lt;image"),
            "{svg}"
        );
        assert!(svg.len() < 3_000, "{}", svg.len());
        painted(&preview);
        let other = Preview {
            detail: "فرع · 日本語 · 🙂".to_owned(),
            ..Preview::default()
        };
        painted(&other);
    }
}
