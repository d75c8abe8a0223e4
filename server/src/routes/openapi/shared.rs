//! The headers that all operations have in common, and the headers of every answer that can be revalidated.

use super::refusals::text;
use utoipa::openapi::{
    ObjectBuilder, OpenApi, RefOr, Type,
    path::{ParameterBuilder, ParameterIn},
};

/// The request id, which is in the log and in every answer.
const REQUEST_ID: &str = "X-Request-Id";

pub(super) fn add_headers(interface: &mut OpenApi) {
    let request_id = text("The id of the request in the log: the one that was sent, or a new one.");
    let parameter = ParameterBuilder::new()
        .name(REQUEST_ID)
        .parameter_in(ParameterIn::Header)
        .description(Some(
            "An id that the client chooses. One that is too long or not printable is replaced.",
        ))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build();
    let operations = interface.paths.paths.values_mut().flat_map(|path| {
        let methods = [
            &mut path.get,
            &mut path.put,
            &mut path.post,
            &mut path.delete,
            &mut path.options,
            &mut path.head,
            &mut path.patch,
            &mut path.trace,
            &mut path.query,
        ];
        methods.into_iter().flatten()
    });
    for operation in operations {
        let parameters = operation.parameters.get_or_insert_default();
        parameters.push(parameter.clone().into());
        let responses = &mut operation.responses.responses;
        let is_revalidated = responses.contains_key("304");
        for (status, response) in responses {
            let RefOr::T(response) = response else {
                continue;
            };
            let mut add = |name: &str, header| response.headers.insert(name.to_owned(), header);
            add(REQUEST_ID, request_id.clone().into());
            if is_revalidated && ["200", "206", "304"].contains(&status.as_str()) {
                add("ETag", text("The identifier of this answer.").into());
                let caching = text("Whether and how long the answer may be cached.");
                add("Cache-Control", caching.into());
            }
        }
    }
}
