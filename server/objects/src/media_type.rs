//! Determines the media type of an entry by its file extension.

/// Returns the `Content-Type` of a path, with a charset if browsers would otherwise guess it.
///
/// HTML and XML get no charset: these files state their own, and not every tool writes UTF-8.
pub fn media_type(path: &str) -> String {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    match (guess.type_().as_str(), guess.subtype().as_str()) {
        ("text", "html" | "xml") => guess.essence_str().to_owned(),
        ("text", _) | ("application", "json" | "javascript") => {
            format!("{}; charset=utf-8", guess.essence_str())
        }
        _ => guess.essence_str().to_owned(),
    }
}

/// Returns whether a file is already compressed, so that deflating it would waste time.
pub fn is_compressed(path: &str) -> bool {
    let (_, extension) = path.rsplit_once('.').unwrap_or_default();
    [
        "png", "gif", "jpg", "jpeg", "webp", "woff", "woff2", "gz", "tgz", "svgz", "zip", "jar",
        "bz2", "xz", "zst", "br",
    ]
    .iter()
    .any(|compressed| extension.eq_ignore_ascii_case(compressed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_files_have_the_right_media_types() {
        for (path, expected) in [
            ("a/index.html", "text/html"),
            ("cobertura.xml", "text/xml"),
            ("style.css", "text/css; charset=utf-8"),
            ("sorter.js", "text/javascript; charset=utf-8"),
            ("coverage.json", "application/json; charset=utf-8"),
            ("favicon_32.png", "image/png"),
            ("bar.svg", "image/svg+xml"),
            ("font.woff2", "font/woff2"),
            ("status.dat", "application/octet-stream"),
            ("Makefile", "application/octet-stream"),
        ] {
            assert_eq!(media_type(path), expected, "{path}");
        }
    }
}
