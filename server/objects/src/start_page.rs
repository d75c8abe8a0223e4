//! Chooses the page that a report opens with.

/// Finds the start page among the paths of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartPage {
    index: Option<String>,
    any: Option<String>,
    pages: usize,
}

impl StartPage {
    /// Considers the path of an entry.
    pub fn see(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let is_page = matches!(name.rsplit_once('.'), Some((_, "html" | "htm" | "xhtml")));
        if !is_page || is_of_macos(path) {
            return;
        }
        self.pages += 1;
        if self.any.is_none() {
            self.any = Some(path.to_owned());
        }
        let rank = |path: &str| (path.matches('/').count(), path.to_owned());
        if matches!(name.as_str(), "index.html" | "index.htm")
            && self
                .index
                .as_deref()
                .is_none_or(|best| rank(path) < rank(best))
        {
            self.index = Some(path.to_owned());
        }
    }

    /// Returns whether the report has any page.
    pub fn has_pages(&self) -> bool {
        self.pages > 0
    }

    /// Returns the shallowest `index.html` (of several, the first in byte order), else the only page. `None` if a reader has to
    /// choose.
    pub fn path(self) -> Option<String> {
        self.index.or(if self.pages == 1 { self.any } else { None })
    }
}

/// Returns whether macOS added this file for the attributes of another file.
fn is_of_macos(path: &str) -> bool {
    path.split('/')
        .any(|segment| segment == "__MACOSX" || segment.starts_with("._"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_page(paths: &[&str]) -> Option<String> {
        let mut start = StartPage::default();
        paths.iter().for_each(|path| start.see(path));
        start.path()
    }

    #[test]
    fn the_shallowest_index_opens_first() {
        assert_eq!(
            start_page(&["a/b/index.html", "a/index.html", "z.html"]).as_deref(),
            Some("a/index.html")
        );
        assert_eq!(
            start_page(&["b/index.html", "a/index.html"]).as_deref(),
            Some("a/index.html")
        );
        assert_eq!(start_page(&["INDEX.HTM"]).as_deref(), Some("INDEX.HTM"));
    }

    #[test]
    fn without_an_index_only_a_single_page_opens() {
        assert_eq!(
            start_page(&["coverage.html", "style.css"]).as_deref(),
            Some("coverage.html")
        );
        assert_eq!(start_page(&["a.html", "b.html"]), None);
        assert_eq!(start_page(&["coverage.xml"]), None);
    }

    #[test]
    fn files_that_macos_adds_are_not_pages() {
        let paths = ["._index.html", "__MACOSX/index.html", "a/b/index.html"];
        assert_eq!(start_page(&paths).as_deref(), Some("a/b/index.html"));
        let paths = ["._coverage.html", "__MACOSX/._x.html", "coverage.html"];
        assert_eq!(start_page(&paths).as_deref(), Some("coverage.html"));
        let mut start = StartPage::default();
        start.see("a/._index.html");
        assert!(!start.has_pages());
    }
}
