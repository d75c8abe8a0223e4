//! `/repos/{org}/{repo}`: one repository, shown for one of its branches: its numbers, and in tabs its files and trend, its
//! branches, its history, and texts to copy. Addresses below it are about its pull requests, or its cold code.

mod branch_table;
mod chooser;
mod compare_with;
mod files;
mod headline;
mod history_table;
mod snippets;
mod tabs;
#[cfg(test)]
mod tests;
mod trend;

use super::{
    cold, not_found::no_repository, pull_request, pull_requests as all_pull_requests, waiting,
};
use crate::{
    AppError, SharedReadModel,
    address::{Address, cut, part},
    components::{
        answered::answered,
        on_forge::{forge_pages, on_forge, out},
        page_head::PageHead,
        repository_head::{steps_to_repository, with_tabs},
    },
    links::{self, PullRequestAddress},
};
use domain::{
    BranchName, ColdList, ColdQuery, Compared, Excerpt, PullRequestDetail, PullRequestList,
    Repository, RepositoryDetail, RepositoryQuery, RepositoryTab,
};
use leptos::{either::EitherOf4, prelude::*};

/// A repository; its address holds all choices.
#[component]
pub(crate) fn RepositoryPage() -> impl IntoView {
    let name = part("name");
    let address = Address::current();
    let values = |name: &str| address.values(name).into_iter().map(cut).collect();
    let query = RepositoryQuery::of_valid_branch(&values).map(|query| RepositoryQuery {
        // The name of a folder may begin or end with a space.
        folder: values("dir")
            .pop()
            .unwrap_or_default()
            .trim_end_matches('/')
            .to_owned(),
        ..query
    });
    let before = address.get("before").parse().ok();
    let page = address.get("p").parse().unwrap_or(1);
    let cold_query = ColdQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let shown = match PullRequestAddress::of(&name) {
            Some(PullRequestAddress::All(of)) => {
                let list = model.pull_requests(&of, before).await?;
                list.map(|list| Shown::PullRequests(list, before.is_none()))
            }
            Some(PullRequestAddress::One(of, number)) => {
                match model.pull_request(&of, &number, page).await? {
                    Some(detail) => {
                        let code = model.excerpts(pull_request::wanted(&detail)).await?;
                        Some(Shown::PullRequest(detail, code))
                    }
                    None => None,
                }
            }
            None => match name.strip_suffix("/cold").map(str::parse::<Repository>) {
                Some(Ok(of)) => {
                    let list = model.cold(&of, &cold_query).await?;
                    list.map(|list| Shown::Cold(cold_query, list))
                }
                _ => None,
            },
        };
        match shown {
            Some(shown) => Ok(shown),
            None => {
                let page = answer(model, name, query).await?;
                Ok(Shown::Repository(Box::new(page)))
            }
        }
    };
    answered(answer, |shown| match shown {
        Shown::Repository(page) => EitherOf4::A(content(&page)),
        Shown::PullRequest(detail, code) => EitherOf4::B(pull_request::content(&detail, &code)),
        Shown::PullRequests(list, is_first) => {
            EitherOf4::C(all_pull_requests::content(&list, is_first))
        }
        Shown::Cold(query, list) => EitherOf4::D(cold::content(&query, &list)),
    })
}

/// What an address below `/repos/` shows. Repositories `acme/shop/pulls/7` and `acme/shop/cold` have pages too, unless there is a
/// repository `acme/shop`.
enum Shown {
    Repository(Box<Page>),
    PullRequest(PullRequestDetail, Vec<Excerpt>),
    PullRequests(PullRequestList, bool),
    Cold(ColdQuery, ColdList),
}

struct Page {
    detail: RepositoryDetail,
    query: RepositoryQuery,
}

impl Page {
    /// The address of this page with a changed query.
    fn link(&self, choose: impl FnOnce(&mut RepositoryQuery)) -> String {
        let mut query = self.query.clone();
        choose(&mut query);
        links::repository_page(&self.detail.repository, &query)
    }

    /// The branch, if an address has to name it; `None` for the main branch.
    fn named_branch(&self) -> Option<&BranchName> {
        let detail = &self.detail;
        (detail.branch != detail.main_branch).then_some(&detail.branch)
    }

    /// The query with the branches that the page shows by default.
    fn chosen(&self) -> RepositoryQuery {
        RepositoryQuery {
            branch: Some(self.detail.branch.clone()),
            compared: Compared::Branches(self.compared_branches()),
            ..self.query.clone()
        }
    }

    /// The choices of the period.
    fn period(&self) -> RepositoryQuery {
        RepositoryQuery {
            range: self.query.range,
            ..RepositoryQuery::default().between(self.query.from, self.query.to)
        }
    }

    /// The branches that the chart shows next to the chosen one.
    fn compared_branches(&self) -> Vec<BranchName> {
        let detail = &self.detail;
        self.query
            .compared_branches(&detail.branch, &detail.main_branch)
    }
}

async fn answer(
    model: SharedReadModel,
    name: String,
    query: Option<RepositoryQuery>,
) -> Result<Page, AppError> {
    let Ok(repository) = name.parse::<Repository>() else {
        return Err(no_repository(&name, &*model).await);
    };
    let query = query.ok_or_else(|| {
        AppError::NotFound(format!(
            "The branch name in this address is not valid for {name}."
        ))
    })?;
    let Some(detail) = model.repository(&repository, &query).await? else {
        return Err(no_repository(&name, &*model).await);
    };
    Ok(Page { detail, query })
}

fn content(page: &Page) -> impl IntoView + use<> {
    let detail = &page.detail;
    let repo = detail.repository.repo.to_string();
    let heading = view! { <h1><bdi>{repo}</bdi></h1> };
    let beside = view! {
        <div class="controls">
            {compare_with::compare_with(page)}
            {chooser::chooser(page)}
        </div>
        {on_its_forge(page)}
    };
    let title = detail.repository.to_string();
    let found = if detail.languages.is_empty() {
        waiting::branch(detail)
    } else {
        view! {
            {headline::headline(page)}
            {match page.query.tab {
                RepositoryTab::Files => view! { {files::files(page)}{trend::trend(page)} }.into_any(),
                RepositoryTab::Branches => branch_table::branches(page),
                RepositoryTab::History => history_table::history(page),
                RepositoryTab::Badge => snippets::snippets(page),
            }}
        }
        .into_any()
    };
    let numbers = detail.current.iter();
    let numbers =
        numbers.map(|row| format!("{} % in {}", row.record.percentage, row.record.language));
    let numbers = numbers.collect::<Vec<_>>().join(", ");
    let branch = format!("Code coverage of {title}, branch {}", detail.branch);
    let description = if numbers.is_empty() {
        format!("{branch}.")
    } else {
        format!("{branch}: {numbers}.")
    };
    let image = links::preview(&detail.repository, page.named_branch());
    view! {
        <PageHead title description image/>
        {with_tabs(steps_to_repository(&detail.repository), heading, tabs::tabs(page), beside)}
        {found}
    }
}

/// Links to the repository and the branch on its forge.
fn on_its_forge(page: &Page) -> Option<impl IntoView + use<>> {
    let detail = &page.detail;
    let run = detail.run_url.as_ref();
    let pages = forge_pages(&detail.repository, detail.forge.as_deref(), run)?;
    let mut found = vec![out(pages.repository(), "repository")];
    let branch = page.named_branch().and_then(|branch| pages.branch(branch));
    found.extend(branch.map(|href| out(href, "branch")));
    on_forge(pages.name(), found)
}
