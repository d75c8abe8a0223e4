//! The files of a record: one folder at a time or all in one list. The address holds the search and the order.

mod table;

use super::map::map;
use crate::{
    components::{
        card::{aside, target},
        crumbs::{Crumb, Crumbs},
        form::{choice, choices, hidden},
        measures::files_in_words,
        pager::pager,
    },
    links,
    numbers::grouped,
};
use domain::{
    FileListing, FileSort, FileView, Files, FilesQuery, RecordDetail, RecordQuery, ViewName, plural,
};
use leptos::prelude::*;

pub(super) fn files(query: &RecordQuery, detail: &RecordDetail) -> AnyView {
    let (count, body) = match &detail.files {
        Files::NotKept => (
            None,
            note(if detail.record.has_report {
                "This record was uploaded before the service stored files. Upload its commit again to see them, or open the HTML report."
            } else {
                "Only the totals of this record are stored: it was imported, or uploaded before the service stored files. Upload its commit to see its files."
            }),
        ),
        Files::NotListed => (
            None,
            note("The coverage file lists no files, so only the totals are known."),
        ),
        Files::Listed(listing) => {
            let count = files_in_words(u64::from(listing.file_count));
            // The query of the listing names the page that is shown. It differs from a requested page that is past the last page.
            let query = RecordQuery {
                files: listing.query.clone(),
                ..query.clone()
            };
            (Some(count), listed(&query, listing).into_any())
        }
    };
    target("files", "Files", count.map(aside), body)
}

/// The address of the page with another choice of files, on the first page.
pub(super) fn link(query: &RecordQuery, choose: impl FnOnce(&mut FilesQuery)) -> String {
    let mut files = FilesQuery {
        page: 1,
        ..query.files.clone()
    };
    choose(&mut files);
    links::record_files(query, files)
}

fn note(sentence: &'static str) -> AnyView {
    view! { <p class="note muted">{sentence}</p> }.into_any()
}

fn listed(query: &RecordQuery, listing: &FileListing) -> impl IntoView + use<> {
    let nothing = listing.rows.is_empty().then(|| nothing(query));
    let to = |page: u32| link(query, |files| files.page = page);
    let something = (!listing.rows.is_empty()).then(|| {
        let root = (!listing.root.is_empty()).then(|| {
            view! { <p class="note muted small">"All paths are relative to "<bdi class="mono">{listing.root.clone()}</bdi>", where the tests ran."</p> }
        });
        view! {
            {map(query, listing)}
            {table::table(query, listing)}
            {pager("pager note", "Pages of files", (listing.query.page, listing.pages), to)}
            {root}
        }
    });
    view! {
        {controls(query, listing.pages == 1)}
        {place(query, listing)}
        {nothing}
        {something}
    }
}

fn controls(query: &RecordQuery, is_whole: bool) -> impl IntoView + use<> {
    let files = &query.files;
    let order = |sort: FileSort, name: &'static str| {
        let href = link(query, |files| files.sort = sort);
        choice(href, sort == files.sort, name)
    };
    // The headings sort a table with all its rows.
    let orders = (!is_whole).then(|| {
        choices(
            "Order of files",
            [
                order(FileSort::Uncovered, "Most missed"),
                order(FileSort::Coverage, "Lowest coverage"),
                order(FileSort::Lines, "Largest"),
                order(FileSort::Name, "Name"),
            ],
        )
    });
    let view_as = |view: FileView, name: &'static str| {
        let is_shown = view == files.view && (files.keyword.is_empty() || view == FileView::Flat);
        choice(link(query, |files| files.view = view), is_shown, name)
    };
    view! {
        <form class="controls note" method="get" action=format!("{}#files", links::record(query.id))>
            {hidden(query.parameters(), &["file", "p"])}
            <input type="search" name="file" value=files.keyword.clone() placeholder="Search files" aria-label="Search files" autocomplete="off" maxlength="4096" data-submit/>
            <button class="btn unscripted" type="submit">"Search"</button>
            <span class="grow"></span>
            {orders}
            {choices("Show files as", [view_as(FileView::Folders, "Folders"), view_as(FileView::Flat, "List")])}
        </form>
    }
}

/// The shown folder with links to its parents, and its sums.
fn place(query: &RecordQuery, listing: &FileListing) -> impl IntoView + use<> {
    let folder = &query.files.folder;
    let open = |folder: &str| link(query, |files| files.folder = folder.to_owned());
    let ends = folder.match_indices('/').map(|(end, _)| end);
    let ends: Vec<_> = ends.filter(|end| *end > 0).chain([folder.len()]).collect();
    let mut start = 0;
    let folders = ends.iter().filter(|_| !folder.is_empty()).map(|&end| {
        let name = folder[start..end].to_owned();
        start = end + 1;
        Crumb::named(name, open(&folder[..end])).current_if(end == folder.len())
    });
    let all = std::iter::once(Crumb::fixed("All files", open("")));
    let steps: Vec<_> = all.chain(folders).collect();
    let sum = listing.folder.percentage().map(|percentage| {
        let lines = listing.folder.lines;
        format!(
            "{percentage} %, {} of {} {} missed",
            grouped(lines.uncovered()),
            grouped(lines.total),
            plural(&listing.counter)
        )
    });
    let view: Option<ViewName> = format!("folder:{folder}").parse().ok();
    let alone = view
        .filter(|view| query.view.as_ref() != Some(view))
        .map(|view| {
            let href = links::record_view(query.id, Some(&view));
            view! { <a class="link small" href=href>"Count only this folder"</a> }
        });
    let matching = (!query.files.keyword.is_empty())
        .then(|| format!("{} found", files_in_words(u64::from(listing.matching))));
    view! {
        <div class="note place">
            <Crumbs steps label="Folder"/>
            <span class="muted small">{sum}</span>
            {alone}
            <span class="muted small" role="status">{matching}</span>
        </div>
    }
}

fn nothing(query: &RecordQuery) -> impl IntoView + use<> {
    let files = &query.files;
    let sentence = match (files.keyword.as_str(), files.folder.as_str()) {
        ("", "") => view! { "The coverage file lists no files." }.into_any(),
        ("", folder) => view! { "This record has no folder “" <bdi>{folder.to_owned()}</bdi> "”." }.into_any(),
        (keyword, "") => view! { "No file has “" <bdi>{keyword.to_owned()}</bdi> "” in its path." }.into_any(),
        (keyword, folder) => view! { "No file below “" <bdi>{folder.to_owned()}</bdi> "” has “" <bdi>{keyword.to_owned()}</bdi> "” in its path." }.into_any(),
    };
    let all = links::record_files(query, FilesQuery::default());
    view! {
        <div class="message">
            <p>{sentence}</p>
            <p><a class="btn" href=all>"Show all files"</a></p>
        </div>
    }
}
