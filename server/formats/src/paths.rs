//! Joins paths from the names of folders.

/// The longest path on Linux (`PATH_MAX`). Longer paths are cut. Otherwise nested folders with long names would use memory by the
/// square of their depth.
const MOST: usize = 4096;

/// Returns the path of `name` in `folder`, which may be empty.
pub(crate) fn join(folder: &str, name: &str) -> String {
    let mut path = String::with_capacity((folder.len() + 1 + name.len()).min(MOST));
    path.push_str(folder);
    if !folder.is_empty() {
        path.push('/');
    }
    let room = MOST.saturating_sub(path.len());
    path.push_str(&name[..name.floor_char_boundary(room)]);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_into_its_folder() {
        assert_eq!(join("", "a.c"), "a.c");
        assert_eq!(join("src/b", "a.c"), "src/b/a.c");
    }

    #[test]
    fn the_length_of_paths_is_bounded() {
        let name = "é".repeat(3000);
        let folder = join("", &name);
        assert_eq!(folder.len(), MOST);
        assert!(join(&folder, &name).len() <= MOST + 1);
    }
}
