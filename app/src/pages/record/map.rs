//! The files of a record as a treemap in two sizes. The screen shows one size. A map is a single element for Tab and for assistive
//! technology. It is a picture; `map.rs` of the crate `frontend` makes it react. The table below it has the same numbers.

use crate::{
    charts::{TREEMAP_SIZES, Tile, Treemap},
    components::{coverage::scale, measures::files_in_words},
    links,
    numbers::{grouped, whole},
};
use domain::{FileListing, FileRow, RecordQuery, plural};
use leptos::prelude::*;

/// The fewest areas that a map shows: the table is easier to read for fewer.
const FEWEST: usize = 8;

/// The treemap; `None` if there are too few files to compare.
pub(super) fn map(query: &RecordQuery, listing: &FileListing) -> Option<impl IntoView + use<>> {
    let rows = listing.largest.rows.iter();
    let rows = rows.filter(|row| row.lines.total > 0);
    let mut tiles: Vec<_> = rows.map(|row| tile(query, listing, row)).collect();
    let others = listing.largest.others;
    if others.lines.total > 0 {
        tiles.push(Tile {
            name: format!("{} others", grouped(u64::from(others.rows))),
            count: others.lines,
            href: None,
            details: vec!["They are in the table below.".to_owned()],
        });
    }
    // If more than half of the area is one tile of other files, the table alone is more useful.
    let is_telling = others.lines.total <= listing.folder.lines.total / 2;
    if tiles.len() < FEWEST || !is_telling {
        return None;
    }
    let scale = scale();
    let (mid, high) = (whole(scale.mid()), whole(scale.high()));
    let treemap = Treemap { tiles, scale };
    let [wide, narrow] = TREEMAP_SIZES.map(|size| treemap.svg(size));
    let lines = plural(&listing.counter);
    let label = format!(
        "Map of the files: a larger area means more {lines}. The table below has the same numbers."
    );
    Some(view! {
        <figure class="chart map" data-testid="map" aria-label="Map of the files">
            <div class="drawing wide-drawing" role="img" aria-label=label.clone() data-help="map-keys" inner_html=wide></div>
            <div class="drawing narrow-drawing" role="img" aria-label=label data-help="map-keys" inner_html=narrow></div>
            <p class="unseen scripted" id="map-keys">
                "Arrow keys, Page Up, Page Down, Home and End move from one to the next; Enter opens one."
            </p>
            <figcaption class="legend">
                {(scale.mid().basis_points() > 0).then(|| view! { <span><i class="swatch low"></i>{format!("under {mid}, hatched")}</span> })}
                {(scale.mid() < scale.high()).then(|| view! { <span><i class="swatch mid"></i>{format!("under {high}, dotted")}</span> })}
                <span><i class="swatch high"></i>{format!("{high} and more, plain")}</span>
                <span class="grow"></span>
                <span class="muted">{format!("A larger area means more {lines}.")}</span>
            </figcaption>
        </figure>
    })
}

/// A tile; a folder links to its content, a file to its page.
fn tile(query: &RecordQuery, listing: &FileListing, row: &FileRow) -> Tile {
    let files = &query.files;
    let href = match row.files {
        Some(_) => super::files::link(query, |files| files.folder = row.path.clone()),
        None => links::source(query.id, &row.path),
    };
    let mut details = vec![format!(
        "{} of {} {} missed",
        grouped(row.lines.uncovered()),
        grouped(row.lines.total),
        plural(&listing.counter)
    )];
    details.extend(row.files.map(|files| files_in_words(u64::from(files))));
    let name = row.name_in(&files.folder);
    Tile {
        name: match row.files {
            Some(_) => format!("{name}/"),
            None if name.is_empty() => "a file without a name".to_owned(),
            None => name.to_owned(),
        },
        count: row.lines,
        href: (!row.path.is_empty()).then_some(href),
        details,
    }
}
