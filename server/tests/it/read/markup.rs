//! Names that clients chose are plain text on every page, picture and table.

mod document;
pub mod places;
pub mod seed;

use crate::{
    harness::{Reachable, TestServer},
    read::openapi,
};
use document::{Tag, tags};
use places::{encoded, places};
use reqwest::{Client, Response, header, redirect::Policy};
use seed::{HOSTILE, Seeded, tame};
use std::collections::{BTreeMap, BTreeSet};

/// Attributes whose value is an address.
const ADDRESSES: [&str; 7] = [
    "href",
    "src",
    "action",
    "formaction",
    "xlink:href",
    "data",
    "poster",
];

/// The answers of all addresses of the service, by address without the name.
type Answers = BTreeMap<String, Answer>;

struct Answer {
    kind: String,
    location: Option<String>,
    body: String,
}

async fn answers(of: &Seeded) -> Answers {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let encoded = encoded(&of.name);
    let mut answers = Answers::new();
    for address in places(of).into_iter().flat_map(|(_, addresses)| addresses) {
        // A logged-in client is redirected and needs no login.
        let user = if address.starts_with("/login") {
            ""
        } else {
            of.name.as_str()
        };
        let ask = |address: &str| {
            let mut request = client.get(of.server.url(address)).header("x-user", user);
            let of_admins = ["/audit", "/settings", "/admin/"];
            if of_admins.iter().any(|page| address.starts_with(page)) {
                request = request.bearer_auth(&of.admin);
            }
            request.header(header::ACCEPT, "text/html,*/*;q=0.8").send()
        };
        let mut response = ask(&address).await.unwrap();
        let requested = address.replace(&encoded, "N");
        let location = text_of(&response, "location");
        // The address of a report contains its version.
        if address.starts_with("/reports/")
            && let Some(location) = location.as_ref().filter(|at| at.starts_with("/reports/"))
        {
            response = ask(location).await.unwrap();
        }
        let kind = text_of(&response, "content-type").unwrap_or_default();
        let sniffed = text_of(&response, "x-content-type-options");
        assert_eq!(sniffed.as_deref(), Some("nosniff"), "{address}");
        let body = response.text().await.unwrap();
        answers.insert(
            requested,
            Answer {
                kind,
                location,
                body,
            },
        );
    }
    answers
}

fn text_of(response: &Response, name: &str) -> Option<String> {
    let value = response.headers().get(name)?;
    Some(value.to_str().unwrap().to_owned())
}

/// The markup that no name may have become.
fn assert_harmless(place: &str, tags: &[Tag]) {
    for tag in tags {
        let shape = tag.shape();
        assert!(
            !["base", "object", "embed"].contains(&&*tag.name),
            "{place}: {shape}"
        );
        for (name, value) in &tag.attributes {
            let is_handler = name.starts_with("on") || ["srcdoc", "http-equiv"].contains(&&**name);
            assert!(!is_handler, "{place}: {shape}");
            let scheme = value.split_once(':').map(|(scheme, _)| scheme);
            let scheme = scheme.filter(|scheme| !scheme.contains(['/', '?', '#']));
            let is_ours = scheme.is_none_or(|scheme| ["http", "https"].contains(&scheme));
            assert!(
                is_ours || !ADDRESSES.contains(&&**name),
                "{place}: {shape} leads to {value}"
            );
        }
    }
}

#[tokio::test]
async fn names_are_escaped_on_every_page_and_picture() {
    for name in HOSTILE {
        let (hostile, harmless) = (Seeded::with(name).await, Seeded::with(&tame(name)).await);
        let expected = answers(&harmless).await;
        for (requested, answer) in answers(&hostile).await {
            let place = format!("{name}: {requested}");
            if let Some(location) = &answer.location {
                let is_here = location.starts_with('/') && !location.starts_with("//");
                assert!(is_here, "{place} leads to {location}");
            }
            let is_html = match answer.kind.split(';').next() {
                Some("text/html") => true,
                Some("image/svg+xml") => false,
                Some("application/json" | "application/problem+json") => {
                    let is_json = serde_json::from_str::<serde_json::Value>(&answer.body).is_ok();
                    assert!(is_json, "{place}: {}", answer.body);
                    continue;
                }
                Some("application/xml") => {
                    let limits = formats::Limits::default();
                    let read = formats::read(answer.body.as_bytes(), &limits);
                    assert!(read.is_ok(), "{place}: {read:?}: {}", answer.body);
                    continue;
                }
                // Pixels have no markup.
                Some("image/png") => continue,
                // Programs read these; the cells of tables are checked below.
                Some("" | "text/csv" | "text/plain" | "application/openmetrics-text") => continue,
                other => panic!("{place} is {other:?}: {}", answer.body),
            };
            let found = tags(&answer.body, is_html);
            assert_harmless(&place, &found);
            let titles = found
                .iter()
                .filter(|tag| tag.name == "title" && !tag.is_in_svg);
            assert!(titles.count() == 1 || !is_html, "{place}: {}", answer.body);
            let expected = tags(&expected[&requested].body, is_html);
            let expected: BTreeSet<_> = expected.iter().map(Tag::shape).collect();
            for tag in found {
                let shape = tag.shape();
                assert!(
                    expected.contains(&shape),
                    "{place}: {shape} is new in {}",
                    answer.body
                );
            }
        }
    }
}

/// The title and the description of a page.
async fn head_of(server: &TestServer, address: &str, user: &str) -> (String, String) {
    let request = server
        .client
        .get(server.url(address))
        .header("x-user", user);
    let page = request.send().await.unwrap().text().await.unwrap();
    let tags = tags(&page, true);
    let title = tags.iter().find(|tag| tag.name == "title").unwrap();
    let descriptions: Vec<_> = tags
        .iter()
        .filter(|tag| tag.attribute("name") == Some("description"))
        .collect();
    assert_eq!(descriptions.len(), 1, "{address}: {page}");
    let description = descriptions[0].attribute("content").unwrap();
    (title.text.clone(), description.to_owned())
}

#[tokio::test]
async fn titles_and_descriptions_show_names_unchanged() {
    for name in HOSTILE {
        let Seeded {
            server, records, ..
        } = Seeded::with(name).await;
        let page = format!("/authors/{}", encoded(name));
        let (title, description) = head_of(&server, &page, name).await;
        assert_eq!(title, format!("{name} · Coverage"));
        assert_eq!(
            description,
            format!("Code coverage of the commits of {name}.")
        );
        let (title, description) =
            head_of(&server, &format!("/records/{}", records[1]), name).await;
        assert_eq!(title, "c2 · acme/payments · Coverage");
        assert!(
            description.ends_with(&format!("branch {name}, by {name}.")),
            "{description}"
        );
    }
}

#[tokio::test]
async fn no_csv_cell_is_a_formula() {
    let of = Seeded::with("=HYPERLINK(\"//evil.example\")").await;
    for (place, answer) in answers(&of).await {
        if answer.kind.starts_with("text/csv") {
            assert_no_formula(&place, &answer.body);
        }
    }
    let mut export = of.server.command(&["export", "--format", "csv"]);
    let exported = export.output().unwrap();
    let exported = String::from_utf8(exported.stdout).unwrap();
    assert!(exported.contains("HYPERLINK"), "{exported}");
    assert_no_formula("export", &exported);
}

fn assert_no_formula(place: &str, table: &str) {
    let mut cells = 0;
    for row in csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(table.as_bytes())
        .records()
    {
        for cell in &row.unwrap() {
            cells += 1;
            let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            let is_number = cell.parse::<f64>().is_ok();
            assert!(!is_formula || is_number, "{place}: {cell}");
        }
    }
    assert!(cells > 0, "{place}: {table}");
}

#[tokio::test]
async fn every_route_is_checked_for_markup() {
    let seeded = Seeded::with("a name").await;
    let looked_at: BTreeSet<_> = places(&seeded)
        .into_iter()
        .map(|(route, _)| route)
        .collect();
    let pages = leptos_axum::generate_route_list(app::App);
    let pages = pages.iter().map(|page| page.path().to_owned());
    let asked_by_get = openapi::paths_of(reqwest::Method::GET);
    let undocumented = openapi::PAGES.map(str::to_owned);
    // These take forms, and the icon is the same for everyone.
    let without_names = [
        "/theme",
        "/logout",
        "/favicon.ico",
        "/admin/records/delete",
        "/admin/tokens/create",
        "/admin/tokens/revoke",
        "/admin/gate/set",
        "/admin/gate/clear",
    ];
    let missing: Vec<_> = pages
        .chain(asked_by_get)
        .chain(undocumented)
        .filter(|route| !looked_at.contains(&**route) && !without_names.contains(&&**route))
        .collect();
    assert!(missing.is_empty(), "{missing:?} stand in no list of places");
}
