//! Tests of the page as it is rendered.

use crate::{
    Listed, ServiceFacts,
    recipe::{CI_SYSTEMS, LANGUAGES},
    testing::{FakeModel, render},
};
use domain::{Arrivals, FormerService, NewestRecord, Percentage, Sender, Timestamp, UploadAttempt};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn nothing() -> Arrivals {
    Arrivals {
        now: NOW,
        attempts: Vec::new(),
        newest: None,
    }
}

fn refused() -> UploadAttempt {
    let text = |text: &str| Some(text.to_owned());
    UploadAttempt {
        id: 9,
        received_at: NOW,
        milliseconds: 240,
        request_id: None,
        org: text("acme"),
        repo: text("demo"),
        branch: text("main"),
        commit: text("9be01d2"),
        language: text("rust"),
        part: None,
        sender: Sender::Known,
        token_name: text("ci"),
        status: 422,
        code: "coverage_file_not_found".to_owned(),
        detail: text(
            "The archive does not contain x.xml; set coverage_xml_file_name to one of: c.xml.",
        ),
        record_id: None,
        report_format: None,
        run_url: None,
        client: None,
        bytes: 3,
        changed_lines: None,
    }
}

fn newest() -> NewestRecord {
    NewestRecord {
        record_id: 7,
        repository: "acme/demo".parse().expect("a repository"),
        branch: "main".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        percentage: Percentage::from_basis_points(8_414),
        updated_at: NOW,
        has_report: true,
    }
}

async fn page_of(arrivals: Arrivals, facts: ServiceFacts, path: &str) -> String {
    let model = FakeModel {
        arrivals: Some(arrivals),
        facts,
        ..FakeModel::default()
    };
    let (status, html) = render(model, path).await;
    assert_eq!(status, 200, "{html}");
    html
}

async fn page(arrivals: Arrivals, path: &str) -> String {
    page_of(arrivals, ServiceFacts::default(), path).await
}

/// Whether the page makes the browser fetch it again.
fn renews_itself(html: &str) -> bool {
    html.contains("data-refresh=\"3\"")
}

#[tokio::test]
async fn without_a_choice_one_page_shows_all_recipes() {
    let html = page(nothing(), "/setup").await;
    for system in CI_SYSTEMS.iter() {
        assert!(
            html.contains(&format!("<summary>{}", system.name)),
            "{}",
            system.name
        );
    }
    for language in LANGUAGES.iter() {
        for tool in &language.tools {
            let command = tool.commands.lines().next().unwrap_or_default();
            let command = command
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            assert!(html.contains(&command), "{command} is not in {html}");
        }
    }
    assert!(
        html.contains("https://coverage.example/coverages-api"),
        "{html}"
    );
    assert!(
        html.contains("3. Check: waiting for the first upload") && renews_itself(&html),
        "{html}"
    );
    assert!(
        html.contains("any repository") && html.contains("Reload this page"),
        "{html}"
    );
}

#[tokio::test]
async fn a_recipe_is_filled_in_with_the_choice() {
    let path = "/setup?org_name=zoo%2Fsub&repo_name=lion&ci=jenkins&language=javascript&tool=jest";
    let html = page(nothing(), path).await;
    for shown in [
        "ORG=zoo/sub",
        "REPO=lion",
        "COVERAGE_URL=https://coverage.example",
        "coverage_xml_file_name=coverage/cobertura-coverage.xml",
        "language=javascript",
        "npx jest --coverage",
        "DATABASE_URL=\"…\" coverage-dashboard token create --name \"ci of lion\" --org zoo/sub --repo lion",
        "value=\"zoo/sub\"",
        "<option value=\"jenkins\" selected",
        "tool=vitest",
        "2. Upload the coverage from Jenkins",
        "          npm ci\n          npx jest --coverage",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(
        !html.contains("GITHUB_") && !html.contains("pytest"),
        "{html}"
    );
}

#[tokio::test]
async fn invalid_names_are_reported_and_in_no_recipe() {
    let html = page(
        nothing(),
        "/setup?org_name=a%20b&repo_name=%3Cscript%3E&ci=jenkins",
    )
    .await;
    assert!(html.contains("Org must be 1 to 255 bytes"), "{html}");
    assert!(html.contains("aria-invalid=\"true\""), "{html}");
    assert!(
        html.contains("ORG=acme") && !html.contains("<script>"),
        "{html}"
    );
}

#[tokio::test]
async fn a_refused_upload_is_shown_with_its_reason_while_the_page_waits() {
    let arrivals = Arrivals {
        attempts: vec![refused()],
        ..nothing()
    };
    let html = page(arrivals, "/setup?org_name=acme&repo_name=demo").await;
    for shown in [
        "3. Check: an upload was refused",
        "No upload was accepted from <b><bdi>acme/demo",
        "The archive does not contain x.xml",
        "check that the archive contains it",
        "aria-live=\"polite\"",
        "href=\"/uploads?repo=acme%2Fdemo\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(renews_itself(&html), "{html}");
}

#[tokio::test]
async fn an_accepted_upload_is_shown_and_the_page_stops_refreshing() {
    let taken = UploadAttempt {
        status: 201,
        record_id: Some(7),
        ..refused()
    };
    let waiting = Arrivals {
        attempts: vec![taken.clone()],
        ..nothing()
    };
    let html = page(waiting, "/setup?org_name=acme&repo_name=demo").await;
    let says = html.contains("not current yet") && html.contains("href=\"/records/7\"");
    assert!(says && renews_itself(&html), "{html}");
    let arrivals = Arrivals {
        attempts: vec![taken, refused()],
        newest: Some(newest()),
        ..nothing()
    };
    let html = page(arrivals, "/setup?org_name=acme&repo_name=demo").await;
    for shown in [
        "3. Check: the upload has arrived",
        "84.14",
        "href=\"/records/7\"",
        "href=\"/reports/7/\"",
        "href=\"/repos/acme/demo\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(
        !html.contains("The archive does not contain x.xml"),
        "{html}"
    );
    assert!(!renews_itself(&html), "{html}");
}

#[tokio::test]
async fn a_refusal_after_a_record_is_shown_beside_it_and_the_page_waits() {
    let arrivals = Arrivals {
        attempts: vec![refused()],
        newest: Some(newest()),
        ..nothing()
    };
    let html = page(arrivals.clone(), "/setup?org_name=acme&repo_name=demo").await;
    assert!(
        html.contains("3. Check: an upload was refused") && html.contains("84.14"),
        "{html}"
    );
    assert!(renews_itself(&html), "{html}");
    let html = page(arrivals, "/setup").await;
    assert!(
        html.contains("Latest upload") && !renews_itself(&html),
        "{html}"
    );
}

#[tokio::test]
async fn working_methods_come_first_and_addresses_are_for_readers_only() {
    let facts = |is_reading_protected| ServiceFacts {
        is_reading_protected,
        issuers: [Listed {
            kind: "gitlab",
            address: "https://gitlab.inside.example".to_owned(),
        }]
        .into(),
        apis: [].into(),
        ..ServiceFacts::default()
    };
    let place = |html: &str, way: &str| html.find(&format!("aria-label=\"the recipe for {way}"));
    let html = page_of(nothing(), facts(false), "/setup?ci=gitlab").await;
    assert!(
        html.contains("1. Authorise the job: no secret is needed"),
        "{html}"
    );
    let with_identity = place(&html, "GitLab CI, without a secret");
    assert!(
        with_identity.is_some() && with_identity < place(&html, "GitLab CI, with a token"),
        "{html}"
    );
    assert!(
        html.contains("Set up for GitLab") && !html.contains("inside"),
        "{html}"
    );
    assert!(
        html.contains("runs pytest (or the tests of the language that you choose above)"),
        "{html}"
    );
    let html = page_of(nothing(), facts(true), "/setup?ci=github").await;
    for shown in [
        "id-token: write # to prove",
        "- uses: acme/coverage-dashboard@v1",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(html.contains("not set up on this service yet"), "{html}");
    assert!(html.contains("1. Store a token as a secret"), "{html}");
    let with_token = place(&html, "GitHub Actions, with a token");
    assert!(
        with_token.is_some() && with_token < place(&html, "GitHub Actions, without a secret"),
        "{html}"
    );
    assert!(html.contains("https://gitlab.inside.example"), "{html}");
}

#[tokio::test]
async fn a_job_of_another_service_changes_an_address_and_a_token() {
    let facts = |accepts: &[FormerService]| ServiceFacts {
        accepts: accepts.into(),
        ..ServiceFacts::default()
    };
    let accepting = facts(FormerService::ALL);
    let path = "/setup?org_name=acme&repo_name=demo&from=codecov";
    let html = page_of(nothing(), accepting.clone(), path).await;
    for shown in [
        "Keep the client of Codecov",
        "<ins>+    url: https://coverage.example",
        "with:\n    url: https://coverage.example",
        "CODECOV_URL=https://coverage.example",
        "CC_ENTERPRISE_URL=https://coverage.example",
        "CODECOV_TOKEN",
        "coverage-dashboard translate codecov.yml",
        "https://coverage.example/gh/acme/demo/graph/badge.svg",
        "href=\"/uploads?repo=acme%2Fdemo\"",
        "<option value=\"codecov\" selected",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(
        !html.contains("ACCEPT=") && !html.contains("Keep the client of Coveralls"),
        "{html}"
    );
    let html = page_of(nothing(), accepting, "/setup?from=coveralls").await;
    for shown in [
        "COVERALLS_ENDPOINT=https://coverage.example",
        "COVERALLS_HOST=https://coverage.example",
        "coveralls-endpoint: https://coverage.example",
        "/repos/github/acme/",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    for (accepts, service) in [
        (&[][..], "codecov"),
        (&[FormerService::Codecov], "coveralls"),
    ] {
        let path = format!("/setup?from={service}");
        let html = page_of(nothing(), facts(accepts), &path).await;
        let needed = format!("the operator sets <code class=\"whole\">ACCEPT={service}</code>.");
        assert!(html.contains(&needed), "{html}");
    }
    let html = page(nothing(), "/setup?from=other").await;
    assert!(!html.contains("Keep the client"), "{html}");
}
