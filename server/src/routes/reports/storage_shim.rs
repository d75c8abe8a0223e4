//! The shim: a script that the service adds before a page of an HTML report, so that the scripts of the page run in the sandbox.
//!
//! A sandboxed page has an opaque origin, where access to `localStorage`, `sessionStorage` or cookies throws;
//! coverage.py's pages use them at their start. The shim keeps the data in memory until the page is closed. It is
//! also used for a framed page on the reports' own origin, where a browser may block third-party storage.

use std::io::{self, Read};

/// Bytes of a page that are searched for its doctype and charset; browsers search as many for the charset.
const START_BYTES: u64 = 1_024;

/// The byte order mark that some tools write before UTF-8 text.
pub(super) const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

pub(super) const SCRIPT: &str = concat!("<script>", include_str!("storage_shim.js"), "</script>");

/// The bytes that are added before a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StorageShim {
    /// A copy of the page's doctype, so that its rendering does not change, then the shim.
    pub(super) bytes: Vec<u8>,
    /// Whether `bytes` begin with the page's byte order mark, which must not occur twice.
    pub(super) replaces_bom: bool,
    /// The charset that the page declares. The header `Content-Type` states it too, because the shim may move the declaration
    /// beyond the bytes that a browser searches.
    pub(super) charset: Option<String>,
}

impl StorageShim {
    /// Returns the shim for a page with this beginning. A page in UTF-16 gets none.
    pub(super) fn of(page: impl Read) -> io::Result<Self> {
        let mut start = Vec::new();
        page.take(START_BYTES).read_to_end(&mut start)?;
        if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
            return Ok(Self::default());
        }
        let replaces_bom = start.starts_with(&BOM);
        let text = String::from_utf8_lossy(&start).to_ascii_lowercase();
        let bom: &[u8] = if replaces_bom { &BOM } else { &[] };
        Ok(Self {
            bytes: [bom, doctype(&start).as_bytes(), SCRIPT.as_bytes()].concat(),
            replaces_bom,
            charset: charset(&text),
        })
    }
}

/// Returns the doctype at the beginning of a page, after white space, comments and processing instructions; empty if
/// there is none.
fn doctype(start: &[u8]) -> &str {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest.get(..4) {
            Some("<!--") => "-->",
            Some(other) if other.starts_with("<?") => ">",
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else {
            return "";
        };
        rest = after.trim_start();
    }
    let is_doctype = rest
        .get(..9)
        .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    match rest.find('>') {
        Some(end) if is_doctype => &rest[..=end],
        _ => "",
    }
}

/// Returns the charset that a page declares in a `meta` element or an XML declaration. Reads as a browser does: comments are
/// skipped, and a declared UTF-16 counts as UTF-8, because in a page that is really in UTF-16 this declaration would not be found
/// (HTML, "Determining the character encoding").
fn charset(text: &str) -> Option<String> {
    let label = elements(text).find_map(|element| {
        let declared = match element {
            element if element.starts_with("<meta") => element.split_once("charset=")?.1,
            element if element.starts_with("<?xml") => element.split_once("encoding=")?.1,
            _ => return None,
        };
        let declared = declared.trim_start_matches(['"', '\'', ' ']);
        declared.split(['"', '\'', ' ', ';', '>', '/', '?']).next()
    })?;
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes())?;
    Some(encoding.output_encoding().name().to_ascii_lowercase())
}

/// Splits the text before each `<`, and returns the pieces that begin with `<`. Comments are left out.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(start) = rest.find('<') {
            rest = &rest[start..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.split_once("-->").map_or("", |(_, after)| after);
                continue;
            }
            let end = rest[1..].find('<').map_or(rest.len(), |end| end + 1);
            let element = &rest[..end];
            rest = &rest[end..];
            return Some(element);
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(page: &[u8]) -> StorageShim {
        StorageShim::of(page).expect("a shim")
    }

    fn before_script(page: &[u8]) -> String {
        let bytes = front(page).bytes;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.split("<script>").next().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_doctype_of_the_page_stays_first() {
        for (page, doctype) in [
            ("<!DOCTYPE html><html>", "<!DOCTYPE html>"),
            ("\n <!-- a > b --> <!doctype html>\n<p>", "<!doctype html>"),
            (
                "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x.dtd\"><html>",
                "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x.dtd\">",
            ),
            ("<html><p>quirks stay quirks", ""),
            ("<!doctype html", ""),
            ("<!-- never ends", ""),
            ("", ""),
        ] {
            assert_eq!(before_script(page.as_bytes()), doctype, "{page}");
        }
        assert_eq!(
            before_script("<!doctype html>\u{e4}".as_bytes()),
            "<!doctype html>"
        );
        assert_eq!(before_script(b"<!doctype html>\xe4"), "<!doctype html>");
    }

    #[test]
    fn the_charset_is_read_as_a_browser_would() {
        for (page, charset) in [
            ("<meta charset=\"UTF-8\">", Some("utf-8")),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-1'>",
                Some("windows-1252"),
            ),
            ("<META CHARSET=gbk>", Some("gbk")),
            (
                "<!-- charset=gbk --><p charset=gbk><meta charset=utf-8>",
                Some("utf-8"),
            ),
            ("<!-- <meta charset=gbk>", None),
            ("<meta charset=nonsense>", None),
            ("<?xml version='1.0' encoding='UTF-8'?>", Some("utf-8")),
            ("<?xml version='1.0' encoding='utf-16'?>", Some("utf-8")),
            ("<p>", None),
            ("<meta charset=\"\">", None),
        ] {
            assert_eq!(front(page.as_bytes()).charset.as_deref(), charset, "{page}");
        }
    }

    #[test]
    fn a_byte_order_mark_stays_first_and_utf_16_is_left_alone() {
        let with_mark = front(b"\xef\xbb\xbf<!doctype html><p>");
        assert!(
            with_mark.replaces_bom
                && with_mark
                    .bytes
                    .starts_with(b"\xef\xbb\xbf<!doctype html><script>")
        );
        assert_eq!(front(b"\xff\xfe<\0"), StorageShim::default());
    }
}
