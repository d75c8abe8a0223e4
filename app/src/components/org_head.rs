//! The head of the pages of an org: where the page is, its heading, and one row of tabs that is the same on all of them.

use super::{
    crumbs::Crumb,
    repository_head::{tab_row, with_tabs},
};
use crate::links;
use domain::{GatesQuery, OrgName, ReportQuery};
use leptos::prelude::*;

/// A page of an org.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrgTab {
    Trend,
    Owners,
    Gates,
    Report,
}

impl OrgTab {
    const ALL: [Self; 4] = [Self::Trend, Self::Owners, Self::Gates, Self::Report];

    fn label(self) -> &'static str {
        match self {
            Self::Trend => "Trend",
            Self::Owners => "Owners",
            Self::Gates => "Gates",
            Self::Report => "Report",
        }
    }

    fn address(self, org: &OrgName) -> String {
        match self {
            Self::Trend => links::org(org),
            Self::Owners => links::owners(org, None),
            Self::Gates => links::gates(&GatesQuery {
                org: Some(org.clone()),
                ..GatesQuery::default()
            }),
            Self::Report => links::report(&ReportQuery {
                org: Some(org.clone()),
                ..ReportQuery::default()
            }),
        }
    }
}

/// The head of a page of an org. `part` is the name of what the page shows of it, such as an owner; `about` is under the heading,
/// `beside` at its end.
pub(crate) fn org_head(
    org: &OrgName,
    current: OrgTab,
    part: Option<String>,
    about: String,
    beside: impl IntoView,
) -> AnyView {
    let mut steps = steps(Some(org));
    let heading = match part {
        Some(part) => {
            steps.push(Crumb::named(own_name(org), links::org(org)));
            steps.push(Crumb::fixed(current.label(), current.address(org)));
            view! { <h1><bdi>{part}</bdi></h1> }.into_any()
        }
        None if current == OrgTab::Trend => {
            view! { <h1><bdi>{org.to_string()}</bdi></h1> }.into_any()
        }
        None => {
            let label = current.label();
            view! { <h1><bdi>{org.to_string()}</bdi><span class="unseen">": "{label}</span></h1> }
                .into_any()
        }
    };
    let tabs = OrgTab::ALL.map(|tab| (tab.label(), tab.address(org), tab == current));
    let heading = view! { {heading}<p class="muted small">{about}</p> };
    with_tabs(steps, heading, tab_row("Pages of the org", tabs), beside)
}

/// The breadcrumbs of an org: the orgs above it.
pub(crate) fn steps(org: Option<&OrgName>) -> Vec<Crumb> {
    let Some(org) = org else {
        return vec![Crumb::overview()];
    };
    let around: Vec<_> = std::iter::successors(org.parent(), OrgName::parent).collect();
    let around = around.iter().rev();
    let around = around.map(|org| Crumb::named(own_name(org), links::org(org)));
    let outside = [
        Crumb::overview(),
        Crumb::fixed("Orgs", links::ORGS.to_owned()),
    ];
    outside.into_iter().chain(around).collect()
}

/// The last segment of a group's name.
fn own_name(org: &OrgName) -> String {
    let name = org.as_str();
    name.rsplit('/').next().unwrap_or(name).to_owned()
}
