//! Linked images in the markup languages of READMEs.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// The alternative text; it has no characters with a meaning in any markup language.
    pub(super) text: String,
    pub(super) source: String,
    pub(super) target: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    Markdown,
    Html,
    ReStructuredText,
    AsciiDoc,
}

impl Markup {
    pub(super) const ALL: [Self; 4] = [
        Self::Markdown,
        Self::Html,
        Self::ReStructuredText,
        Self::AsciiDoc,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::ReStructuredText => "reStructuredText",
            Self::AsciiDoc => "AsciiDoc",
        }
    }

    pub(super) fn images(self, images: &[Image]) -> String {
        let images: Vec<_> = images.iter().map(|image| self.image(image)).collect();
        match self {
            Self::ReStructuredText => images.join("\n\n"),
            _ => images.join("\n"),
        }
    }

    fn image(self, image: &Image) -> String {
        let Image {
            text,
            source,
            target,
        } = image;
        match self {
            Self::Markdown => format!("[![{text}]({source})]({target})"),
            Self::Html => {
                let (source, target) = (source.replace('&', "&amp;"), target.replace('&', "&amp;"));
                format!("<a href=\"{target}\"><img src=\"{source}\" alt=\"{text}\"></a>")
            }
            Self::ReStructuredText => {
                format!(".. image:: {source}\n   :target: {target}\n   :alt: {text}")
            }
            Self::AsciiDoc => format!("image:{source}[\"{text}\",link=\"{target}\"]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_markup_has_the_picture_its_text_and_its_link() {
        let image = Image {
            text: "c++".to_owned(),
            source: "https://x.example/b?o=a&r=b".to_owned(),
            target: "https://x.example/p".to_owned(),
        };
        let written = Markup::ALL.map(|markup| markup.images(std::slice::from_ref(&image)));
        assert_eq!(
            written,
            [
                "[![c++](https://x.example/b?o=a&r=b)](https://x.example/p)",
                "<a href=\"https://x.example/p\"><img src=\"https://x.example/b?o=a&amp;r=b\" alt=\"c++\"></a>",
                ".. image:: https://x.example/b?o=a&r=b\n   :target: https://x.example/p\n   :alt: c++",
                "image:https://x.example/b?o=a&r=b[\"c++\",link=\"https://x.example/p\"]",
            ]
        );
    }

    #[test]
    fn several_pictures_follow_each_other() {
        let image = |text: &str| Image {
            text: text.to_owned(),
            source: "s".to_owned(),
            target: "t".to_owned(),
        };
        let written = Markup::Markdown.images(&[image("a"), image("b")]);
        assert_eq!(written, "[![a](s)](t)\n[![b](s)](t)");
    }
}
