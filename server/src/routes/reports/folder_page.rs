//! The page of a folder without an index.

use super::{
    address::encoded,
    answer::ASK_AGAIN,
    document::{document, escaped},
};
use axum::{http::header, response::Response};
use objects::Folder;
use std::fmt::Write;

/// The most folders, and the most files, that are listed; more would overload a browser.
pub(super) const MOST_SHOWN: usize = 1_000;

/// Returns the listing of the folder at `path`, which is empty or ends with a `/`.
pub(super) fn answer(folder: &Folder, id: i64, path: &str) -> Response {
    let title = match path {
        "" => "Files of this report".to_owned(),
        path => format!("Files in {path}"),
    };
    let mut response = document(&title, &body(folder, id, path));
    // The listing of a version may change with the next release.
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, ASK_AGAIN);
    response
}

fn body(folder: &Folder, id: i64, path: &str) -> String {
    let mut html = format!(
        "<p><a href=\"/reports/{id}.zip\" aria-label=\"Download the report as a zip file\">Download</a></p>\n\
         <table>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\" class=\"size\">Size</th></tr></thead>\n<tbody>\n"
    );
    if !path.is_empty() {
        html.push_str(
            "<tr><th scope=\"row\"><a href=\"../\">Parent folder</a></th><td></td></tr>\n",
        );
    }
    for name in &folder.folders {
        row(&mut html, &format!("{name}/"), "");
    }
    for (name, size) in &folder.files {
        row(&mut html, name, &readable(*size));
    }
    html.push_str("</tbody>\n</table>\n");
    if folder.is_cut {
        html.push_str(
            "<p>There are more files than this page can list; download the report to see all of them.</p>\n",
        );
    }
    html
}

fn row(html: &mut String, name: &str, size: &str) {
    // `./` keeps a name from being read as another kind of address. Writing to a string cannot fail.
    let (address, name) = (escaped(&encoded(name).to_string()), escaped(name));
    let _ = writeln!(
        html,
        "<tr><th scope=\"row\"><a href=\"./{address}\">{name}</a></th><td class=\"size\">{size}</td></tr>"
    );
}

/// Formats a size with at most one decimal.
fn readable(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    let tenths = bytes / (unit / 10);
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text_with_any_characters() {
        let folder = Folder {
            folders: ["javascript:x".to_owned()].into(),
            files: [("\"><script>&'.html".to_owned(), 1_234)].into(),
            is_cut: true,
        };
        let html = body(&folder, 7, "a/");
        assert!(
            html.contains("href=\"./javascript:x/\">javascript:x/</a>"),
            "{html}"
        );
        assert!(
            html.contains("href=\"./%22%3E%3Cscript%3E&amp;&#39;.html\">&quot;&gt;&lt;script&gt;&amp;&#39;.html</a>"),
            "{html}"
        );
        assert!(
            html.contains("href=\"../\"") && html.contains("more files than this page can list")
        );
        assert!(!body(&Folder::default(), 7, "").contains("Parent"));
    }

    #[test]
    fn sizes_are_short() {
        let sizes = [0, 999, 1_000, 1_234_567, 5_000_000_000].map(readable);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 MB", "5.0 GB"]);
    }
}
