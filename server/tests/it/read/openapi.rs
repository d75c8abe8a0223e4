//! The OpenAPI document: every change of it is a visible diff, and it matches the routes.

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, files_below};
use reqwest::{Method, redirect::Policy};
use serde_json::Value;
use server::Code;
use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// Routes for browsers only, which are not in the document.
pub const PAGES: [&str; 13] = [
    "/coverages-ui/{*path}",
    "/theme",
    "/login",
    "/login/start",
    "/login/callback",
    "/logout",
    "/records/{id}/parts",
    "/admin/records/delete",
    "/admin/tokens/create",
    "/admin/tokens/revoke",
    "/admin/gate/set",
    "/admin/gate/clear",
    "/favicon.ico",
];

/// The routes that answer unknown paths.
const FALLBACKS: [&str; 2] = ["/coverages-api/", "/coverages-api/{*path}"];

/// Interfaces of other services, which their clients define.
const FOREIGN: [&str; 17] = [
    "/upload/{*rest}",
    "//upload/{*rest}",
    "/api/v1/{*rest}",
    "//api/v1/{*rest}",
    "/gh/{*rest}",
    "/gl/{*rest}",
    "/bb/{*rest}",
    "/api/v1/jobs",
    "//api/v1/jobs",
    "/webhook",
    "//webhook",
    "/api/v2/{provider}",
    "/api/v2/{provider}/",
    "/api/v2/{provider}/{owner}/repos/{repo}/report",
    "/api/v2/{provider}/{owner}/repos/{repo}/compare",
    "/api/v2/{provider}/{owner}/repos/{repo}/flags",
    "/api/v2/{provider}/{owner}/repos/{repo}/components",
];

fn document() -> Value {
    serde_json::from_str(&server::openapi().unwrap()).unwrap()
}

/// Each operation with its method and path.
fn operations(document: &Value) -> Vec<(Method, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.to_uppercase(), path, operation))
    });
    operations
        .map(|(method, path, operation)| (method.parse().unwrap(), path.as_str(), operation))
        .collect()
}

/// The paths of a method.
pub fn paths_of(method: Method) -> Vec<String> {
    let document = document();
    operations(&document)
        .into_iter()
        .filter(|(other, _, _)| *other == method)
        .map(|(_, path, _)| path.to_owned())
        .collect()
}

#[test]
fn the_openapi_document_matches_its_snapshot() {
    insta::assert_snapshot!(server::openapi().unwrap());
}

#[test]
fn every_reference_of_the_document_exists() {
    let text = server::openapi().unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let references: Vec<_> = text
        .split("\"$ref\": \"#")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
}

#[test]
fn a_command_prints_the_document() {
    let printed = Command::new(crate::harness::BINARY)
        .arg("openapi")
        .output()
        .unwrap();
    assert!(printed.status.success());
    assert_eq!(
        String::from_utf8(printed.stdout).unwrap(),
        server::openapi().unwrap()
    );
}

#[tokio::test]
async fn the_document_is_public_and_revalidated() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    let response = server.get("/coverages-api/openapi.json").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json");
    let etag = response.headers()["etag"].clone();
    assert_eq!(response.text().await.unwrap(), server::openapi().unwrap());
    let url = server.url("/coverages-api/openapi.json");
    let again = server.client.get(url).header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status(), 304);
}

#[tokio::test]
async fn every_operation_of_the_document_is_a_route() {
    let server = TestServer::start().await;
    let archive = Archive::report("one", &cobertura(1, 2));
    Upload::of(archive.tar_gz()).accepted(&server).await;
    let client = reqwest::Client::builder()
        .redirect(Policy::none())
        .build()
        .unwrap();
    let document = document();
    for (method, template, _) in operations(&document) {
        let path = [
            ("{id}", "1"),
            ("{path}", "index.html"),
            ("{part}", "-"),
            ("{org_name}", "acme"),
            ("{repo_name}", "payments"),
            ("{branch_name}", "main"),
        ]
        .into_iter()
        .fold(template.to_owned(), |path, (name, value)| {
            path.replace(name, value)
        });
        let request = client.request(method.clone(), server.url(&path));
        let response = request.send().await.unwrap();
        let status = response.status();
        let body = response.text().await.unwrap();
        assert_ne!(status, 405, "{method} {template}: {body}");
        assert!(
            !body.contains("There is no /"),
            "{method} {template}: {body}"
        );
        assert!(
            !body.contains("<!DOCTYPE html>"),
            "{method} {template}: a page"
        );
    }
}

#[test]
fn every_route_is_in_the_document() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = files_below(sources.join("routes"));
    let routes: BTreeSet<String> = files
        .into_iter()
        .chain([sources.join("routes.rs")])
        .flat_map(|file| routes_in(&fs::read_to_string(file).unwrap()))
        .collect();
    assert!(routes.contains("/coverages-api") && routes.contains("/reports/{id}/{*path}"));
    let document = document();
    let documented: Vec<_> = operations(&document)
        .into_iter()
        .map(|(_, path, _)| path)
        .collect();
    for route in routes {
        let mut others = PAGES.iter().chain(&FALLBACKS).chain(&FOREIGN);
        if others.any(|other| *other == route) {
            continue;
        }
        let is_documented = match route.strip_suffix("{*path}") {
            Some(start) => documented.iter().any(|path| path.starts_with(start)),
            None => documented.contains(&route.as_str()),
        };
        assert!(is_documented, "{route} is not in the document");
    }
}

/// The first arguments of the calls of `.route`: a path, or the name of a constant with a path.
fn routes_in(source: &str) -> Vec<String> {
    let calls = source.split(".route(").skip(1);
    let arguments = calls.map(|call| call.split(',').next().unwrap().trim());
    arguments
        .map(|argument| match argument.strip_prefix('"') {
            Some(path) => path.trim_end_matches('"').to_owned(),
            None => constant(argument),
        })
        .collect()
}

/// The text of a constant in `routes`, whose name may include its module.
fn constant(name: &str) -> String {
    let (module, name) = name.rsplit_once("::").unwrap_or(("", name));
    let routes = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/routes");
    let definition = format!("const {name}: &str = \"");
    files_below(routes)
        .into_iter()
        .filter(|file| module.is_empty() || file.ends_with(format!("{module}.rs")))
        .find_map(|file| {
            let source = fs::read_to_string(file).unwrap();
            let (_, text) = source.split_once(&definition)?;
            Some(text.split('"').next().unwrap().to_owned())
        })
        .unwrap_or_else(|| panic!("{name} is no path"))
}

#[test]
fn the_document_has_every_error_code_and_every_status() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let listed = schemas["Code"]["enum"].as_array().unwrap();
    let codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(*listed, codes);
    for (method, path, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        for (status, response) in responses {
            let problem = &response["content"]["application/problem+json"];
            let codes = &problem["schema"]["allOf"][1]["properties"]["code"]["enum"];
            for code in codes.as_array().into_iter().flatten() {
                let known = Code::ALL.iter().find(|known| *code == known.as_str());
                let is_of_status = known.unwrap().status().as_str() == status;
                assert!(is_of_status, "{method} {path}: {status} {code}");
            }
        }
    }
}

#[test]
fn every_operation_describes_the_request_id() {
    let document = document();
    for (method, path, operation) in operations(&document) {
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        let is_sent = parameters.any(|parameter| parameter["name"] == "X-Request-Id");
        assert!(is_sent, "{method} {path}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let header = &response["headers"]["X-Request-Id"];
            assert!(header.is_object(), "{method} {path}: {status}");
        }
    }
}

#[test]
fn the_manual_names_every_code() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/api.md");
    let manual = fs::read_to_string(manual).unwrap();
    for code in Code::ALL {
        let row = manual
            .lines()
            .find(|line| line.starts_with("| ") && line.contains(&format!("`{}`", code.as_str())));
        let row = row.unwrap_or_else(|| panic!("{code:?}"));
        assert!(row.contains(code.status().as_str()), "{row}");
    }
}
