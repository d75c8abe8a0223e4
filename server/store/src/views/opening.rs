//! The folder with which the page of folders opens.

use super::{files::unless_damaged, sides::Head};
use crate::{Store, StoreError, blocking::blocking};

impl Store {
    /// The folder that contains all files and has several rows: a list of the folders above it has one row.
    pub(super) async fn opening(&self, heads: &[Head]) -> Result<String, StoreError> {
        let mut common = Common::default();
        for head in heads {
            if let Some(files) = self.listed(head.id).await? {
                let id = head.id;
                let read = blocking(move || {
                    let read = files.each(|path, _| common.add(path));
                    (common, unless_damaged(id, read))
                });
                (common, _) = read.await?;
            }
        }
        Ok(common.folder())
    }
}

/// What the folders of all files have in common.
#[derive(Default)]
struct Common {
    folder: Option<String>,
    /// Whether a file is in another folder, which is then below the common one.
    has_folder: bool,
}

impl Common {
    fn add(&mut self, path: &str) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let common = self.folder.get_or_insert_with(|| folder.to_owned());
        if common != folder {
            self.has_folder = true;
            let names = common.split('/').zip(folder.split('/'));
            let same = names.take_while(|(own, other)| own == other);
            let length: usize = same.map(|(name, _)| name.len() + 1).sum();
            common.truncate(length.saturating_sub(1));
        }
    }

    fn folder(self) -> String {
        let folder = self.folder.unwrap_or_default();
        match (self.has_folder, folder.rsplit_once('/')) {
            (true, _) => folder,
            (false, Some((parent, _))) => parent.to_owned(),
            (false, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_folders_opens_where_there_are_several_rows() {
        let opening = |paths: &[&str]| {
            let mut common = Common::default();
            for path in paths {
                common.add(path);
            }
            common.folder()
        };
        assert_eq!(opening(&[]), "");
        assert_eq!(opening(&["a.py"]), "");
        assert_eq!(opening(&["src/a.py", "src/b.py"]), "", "only src");
        assert_eq!(
            opening(&["src/app/a.py", "src/app/b.py"]),
            "src",
            "only app"
        );
        assert_eq!(opening(&["src/app/a.py", "src/app/x/b.py"]), "src/app");
        assert_eq!(opening(&["src/app/x/a.py", "src/app/b.py"]), "src/app");
        assert_eq!(opening(&["src/app/x/a.py", "src/apple/b.py"]), "src");
        assert_eq!(opening(&["src/a.py", "test/b.py"]), "");
        assert_eq!(opening(&["src/a.py", "b.py"]), "");
    }
}
