//! The header that all operations have in common.

use utoipa::{
    Modify,
    openapi::{
        HeaderBuilder, ObjectBuilder, OpenApi, RefOr, Type,
        path::{Operation, ParameterBuilder, ParameterIn},
    },
};

const NAME: &str = "X-Request-Id";

/// The request id, which is in the log and in every answer.
pub(super) struct EveryAnswer;

impl Modify for EveryAnswer {
    fn modify(&self, interface: &mut OpenApi) {
        let header = HeaderBuilder::new()
            .description(Some(
                "The id of the request in the log: the one that was sent, or a new one.",
            ))
            .build();
        let parameter = ParameterBuilder::new()
            .name(NAME)
            .parameter_in(ParameterIn::Header)
            .description(Some(
                "An id that the client chooses. One that is too long or not printable is replaced.",
            ))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .build();
        for operation in operations(interface) {
            let parameters = operation.parameters.get_or_insert_default();
            parameters.push(parameter.clone().into());
            for response in operation.responses.responses.values_mut() {
                if let RefOr::T(response) = response {
                    response
                        .headers
                        .insert(NAME.to_owned(), header.clone().into());
                }
            }
        }
    }
}

/// Returns all operations of a document.
pub(super) fn operations(interface: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    let paths = interface.paths.paths.values_mut();
    paths.flat_map(|path| {
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
    })
}
