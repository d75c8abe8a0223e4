//! The credentials of clients.

use utoipa::openapi::{
    OpenApi,
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
