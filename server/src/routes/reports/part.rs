//! `/reports/{id}/parts/{part}/…`: the HTML report of a part of a record.

use super::serving::Serving;
use crate::http::error::ApiError;
use domain::PartName;

/// Returns the address of the version that a path names, if it begins with `parts/`, and the record has this part with an HTML
/// report. `None`: the path is in the record's own HTML report, which may have a folder of this name.
pub(super) async fn address(
    serving: &Serving,
    id: &str,
    path: &str,
) -> Result<Option<String>, ApiError> {
    let Some((name, rest)) = part_of(path) else {
        return Ok(None);
    };
    let Ok(number) = id.parse() else {
        return Ok(None);
    };
    let stored = serving
        .store
        .everything()
        .part_report(number, &name)
        .await?;
    Ok(stored.map(|stored| {
        let page = match rest {
            "" => stored.start_page.unwrap_or_default(),
            rest => rest.to_owned(),
        };
        serving.versioned_address(number, serving.version(&stored.key), &page)
    }))
}

/// The part that a path names, and the rest of the path.
fn part_of(path: &str) -> Option<(PartName, &str)> {
    let path = path.strip_prefix("parts/")?;
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    Some((PartName::of_segment(name).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_part_and_a_page_of_it() {
        let part = |path| part_of(path).map(|(name, rest)| (name.segment().to_owned(), rest));
        let of = |name: &str, rest| Some((name.to_owned(), rest));
        assert_eq!(part("parts/e2e/"), of("e2e", ""));
        assert_eq!(part("parts/e2e"), of("e2e", ""));
        assert_eq!(part("parts/-/src/a.html"), of("-", "src/a.html"));
        assert_eq!(part("parts/A/x"), None);
        assert_eq!(part("parts/"), None);
        assert_eq!(part("src/parts/e2e/"), None);
    }
}
