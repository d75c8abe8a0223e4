//! A heat map: a cell for each repository, coloured by its change. The number shows the same without colour.

use super::{on_paper, within};
use crate::{
    components::card::{aside, card, note},
    links,
    numbers::counted,
};
use domain::{Change, Movement, OrgQuery, State};
use leptos::prelude::*;

/// With fewer repositories, the table of changes is overview enough.
const LEAST: usize = 10;

/// The maximum number of cells; the largest changes are kept.
const SHOWN: usize = 600;

/// The shades, their meaning, and the change in basis points at which they begin; from the largest drop to the largest rise.
const SHADES: [(&str, &str, i32); 7] = [
    ("fall-3", "−3 or worse", i32::MIN),
    ("fall-2", "−3 to −1", -299),
    ("fall-1", "−1 to 0", -99),
    ("still", "0.00", 0),
    ("rise-1", "0 to +1", 1),
    ("rise-2", "+1 to +3", 100),
    ("rise-3", "+3 or better", 300),
];

/// The shade of repositories without a change, and its meaning.
const NO_CHANGE: (&str, &str) = ("no-change", "new or retired");

/// A card with the cells: drops first, then rises, then repositories without a change.
pub(super) fn heat_map(movements: &[Movement], query: &OrgQuery) -> Option<AnyView> {
    if movements.len() < LEAST {
        return None;
    }
    let count = |count: usize| counted(count as u64, "repository", "repositories");
    let hidden = movements.len().saturating_sub(SHOWN);
    let mut cells: Vec<_> = movements.iter().collect();
    let size = |row: &Movement| row.change.map_or(0, |change| change.basis_points().abs());
    cells.sort_by_key(|row| std::cmp::Reverse(size(row)));
    cells.truncate(SHOWN);
    cells.sort_by_key(|row| (row.change.is_none(), row.change, row.repository.clone()));
    let is_cut = cells.len() > 2 * on_paper::CELLS;
    let hidden = (hidden > 0).then(|| {
        let hidden = count(hidden);
        note(format!("{hidden} with the smallest changes are not shown."))
    });
    let shades = SHADES
        .into_iter()
        .map(|(class, meaning, _)| (class, meaning));
    let shades = shades.chain([NO_CHANGE]);
    let content = view! {
        <ul class="heat" data-testid="heat">{cells.iter().map(|row| cell(row, query)).collect_view()}</ul>
        {on_paper::more(is_cut, count(cells.len()))}
        {hidden}
        <p class="heat-legend muted small note">
            {shades.map(|(class, meaning)| view! { <span><i class=class></i>{meaning}</span> }).collect_view()}
        </p>
    };
    let about = aside("in percentage points, the largest drop first");
    Some(card("heat", "Change of each repository", about, content))
}

fn cell(row: &Movement, query: &OrgQuery) -> impl IntoView + use<> {
    // Groups may have repositories of the same name, so each cell names the group too.
    let whole = within(query.org.as_ref(), &row.repository.to_string());
    let repo = row.repository.repo.to_string();
    let group = whole.strip_suffix(&repo).unwrap_or_default().to_owned();
    let group = (!group.is_empty()).then(|| view! { <span class="group">{group}</span> });
    let number = match (row.change, row.state) {
        (Some(change), _) => change.to_string(),
        (None, State::New) => "new".to_owned(),
        (None, State::Gone) => "retired".to_owned(),
        (None, _) => "–".to_owned(),
    };
    view! {
        <li>
            <a class=format!("cell {}", shade(row.change)) href=links::repository_in(&row.repository, query)>
                <bdi title=whole.clone()>{group}{repo}</bdi>
                " "
                <b>{number}</b>
            </a>
        </li>
    }
}

fn shade(change: Option<Change>) -> &'static str {
    let shade = change.and_then(|change| {
        let mut shades = SHADES.iter().rev();
        shades.find(|(.., least)| change.basis_points() >= *least)
    });
    shade.map_or(NO_CHANGE.0, |(class, ..)| class)
}
