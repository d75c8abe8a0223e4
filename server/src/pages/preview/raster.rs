//! Converts an SVG of this service to PNG.

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb::Database},
};
use std::sync::{Arc, LazyLock};
use thiserror::Error;

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

/// Converts an image in its own size. This takes about 30 ms, so it belongs on a blocking thread.
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
