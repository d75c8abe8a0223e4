//! Texts to copy: the badge and the trend for a README, in several markup languages, and an upload command.

mod markup;

use super::Page;
use crate::{
    PublicUrl, ServiceFacts,
    components::card::{CopyButton, card},
    links,
};
use domain::{Language, Percentage, Repository};
use leptos::prelude::*;
use markup::{Image, Markup};

pub(super) fn snippets(page: &Page) -> AnyView {
    let PublicUrl(public_url) = expect_context();
    let detail = &page.detail;
    let badges = badges(page, &public_url);
    let images: Vec<_> = badges.iter().map(|(image, _)| image.clone()).collect();
    let shown = badges.into_iter().map(|(image, coverage)| {
        let coverage = coverage.map_or("unknown".to_owned(), |coverage| format!("{coverage} %"));
        let address = image.source.strip_prefix(&*public_url);
        let address = address.unwrap_or(&image.source).to_owned();
        view! { <img src=address alt=format!("{}: {coverage}", image.text) height="20" loading="lazy"/>" " }
    });
    let shown = shown.collect_view();
    let (language, range) = (page.query.language.as_ref(), page.query.range);
    let trend = links::trend(&detail.repository, page.named_branch(), language, range);
    let target = images.first().map(|image| image.target.clone());
    let trend = Image {
        text: "coverage trend".to_owned(),
        source: format!("{public_url}{trend}"),
        target: target.unwrap_or_default(),
    };
    let [markdown, rest @ ..] = Markup::ALL;
    let others = rest.map(|markup| snippet(markup.name(), markup.images(&images)));
    let command = command(&public_url, &detail.repository);
    let beside = view! {
        <span class="muted small">"of "<bdi class="mono">{detail.branch.to_string()}</bdi></span>
        <span class="grow"></span>
        <span data-testid="badge">{shown}</span>
    };
    let content = view! {
        <div class="snippets">
            {who_sees_badges()}
            {snippet(markdown.name(), markdown.images(&images))}
            <details>
                <summary>"HTML, reStructuredText, AsciiDoc"</summary>
                {others.collect_view()}
            </details>
            {snippet("Trend as an image (Markdown)", markdown.images(&[trend]))}
            {snippet("Upload from a shell", command)}
            <p class="small muted">"The script needs a token in COVERAGE_TOKEN and finds the rest. "<a class="link" href=links::setup_of(&detail.repository)>"Recipes for CI systems"</a></p>
        </div>
    };
    card("snippets", "Badge and upload", beside, content)
}

/// A badge for each shown language, with its current percentage.
fn badges(page: &Page, public_url: &str) -> Vec<(Image, Option<Percentage>)> {
    let detail = &page.detail;
    let branch = page.named_branch();
    let target = match branch {
        None => links::repository(&detail.repository),
        Some(branch) => links::branch(&detail.repository, branch),
    };
    let image = |language: Option<&Language>| {
        let badge = links::badge(&detail.repository, branch, language);
        Image {
            text: language.map_or("coverage".to_owned(), ToString::to_string),
            source: format!("{public_url}{badge}"),
            target: format!("{public_url}{target}"),
        }
    };
    let several = detail.languages.len() > 1 || page.query.language.is_some();
    if !several {
        let coverage = detail.current.first().map(|row| row.record.percentage);
        return vec![(image(None), coverage)];
    }
    let badges = page.shown().map(|row| {
        (
            image(Some(&row.record.language)),
            Some(row.record.percentage),
        )
    });
    let badges: Vec<_> = badges.collect();
    if badges.is_empty() {
        vec![(image(page.query.language.as_ref()), None)]
    } else {
        badges
    }
}

/// Who sees the images, if reading is protected: a README cannot send a token.
fn who_sees_badges() -> Option<impl IntoView> {
    let facts: ServiceFacts = expect_context();
    let text = if facts.are_badges_open {
        "Reading is protected, but badges and trends are open to everyone (OPEN_BADGES)."
    } else {
        "Reading is protected: only people who are logged in here see these images. A README elsewhere shows them if the operator sets OPEN_BADGES=1, which opens the badges and trends of all orgs."
    };
    let is_protected = facts.is_reading_protected;
    is_protected.then(|| view! { <p class="small" data-testid="badge-readers">{text}</p> })
}

fn snippet(name: &'static str, text: String) -> impl IntoView {
    view! {
        <div class="snippet">
            <h3>{name}</h3>
            <CopyButton text=text.clone() label=name.to_owned()/>
            <pre tabindex="0" role="region" aria-label=name>{text}</pre>
        </div>
    }
}

/// Returns a shell command. The script finds the rest: branch, commit, author, coverage files and languages.
fn command(public_url: &str, repository: &Repository) -> String {
    let Repository { org, repo } = repository;
    let script = links::UPLOADER;
    // Names of orgs and repositories need no quotes; one may begin with a dash.
    format!("curl -fsS {public_url}{script} | sh -s -- --org={org} --repo={repo}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_names_the_repository() {
        let repository = "acme/platform/-payments".parse().expect("a repository");
        assert_eq!(
            command("https://coverage.example", &repository),
            "curl -fsS https://coverage.example/upload.sh | sh -s -- --org=acme/platform --repo=-payments"
        );
    }
}
