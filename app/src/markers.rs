//! The empty comments that leptos writes into pages, so that the browser finds the parts of an island again.

/// How leptos writes a marker.
const MARKER: &str = "<!>";

/// The same comment to the browser, but kept by [`without_markers`].
const KEPT: &str = "<!---->";

/// Elements whose content is text up to their end tag.
const OF_TEXT: [&str; 2] = ["script", "style"];

/// Returns the markup of an island that the browser hydrates, with markers that stay in the page.
pub(crate) fn with_kept_markers(html: &str) -> String {
    replaced(html, KEPT)
}

/// Returns a page without markers, which only islands need.
pub fn without_markers(html: &str) -> String {
    replaced(html, "")
}

/// Replaces each marker. Values of attributes and texts of scripts stay as they are: a text of a client may contain the same
/// characters.
fn replaced(html: &str, by: &str) -> String {
    let mut result = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        result.push_str(text);
        if let Some(after) = tag.strip_prefix(MARKER) {
            result.push_str(by);
            rest = after;
        } else {
            let (whole, after) = tag.split_at(end_of_tag(tag));
            result.push_str(whole);
            rest = after;
        }
    }
    result.push_str(rest);
    result
}

/// The length of a tag; for an element of text, up to its end tag.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    let end = tag.bytes().position(|byte| match (quote, byte) {
        (None, b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (Some(open), close) if open == close => {
            quote = None;
            false
        }
        _ => false,
    });
    let end = end.map_or(tag.len(), |last| last + 1);
    let of_text = OF_TEXT.iter().find(|name| {
        let attributes = tag[1..end].strip_prefix(**name);
        attributes.is_some_and(|rest| rest.starts_with(['>', ' ']))
    });
    let Some(name) = of_text else { return end };
    let text = tag[end..].find(&format!("</{name}"));
    text.map_or(tag.len(), |length| end + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_between_elements_and_texts_are_removed() {
        let page = "<!DOCTYPE html><p>A<!>b<!></p><!><!---->";
        assert_eq!(without_markers(page), "<!DOCTYPE html><p>Ab</p><!---->");
    }

    #[test]
    fn the_same_characters_in_attributes_and_scripts_stay() {
        for kept in [
            "<a title=\"a > <!>\" href='\"<!>'>x</a>",
            "<script type=\"application/json\">{\"a\":\"<!>\"}</script>",
            "<style>a{content:'<!>'}</style>",
            "<a title=\"<!>",
            "<script><!>",
        ] {
            assert_eq!(without_markers(kept), kept);
        }
        assert_eq!(
            without_markers("<scripts><!></scripts>"),
            "<scripts></scripts>"
        );
    }

    #[test]
    fn markers_of_islands_stay_in_the_page() {
        let island = with_kept_markers("<p>A<!><i title=\"<!>\"></i></p>");
        assert_eq!(island, "<p>A<!----><i title=\"<!>\"></i></p>");
        assert_eq!(without_markers(&island), island);
    }
}
