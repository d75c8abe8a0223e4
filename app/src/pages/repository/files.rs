//! The files of the branch's current record: the content of one folder, or all files below it with the worst first. The record's page
//! has the rest.

use super::Page;
use crate::{
    components::{
        card::{aside, card, head},
        change::Change,
        coverage::Coverage,
        crumbs::{Crumb, Crumbs},
        form::{choice, choices},
        measures::files_in_words,
        name::Name,
    },
    links,
    numbers::{counted, grouped},
};
use domain::{
    BranchRow, Change as Points, FileListing, FileRow, FileSort, FileView, Files, FilesQuery,
    Percentage, RecordQuery, plural,
};
use leptos::prelude::*;

/// A card with a row for each file and folder; `None` if the branch has no current record.
pub(super) fn files(page: &Page) -> Option<AnyView> {
    let record = page.shown().next()?;
    let (listing, note) = match page.detail.files.as_ref()? {
        Files::Listed(listing) => (Some(listing), None),
        Files::NotKept => (
            None,
            Some(
                "The files of the current record are not stored: it was imported. Upload its commit to see them.",
            ),
        ),
        Files::NotListed => (
            None,
            Some("The coverage file lists no files, so only the totals are known."),
        ),
    };
    let beside = view! {
        {listing.map(|listing| aside(summary(listing, page.query.folder.is_empty())))}
        <span class="grow"></span>
        {languages(page, record)}
        {listing.map(|_| orders(page))}
    };
    let content = view! {
        {note.map(|note| view! { <p class="note muted">{note}</p> })}
        {listing.map(|listing| listed(page, record.record.record_id, listing))}
    };
    Some(card("files", "Files", beside, content))
}

/// How many files the record has, and what the shown folder counts.
fn summary(listing: &FileListing, is_root: bool) -> String {
    let files = files_in_words(u64::from(listing.file_count));
    let (line, lines) = (&listing.counter, plural(&listing.counter));
    let missed = counted(listing.folder.lines.uncovered(), line, &lines);
    let has_before = listing.rows.iter().any(|row| row.before.is_some());
    let since = match has_before {
        true => "; change since the previous record",
        false => "",
    };
    match listing.folder.percentage() {
        _ if is_root => format!("{files}, {missed} missed{since}"),
        Some(percentage) => {
            format!("{percentage}\u{202f}% of this folder, {missed} missed{since}")
        }
        None => "nothing to cover in this folder".to_owned(),
    }
}

/// Which record is shown, if the branch has several languages.
fn languages(page: &Page, shown: &BranchRow) -> Option<AnyView> {
    let several = page.detail.current.len() > 1 && page.query.language.is_none();
    let links = page.detail.current.iter().map(|row| {
        let language = &row.record.language;
        let href = page.link(|query| query.language = Some(language.clone()));
        let is_shown = row.record.language == shown.record.language;
        choice(href, is_shown, language.to_string())
    });
    several.then(|| choices("Language of the files", links))
}

fn orders(page: &Page) -> AnyView {
    let links = [
        (None, "Tree"),
        (Some(FileSort::Uncovered), "Most missed"),
        (Some(FileSort::Coverage), "Lowest coverage"),
    ];
    let links = links.map(|(order, name)| {
        let href = page.link(|query| query.files = order);
        choice(href, order == page.query.files, name)
    });
    choices("Order of files", links)
}

fn listed(page: &Page, record: i64, listing: &FileListing) -> AnyView {
    let folder = &listing.query.folder;
    if listing.rows.is_empty() {
        let root = page.link(|query| query.folder = String::new());
        return view! {
            <div class="message">
                <p>"This record has no folder “"<bdi>{folder.clone()}</bdi>"”."</p>
                <p><a class="btn" href=root>"Show all files"</a></p>
            </div>
        }
        .into_any();
    }
    let missed = match listing.counter.as_str() {
        "" | "line" => "Missed lines",
        _ => "Missed",
    };
    let columns = [
        ("File", ""),
        ("Coverage", "c-cov"),
        ("Change", "num c-change"),
        (missed, "num c-count"),
    ];
    let rows = listing.rows.iter();
    let rows = rows
        .map(|row| table_row(page, record, listing, row))
        .collect_view();
    let left = listing.matching as usize - listing.rows.len().min(listing.matching as usize);
    let more = (left > 0).then(|| {
        let query = RecordQuery {
            id: record,
            ..RecordQuery::default()
        };
        let files = FilesQuery {
            view: match page.query.files {
                None => FileView::Folders,
                Some(_) => FileView::Flat,
            },
            sort: page.query.files.unwrap_or(FileSort::Name),
            folder: folder.clone(),
            ..FilesQuery::default()
        };
        let href = links::record_files(&query, files);
        let all = format!(
            "{} more: show all on the record’s page",
            grouped(left as u64)
        );
        view! { <p class="note small"><a class="link" href=href>{all}</a></p> }
    });
    view! {
        {place(page, folder)}
        <table class="of-branch" aria-labelledby="files" data-testid="files">
            {head(columns)}
            <tbody>{rows}</tbody>
        </table>
        {more}
    }
    .into_any()
}

/// The shown folder with links to its parents; nothing at the root.
fn place(page: &Page, folder: &str) -> Option<AnyView> {
    if page.query.folder.is_empty() {
        return None;
    }
    let ends = folder.match_indices('/').map(|(end, _)| end);
    let ends: Vec<_> = ends.filter(|end| *end > 0).chain([folder.len()]).collect();
    let mut start = 0;
    let folders = ends.iter().map(|&end| {
        let name = folder[start..end].to_owned();
        start = end + 1;
        Crumb::named(name, open(page, &folder[..end])).current_if(end == folder.len())
    });
    let all = std::iter::once(Crumb::fixed("All files", open(page, "")));
    let steps: Vec<_> = all.chain(folders).collect();
    Some(view! { <div class="note place"><Crumbs steps label="Folder"/></div> }.into_any())
}

/// The address of a folder; the page scrolls to its files.
fn open(page: &Page, folder: &str) -> String {
    let href = page.link(|query| query.folder = folder.to_owned());
    format!("{href}#files")
}

fn table_row(page: &Page, record: i64, listing: &FileListing, row: &FileRow) -> AnyView {
    let lines = row.lines;
    let coverage = match row.percentage() {
        Some(percentage) => view! { <Coverage percentage lines=Some(lines)/> }.into_any(),
        None => view! { <span class="muted">"nothing to cover"</span> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{name(page, record, listing, row)}</th>
            <td class="c-cov">{coverage}</td>
            <td class="num c-change">{change(row)}</td>
            <td class="num c-count">{grouped(lines.uncovered())}<span class="what">" missed"</span></td>
        </tr>
    }
    .into_any()
}

/// The name of a row in its folder; a folder links to its content, a file to its source page.
fn name(page: &Page, record: i64, listing: &FileListing, row: &FileRow) -> AnyView {
    let name = match page.query.files {
        None => row.name_in(&listing.query.folder),
        Some(_) => &row.path,
    };
    match row.files {
        Some(files) => {
            let files = files_in_words(u64::from(files));
            view! {
                <a class="folder" href=open(page, &row.path)><Name text=format!("{name}/") class="mono name"/></a>
                <span class="chip">{files}</span>
            }
            .into_any()
        }
        None if name.is_empty() => {
            view! { <span class="muted">"a file without a name"</span> }.into_any()
        }
        None => {
            let href = links::source(record, &row.path);
            view! { <a href=href><Name text=name.to_owned() class="mono name"/></a> }.into_any()
        }
    }
}

/// The change of the coverage since the record before.
fn change(row: &FileRow) -> AnyView {
    match (row.before, row.percentage()) {
        (Some(before), Some(_)) if before.total == 0 => {
            view! { <span class="chip">"new"</span> }.into_any()
        }
        (before, now) => {
            let before = before.and_then(Percentage::of);
            let change = before
                .zip(now)
                .map(|(before, now)| Points::between(before, now));
            view! { <Change change/> }.into_any()
        }
    }
}
