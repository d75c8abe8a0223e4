//! A small HTML tokenizer: finds the tags of a document as a browser does, to see whether a name became markup.

use std::collections::BTreeSet;

/// HTML elements in which only their own end tag is a tag.
const TEXT_ONLY: [&str; 5] = ["script", "style", "title", "textarea", "iframe"];

/// A start tag.
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// The text after it, up to the next tag.
    pub text: String,
    pub is_in_svg: bool,
}

impl Tag {
    /// Its name and the names of its attributes.
    pub fn shape(&self) -> String {
        let names: BTreeSet<_> = self.attributes.iter().map(|(name, _)| &**name).collect();
        let names: Vec<_> = names.into_iter().collect();
        format!("<{} {}>", self.name, names.join(" "))
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The tags of an HTML or SVG document. In SVG all elements may have children.
pub fn tags(document: &str, is_html: bool) -> Vec<Tag> {
    let (mut tags, mut rest, mut depth_of_svg) = (Vec::<Tag>::new(), document, 0);
    while let Some(at) = rest.find('<') {
        let (text, begun) = rest.split_at(at);
        add_text(&mut tags, text);
        let behind = &begun[1..];
        if let Some(comment) = behind.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if behind.starts_with(['!', '?']) {
            rest = behind.split_once('>').map_or("", |(_, rest)| rest);
        } else if let Some(end) = behind.strip_prefix('/') {
            let (name, after) = end.split_once('>').unwrap_or((end, ""));
            depth_of_svg -= i32::from(name == "svg");
            rest = after;
        } else if behind.starts_with(|char: char| char.is_ascii_alphabetic()) {
            let (tag, after) = tag(behind, is_html && depth_of_svg > 0);
            let is_text_only = is_html && !tag.is_in_svg && TEXT_ONLY.contains(&&*tag.name);
            depth_of_svg += i32::from(tag.name == "svg");
            rest = after;
            let end = format!("</{}", tag.name);
            tags.push(tag);
            if is_text_only {
                let end = rest.to_ascii_lowercase().find(&end).unwrap_or(rest.len());
                add_text(&mut tags, &rest[..end]);
                rest = &rest[end..];
            }
        } else {
            add_text(&mut tags, "<");
            rest = behind;
        }
    }
    add_text(&mut tags, rest);
    tags
}

fn add_text(tags: &mut [Tag], text: &str) {
    if let Some(tag) = tags.last_mut() {
        tag.text.push_str(&decoded(text));
    }
}

/// A tag, starting at its name, and the text after its `>`.
fn tag(text: &str, is_in_svg: bool) -> (Tag, &str) {
    let is_space = |char: char| char.is_ascii_whitespace();
    let ends_name = |char: char| is_space(char) || char == '/' || char == '>';
    let (name, mut rest) = text.split_at(text.find(ends_name).unwrap_or(text.len()));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|char: char| is_space(char) || char == '/');
        if rest.is_empty() || rest.starts_with('>') {
            break;
        }
        // A `=` at the start is part of the name.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(|char| ends_name(char) || char == '=');
        let (name, behind) = rest.split_at(end.map_or(rest.len(), |end| first + end));
        let value = behind.trim_start_matches(is_space).strip_prefix('=');
        let value = value.map(|value| value.trim_start_matches(is_space));
        let (value, behind) = match value {
            None => ("", behind),
            Some(value) => match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((value, "")),
                _ => value.split_at(
                    value
                        .find(|char| is_space(char) || char == '>')
                        .unwrap_or(value.len()),
                ),
            },
        };
        attributes.push((name.to_ascii_lowercase(), decoded(value)));
        rest = behind;
    }
    let tag = Tag {
        name: name.to_ascii_lowercase(),
        attributes,
        text: String::new(),
        is_in_svg,
    };
    (tag, rest.strip_prefix('>').unwrap_or(rest))
}

/// Decodes the character references that this service writes.
fn decoded(text: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ]
    .into_iter()
    .fold(text.to_owned(), |text, (reference, char)| {
        text.replace(reference, char)
    })
}

#[test]
fn planted_markup_is_found() {
    let shapes = |html: &str| {
        let tags = tags(html, true);
        tags.iter().map(Tag::shape).collect::<Vec<_>>()
    };
    let page = |name: &str| format!("<title>{name}</title><p title=\"{name}\">{name}</p>");
    assert_eq!(shapes(&page("a&lt;b&quot;")), ["<title >", "<p title>"]);
    assert_eq!(
        shapes(&page("</title><b id=x>")),
        ["<title >", "<b id>", "<p title>", "<b id>"]
    );
    assert_eq!(
        shapes(&page("\"><img src=x onerror=alert(1)>")),
        [
            "<title >",
            "<p title>",
            "<img onerror src>",
            "<img onerror src>"
        ]
    );
    let svg = "<svg><title>a<b></title><a href='x' y/></svg><title><b></title>";
    assert_eq!(
        shapes(svg),
        ["<svg >", "<title >", "<b >", "<a href y>", "<title >"]
    );
    let tag = &tags("<a href=\"?a&amp;lt;\">&lt;b&gt; <!-- <i> -->c", true)[0];
    assert_eq!(tag.attribute("href"), Some("?a&lt;"));
    assert_eq!(tag.text, "<b> c");
}
