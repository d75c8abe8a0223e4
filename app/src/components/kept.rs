//! The hidden fields of a form for the choices that the form keeps.

use leptos::prelude::*;

/// A hidden field for each parameter of an address, except those that the form sets itself.
pub(crate) fn kept(
    parameters: Vec<(&'static str, String)>,
    without: &[&str],
) -> impl IntoView + use<> {
    let kept = parameters.into_iter();
    kept.filter(|(name, _)| !without.contains(name))
        .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
        .collect_view()
}
