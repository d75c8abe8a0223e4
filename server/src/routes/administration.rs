//! The forms of administrators: they do in the browser what the commands do, with the same functions and rows of the audit log.
//!
//! A form needs the session of an administrator, and must come from a page of the dashboard. If it is sent again, it changes
//! nothing: what it names is deleted, revoked, taken or set already.

pub(super) mod gate;
pub(super) mod record;
pub(super) mod tokens;

use super::{
    form::{form_of, must_be_ours},
    parameters::Parameters,
    peer::peer,
    plain_page,
};
use crate::{http::error::ApiError, pages::theme_cookie, state::AppState};
use access::{Admin, Reader as AdmittedReader, read_scope_of};
use app::{RefusalPage, Theme};
use axum::{
    extract::Request,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use store::Reader;

/// A form, and who sent it.
struct Sent {
    admin: Admin,
    form: Parameters,
    /// What the sender may read: what the sender may not read, does not exist in answers.
    reader: Reader,
}

impl Sent {
    /// Admits an administrator, and then reads the form.
    async fn read(state: &AppState, request: Request) -> Result<Self, ApiError> {
        must_be_ours(request.headers(), &state.public_url.0)?;
        let peer = peer(&request);
        let (parts, body) = request.into_parts();
        let known = parts.extensions.get::<AdmittedReader>();
        let admin = state.admins.admit_form(known, &parts.headers, peer).await?;
        let scope = read_scope_of(&parts.extensions, state.readers.is_some());
        Ok(Self {
            admin,
            form: form_of(state, body).await?,
            reader: state.store.reader(scope),
        })
    }
}

/// How the sender of a form gets its answer.
struct Answering {
    wants_page: bool,
    theme: Theme,
}

impl Answering {
    fn of(request: &Request) -> Self {
        Self {
            wants_page: plain_page::is_wanted(request.headers()),
            theme: theme_cookie::of(request.headers()),
        }
    }

    /// Returns the answer, which nobody keeps: for browsers, a page that names the refusal and leads to `back`.
    fn answer(
        self,
        state: &AppState,
        done: Result<impl IntoResponse, ApiError>,
        back: &str,
    ) -> Response {
        let mut response = match done {
            Ok(done) => done.into_response(),
            Err(refusal) if self.wants_page => {
                let page = RefusalPage {
                    theme: self.theme,
                    sentence: &refusal.detail,
                    code: refusal.code.as_str(),
                    back,
                };
                let html = app::refusal_page(&state.site.assets, page);
                plain_page::with_page(state, refusal.into_response(), html)
            }
            Err(refusal) => refusal.into_response(),
        };
        let never = HeaderValue::from_static("no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, never);
        response
    }
}
