//! Breadcrumbs: the steps to a page or to a folder, each a link.

use crate::links;
use domain::{OrgName, Repository};
use leptos::prelude::*;

pub(crate) struct Crumb {
    label: AnyView,
    href: Option<String>,
    is_current: bool,
}

impl Crumb {
    /// A step with a fixed label.
    pub(crate) fn fixed(label: &'static str, href: impl Into<Option<String>>) -> Self {
        Self {
            label: label.into_any(),
            href: href.into(),
            is_current: false,
        }
    }

    /// A step with a name from clients, of any text direction.
    pub(crate) fn named(name: String, href: String) -> Self {
        Self {
            label: view! { <bdi>{name}</bdi> }.into_any(),
            href: Some(href),
            is_current: false,
        }
    }

    pub(crate) fn overview() -> Self {
        Self::fixed("Overview", links::HOME.to_owned())
    }

    pub(crate) fn org(org: &OrgName) -> Self {
        Self::named(org.to_string(), links::org(org))
    }

    pub(crate) fn to_repository(repository: &Repository) -> Vec<Self> {
        let own = Self::named(repository.repo.to_string(), links::repository(repository));
        vec![Self::overview(), Self::org(&repository.org), own]
    }

    /// Marks the step as the page that is shown.
    pub(crate) fn current_if(self, is_current: bool) -> Self {
        Self { is_current, ..self }
    }
}

#[component]
pub(crate) fn Crumbs(
    steps: Vec<Crumb>,
    #[prop(default = "Where you are")] label: &'static str,
) -> impl IntoView {
    let steps = steps.into_iter().enumerate().map(|(index, step)| {
        let current = step.is_current.then_some("true");
        let shown = match step.href {
            Some(href) => view! { <a href=href aria-current=current>{step.label}</a> }.into_any(),
            None => step.label,
        };
        view! {
            {(index > 0).then(|| view! { <span aria-hidden="true">" / "</span> })}
            {shown}
        }
    });
    view! { <nav class="crumbs" aria-label=label>{steps.collect_view()}</nav> }
}
