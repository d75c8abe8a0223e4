//! What all operations have in common: the credentials of clients, and headers.

use super::refusals::text;
use utoipa::openapi::{
    ObjectBuilder, OpenApi, RefOr, Type,
    path::{ParameterBuilder, ParameterIn},
    security::{
        ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
    },
};

const UPLOAD_TOKEN: &str = "An upload token of this service, a token of a listed forge, or an identity (OIDC) \
    of a listed CI system. `Authorization: Bearer <token>`, `token <token>` and the bare token all work.";
const ADMIN_TOKEN: &str = "An admin token of this service (`token create --for admin`). `Authorization: Bearer <token>`, \
    `token <token>` and the bare token all work.";
const READ_TOKEN: &str = "A read token or an admin token, if the operator has protected reading. `Authorization: Bearer <token>`, \
    `token <token>` and the bare token all work.";
const PASSWORD: &str =
    "A read token as the password of any user, for clients that can only be given a URL.";
const SESSION: &str = "The session of a browser that has logged in. Over HTTPS the cookie's name is `__Host-coverage-reader`.";

/// All credentials. By default, an operation is open, or for readers if the operator has protected reading.
pub(super) fn add_schemes(interface: &mut OpenApi) {
    let http = |scheme, description| {
        let scheme = HttpBuilder::new()
            .scheme(scheme)
            .description(Some(description));
        SecurityScheme::Http(scheme.build())
    };
    let session = ApiKeyValue::with_description("coverage-reader", SESSION);
    let schemes = [
        ("upload_token", http(HttpAuthScheme::Bearer, UPLOAD_TOKEN)),
        ("admin_token", http(HttpAuthScheme::Bearer, ADMIN_TOKEN)),
        ("read_token", http(HttpAuthScheme::Bearer, READ_TOKEN)),
        (
            "read_token_as_password",
            http(HttpAuthScheme::Basic, PASSWORD),
        ),
        ("session", SecurityScheme::ApiKey(ApiKey::Cookie(session))),
    ];
    let readers = ["read_token", "read_token_as_password", "session"];
    let readers = readers.map(|name| SecurityRequirement::new(name, [""; 0]));
    interface.security = Some(
        [SecurityRequirement::default()]
            .into_iter()
            .chain(readers)
            .collect(),
    );
    let components = interface.components.get_or_insert_default();
    for (name, scheme) in schemes {
        components
            .security_schemes
            .insert(name.to_owned(), scheme.into());
    }
}

/// The request id, which is in the log and in every answer.
const REQUEST_ID: &str = "X-Request-Id";

/// The headers of all operations, and the headers of every answer that can be revalidated.
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
