//! Addresses that can be guessed, since they name no version or one of the past: they are for navigations only.
//!
//! Otherwise a report, or any website, could load a script, style or image of another report by its record's number.

use super::{answer::redirect, asked::Asked, missing, serving::Serving};
use crate::{
    http::security::{ONLY_SAME_ORIGIN, OPENER_POLICY},
    routes::navigation::{self, Purpose},
};
use axum::response::Response;

impl Serving {
    /// The refusal of a request that is no navigation, nor a program's; it leads on to the start of the report of record
    /// `id`, where one is given.
    pub(super) fn refused(&self, asked: &Asked, id: Option<i64>) -> Option<Response> {
        let is_refused = match asked.purpose() {
            Purpose::PartOfPage => true,
            Purpose::Navigation | Purpose::Program => self.is_by_a_report(asked),
        };
        is_refused.then(|| missing::answer(navigation::refusal(), self, asked, id))
    }

    /// Leads on from an address that can be guessed.
    pub(super) fn led_on(&self, address: &str) -> Response {
        match self.own_origin {
            Some(_) => alone(redirect(address)),
            None => redirect(address),
        }
    }

    /// On an origin of their own, a report could read another one that it opens in a frame or a window. Nothing else is of
    /// that origin: the dashboard is another one, and so are our own pages there, by their sandbox. Nor may a report frame
    /// what the dashboard's host leads to; in a window, [`alone`] keeps it from that.
    fn is_by_a_report(&self, asked: &Asked) -> bool {
        let Some(origin) = &self.own_origin else {
            return false;
        };
        let site = navigation::site(&asked.headers);
        match asked.is_to(origin) {
            true => site == "same-origin",
            false => asked.is_for_frame() && matches!(site, "same-site" | "cross-site"),
        }
    }
}

/// Keeps a page from the window that it opened by an address that leads on: browsers do not lead a sandboxed page's window
/// past this, and take any other one from its opener.
pub(super) fn alone(mut redirect: Response) -> Response {
    redirect
        .headers_mut()
        .insert(OPENER_POLICY, ONLY_SAME_ORIGIN);
    redirect
}
