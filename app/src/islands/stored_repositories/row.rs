//! The HTML reports of one repository.

use super::{data::Rows, wording::share};
use crate::{
    components::{measures::size, name::repository_link, time::Age},
    numbers::grouped,
};
use domain::RepositoryStorage;
use leptos::prelude::*;

/// A row; `keys` are the values by which the browser sorts it.
pub(crate) fn stored_row(
    keys: Option<String>,
    each: &RepositoryStorage,
    rows: &Rows,
) -> impl IntoView + use<> {
    let (stored, now) = (each.stored, rows.at);
    view! {
        <tr data-keys=keys>
            <th scope="row">{repository_link(&each.repository, true)}</th>
            <td class="num" data-label="Size">{size(stored.bytes)}</td>
            <td class="num" data-label="Share">{share(stored.share_of(rows.total))}</td>
            <td class="num" data-label="Reports">{grouped(stored.reports)}</td>
            <td class="num" data-label="Oldest"><Age at=each.oldest now/></td>
        </tr>
    }
}
