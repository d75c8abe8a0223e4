//! Tests that pages of files equal pages of all sorted rows.

use super::*;

#[test]
fn every_page_of_every_order_equals_sorting_all_rows() {
    // Names that are prefixes of others, and counts shared by many rows.
    let files: BTreeMap<_, _> = (0..700_u64)
        .map(|number| {
            let name = ["a", "a-b", "a.c", "a/x", "ab/y/z"][number as usize % 5];
            let path = match number % 3 {
                0 => format!("{name}{number}"),
                1 => format!("d{number}/{name}"),
                _ => format!("d{number}-e/{name}/deep"),
            };
            let total = number * 7_919 % 7;
            let lines = Count {
                covered: total / 2,
                total,
            };
            let counts = FileCounts {
                lines,
                ..FileCounts::default()
            };
            (path, counts)
        })
        .collect();
    let stored = encoded(&files);
    for (view, keyword) in [
        (FileView::Flat, ""),
        (FileView::Folders, ""),
        (FileView::Flat, "A"),
    ] {
        for &sort in FileSort::ALL {
            let mut rows = Vec::new();
            for page in 1.. {
                let listing = listed(
                    &stored,
                    &FilesQuery {
                        view,
                        sort,
                        page,
                        keyword: keyword.to_owned(),
                        ..FilesQuery::default()
                    },
                );
                assert_eq!(listing.query.page, page);
                rows.extend(listing.rows);
                if page == listing.pages {
                    assert_eq!(rows.len(), listing.matching as usize);
                    break;
                }
            }
            assert!(rows.len() > 300, "{view:?} {keyword}: {}", rows.len());
            let mut sorted = rows.clone();
            sorted.sort_by(|a, b| sort.compare(a, b));
            sorted.dedup();
            assert_eq!(rows, sorted, "{view:?} {keyword} {sort:?}");
        }
    }
}
