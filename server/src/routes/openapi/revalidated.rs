//! Describes answers with an `ETag` in the OpenAPI document.

use super::shared::operations;
use std::collections::BTreeMap;
use utoipa::{
    IntoParams, IntoResponses, Modify,
    openapi::{
        HeaderBuilder, OpenApi, RefOr, Response, ResponseBuilder,
        header::Header,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::{ObjectBuilder, Type},
    },
};

/// The header of a client that already has an answer.
pub(in crate::routes) struct IfNoneMatch;

impl IntoParams for IfNoneMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = ParameterBuilder::new()
            .name("If-None-Match")
            .parameter_in(ParameterIn::Header)
            .description(Some("The `ETag` of an earlier answer: if nothing has changed, the answer is 304 without a body."))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![parameter.build()]
    }
}

/// The answer if nothing has changed.
pub(in crate::routes) struct NotModified;

impl IntoResponses for NotModified {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let response = ResponseBuilder::new()
            .description("The answer is the one that `If-None-Match` names.")
            .build();
        BTreeMap::from([("304".to_owned(), response.into())])
    }
}

/// Adds the `ETag` to every answer that can be revalidated.
pub(super) struct Tags;

impl Modify for Tags {
    fn modify(&self, interface: &mut OpenApi) {
        for operation in operations(interface) {
            let responses = &mut operation.responses.responses;
            if !responses.contains_key("304") {
                continue;
            }
            for status in ["200", "206", "304"] {
                if let Some(RefOr::T(response)) = responses.get_mut(status) {
                    let tag = text("The identifier of this answer.");
                    response.headers.insert("ETag".to_owned(), tag.into());
                    let caching = text("Whether and how long the answer may be cached.");
                    response
                        .headers
                        .insert("Cache-Control".to_owned(), caching.into());
                }
            }
        }
    }
}

fn text(description: &str) -> Header {
    HeaderBuilder::new().description(Some(description)).build()
}
