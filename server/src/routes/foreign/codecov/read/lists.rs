//! `GET …/flags` and `GET …/components`: the names by which the extension filters; and the address by which its settings test a token.
//!
//! The extension keeps an answer for an hour, also a refusal, which then stops its pages. So an unknown repository has empty lists.

use super::{Named, main_branch};
use crate::{
    http::error::ApiError,
    routes::{etag::json, readable::Readable},
};
use axum::{http::HeaderMap, response::Response};
use domain::{PartContent, RecordRef, ViewKind, ViewsQuery};
use serde::Serialize;
use std::collections::BTreeSet;
use store::Trends;

#[derive(Serialize)]
struct Results {
    results: Vec<Flag>,
}

#[derive(Serialize)]
struct Flag {
    flag_name: String,
}

#[derive(Serialize)]
struct Component {
    component_id: String,
    name: String,
}

/// The guard has admitted the reader.
pub(super) async fn known(headers: HeaderMap) -> Result<Response, ApiError> {
    let results = Vec::new();
    json(&headers, &Results { results })
}

/// The measured and carried parts of the main branch.
pub(super) async fn flags(
    Readable { reader, .. }: Readable,
    Named(repository): Named,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let mut names = BTreeSet::new();
    if let Some(branch) = main_branch(&reader, &repository).await? {
        let current = RecordRef::CurrentOf(repository, branch);
        for record in reader.records_named(&current).await? {
            let Some(summary) = reader.record_summary(record.id).await? else {
                continue;
            };
            let arrived = summary.parts.arrived.into_iter();
            let measured =
                arrived.filter(|part| matches!(part.content, PartContent::Measured { .. }));
            names.extend(measured.map(|part| part.name));
            names.extend(summary.parts.carried.into_iter().map(|part| part.name));
        }
    }
    let named = names.into_iter().filter(|name| name.is_named());
    let results = named.map(|name| Flag {
        flag_name: name.to_string(),
    });
    json(
        &headers,
        &Results {
            results: results.collect(),
        },
    )
}

/// The views that the settings define.
pub(super) async fn components(
    Readable { reader, .. }: Readable,
    Named(repository): Named,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = ViewsQuery {
        kind: Some(ViewKind::View),
        ..ViewsQuery::default()
    };
    let views = reader.views(&repository, &query, Trends::Omitted).await?;
    let views = views.map_or_else(Vec::new, |views| views.views);
    let components = views.iter().map(|(view, _)| Component {
        component_id: view.name().to_owned(),
        name: view.name().to_owned(),
    });
    json(&headers, &components.collect::<Vec<_>>())
}
