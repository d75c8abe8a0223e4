//! Answers with a tag, which are sent again only where they have changed.

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

/// What a client says that has an answer already.
pub(in crate::routes) struct IfNoneMatch;

impl IntoParams for IfNoneMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = ParameterBuilder::new()
            .name("If-None-Match")
            .parameter_in(ParameterIn::Header)
            .description(Some("The `ETag` of an earlier answer: if nothing has changed, 304 comes instead of a body."))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![parameter.build()]
    }
}

/// That nothing has changed.
pub(in crate::routes) struct NotModified;

impl IntoResponses for NotModified {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let response = ResponseBuilder::new()
            .description("The answer is the one that `If-None-Match` names.")
            .build();
        BTreeMap::from([("304".to_owned(), response.into())])
    }
}

/// Puts its tag to every answer that can be asked for again.
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
                    let tag = text("What tells this answer from all others.");
                    response.headers.insert("ETag".to_owned(), tag.into());
                    let caching = text("Whether it may be kept, and for how long.");
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
