//! Describes answers with an `ETag` in the OpenAPI document.

use std::collections::BTreeMap;
use utoipa::{
    IntoParams, IntoResponses,
    openapi::{
        RefOr, Response, ResponseBuilder,
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
