//! Every address of the service, with a name in every part that accepts one.

use super::seed::Seeded;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Encodes a name as part of an address.
pub fn encoded(name: &str) -> String {
    utf8_percent_encode(name, NON_ALPHANUMERIC).to_string()
}

/// Addresses by route. A page without an entry is requested with a name in every parameter that pages usually have.
pub fn places(of: &Seeded) -> Vec<(String, Vec<String>)> {
    let name = encoded(&of.name);
    let [first, second] = of.records;
    let repository = "org_name=acme&repo_name=payments";
    let places: [(&str, &[&str]); 75] = [
        ("/ci/gitlab.yml", &["/ci/gitlab.yml"]),
        ("/llms.txt", &["/llms.txt"]),
        ("/upload.sh", &["/upload.sh"]),
        ("/upload.sh.sha256", &["/upload.sh.sha256"]),
        (
            "/download/{target}",
            &["/download/N", "/download/x86_64-linux.sha256"],
        ),
        (
            "/flicker",
            &["/flicker?repo=acme/payments", "/flicker?repo=N"],
        ),
        (
            "/views",
            &[
                "/views?repo=acme/payments&under=N&from=N&to=N&branch_name=N",
                "/views?repo=acme/payments&kind=owner",
                "/views?repo=N&kind=N",
            ],
        ),
        (
            "/cold",
            &[
                "/cold?repo=acme/payments&language=N&days=N&view=owner%3AN",
                "/cold?repo=N",
            ],
        ),
        (
            "/owners",
            &["/owners?org_name=acme&owner=N", "/owners?org_name=N"],
        ),
        (
            "/gates",
            &[
                "/gates?org_name=acme&by=N&from=N&to=N",
                "/gates?org_name=acme&repo_name=N",
                "/gates?R",
                "/gates?org_name=N",
            ],
        ),
        (
            "/coverages-api/gates.csv",
            &[
                "/coverages-api/gates.csv?R",
                "/coverages-api/gates.csv?org_name=acme&repo_name=N&by=N",
            ],
        ),
        (
            "/report",
            &[
                "/report?org_name=acme&owner=N&from=N&to=N",
                "/report?org_name=acme&owner=none",
                "/report?org_name=N",
            ],
        ),
        (
            "/coverages-api/report",
            &[
                "/coverages-api/report?org_name=acme",
                "/coverages-api/report?org_name=N&owner=N&from=N",
            ],
        ),
        (
            "/coverages-api/views",
            &["/coverages-api/views?org_name=acme&repo_name=payments&under=N&kind=N"],
        ),
        (
            "/coverages-api/views.csv",
            &["/coverages-api/views.csv?org_name=acme&repo_name=N&under=N"],
        ),
        (
            "/coverages-api/owners",
            &["/coverages-api/owners?org_name=N"],
        ),
        (
            "/coverages-api/owners.csv",
            &["/coverages-api/owners.csv?org_name=N"],
        ),
        (
            "/coverages-api/records",
            &[
                "/coverages-api/records?org_name=acme&repo_name=payments&commit_hash=N&pull_request=N",
            ],
        ),
        (
            "/coverages-api/records/{id}/new",
            &[
                "/coverages-api/records/2ND/new?since=N",
                "/coverages-api/records/2ND/new?since=tag:N",
            ],
        ),
        (
            "/coverages-api/records/{id}/source",
            &["/coverages-api/records/2ND/source?path=N"],
        ),
        (
            "/coverages-api/cold",
            &["/coverages-api/cold?org_name=N&repo_name=N&language=N&days=N"],
        ),
        (
            "/coverages-api/records/{id}/explanation",
            &[
                "/coverages-api/records/2ND/explanation",
                "/coverages-api/records/2ND/explanation?base=N",
            ],
        ),
        (
            "/",
            &[
                "/",
                "/?keyword=N",
                "/?keyword=pay&org_name=N&language=N&show=N&sort=N&p=N",
            ],
        ),
        (
            "/orgs",
            &["/orgs", "/orgs?range=N&from=N&to=N&mean=N&over=N"],
        ),
        (
            "/orgs/{*org}",
            &[
                "/orgs/acme",
                "/orgs/acme?range=N&from=N&to=N&mean=N&over=N&language=N",
                "/orgs/N",
            ],
        ),
        (
            "/repos/{*name}",
            &[
                "/repos/acme/payments",
                "/repos/acme/payments?branch_name=N",
                "/repos/acme/payments?branch_name=N&compare=N&compare=main&language=rust",
                "/repos/acme/payments?keyword=N&language=N&range=N&before=N&p=N",
                "/repos/acme/payments?branch_name=no%20N",
                "/repos/acme/payments?view=owner%3AN&metric=N&since=tag%3AN",
                "/repos/acme/payments?dir=N&sort=uncovered",
                "/repos/acme/payments?tab=branches&branch_name=N",
                "/repos/acme/payments?tab=history&branch_name=N&from=N&to=N",
                "/repos/acme/payments?tab=badge&branch_name=N",
                "/repos/acme/payments/pulls?before=N",
                "/repos/acme/payments/cold?days=N",
                "/repos/acme/payments/pulls/7?p=N",
                "/repos/acme/payments/pulls/8",
                "/repos/N/pulls/7",
                "/repos/acme/N",
            ],
        ),
        (
            "/records/{id}",
            &[
                "/records/2ND",
                "/records/2ND?as=flat&file=N",
                "/records/2ND?view=owner%3AN",
                "/records/2ND?view=folder%3Asrc&file=N",
                "/records/2ND?dir=src%2FN&sort=N",
                "/records/2ND?dir=no%20N",
                "/records/2ND?refused=N",
                "/records/N",
            ],
        ),
        (
            "/records/{id}/parts",
            &["/records/2ND/parts", "/records/N/parts"],
        ),
        (
            "/records/{id}/source",
            &["/records/2ND/source?path=N", "/records/N/source"],
        ),
        (
            "/records/{id}/tests",
            &["/records/2ND/tests", "/records/N/tests"],
        ),
        (
            "/coverages-api/records/{id}/tests",
            &["/coverages-api/records/2ND/tests?path=N&line=N&p=N"],
        ),
        (
            "/compare",
            &[
                "/compare",
                "/compare?base=1ST&head=2ND",
                "/compare?head=2ND&others=1",
                "/compare?base=1ST&head=2ND&view=owner%3AN&metric=N",
                "/compare?base=1ST&head=2ND&view=folder%3Asrc&metric=branches",
                "/compare?base=acme/payments@N&head=acme/payments@main",
                "/compare?base=acme/payments@no%20N&head=2ND",
                "/compare?base=N&head=N&language=N",
            ],
        ),
        ("/authors", &["/authors", "/authors?name=N"]),
        (
            "/authors/{*author}",
            &[
                "/authors/N",
                "/authors/N?repo=acme/payments&language=N&after=N",
                "/authors/no%20N",
            ],
        ),
        (
            "/uploads",
            &[
                "/uploads",
                "/uploads?repo=N&code=N&outcome=N&sender=N&before=N",
            ],
        ),
        ("/storage", &["/storage", "/storage?repositories=N"]),
        ("/audit", &["/audit", "/audit?repo=N&action=N&before=N"]),
        ("/settings", &["/settings", "/settings?tokens=N"]),
        (
            "/admin/delete",
            &["/admin/delete?record=2ND", "/admin/delete?record=N"],
        ),
        (
            "/admin/revoke",
            &["/admin/revoke?token=1", "/admin/revoke?token=N"],
        ),
        (
            "/admin/gate",
            &[
                "/admin/gate?R&changed=80",
                "/admin/gate?R&changed=N&paths=N&parts=N",
                "/admin/gate?org_name=N&repo_name=N",
            ],
        ),
        (
            "/setup",
            &[
                "/setup",
                "/setup?org_name=N&repo_name=N&ci=N&language=N&tool=N&from=codecov",
                "/setup?org_name=acme&repo_name=payments",
            ],
        ),
        ("", &["/N", "/pkg/N"]),
        (
            "/coverages-api",
            &[
                "/coverages-api?full",
                "/coverages-api?full&branch_name=N&commit_author=N",
                "/coverages-api?org_name=N&p=N&language=N",
            ],
        ),
        (
            "/coverages-api/badge",
            &[
                "/coverages-api/badge?R&branch_name=N&label=N",
                "/coverages-api/badge?R&language=N&label=N&palette=N",
                "/coverages-api/badge?record=2ND&label=N",
                "/coverages-api/badge?record=N",
            ],
        ),
        (
            "/coverages-api/badge.json",
            &["/coverages-api/badge.json?R&branch_name=N&label=N"],
        ),
        (
            "/coverages-api/trend",
            &[
                "/coverages-api/trend?R&branch_name=N&compare=main&compare=N",
                "/coverages-api/trend?org_name=N&repo_name=N&from=N",
            ],
        ),
        (
            "/coverages-api/base",
            &["/coverages-api/base?R&branch_name=N&language=N&commit_hash=N&ancestors=N"],
        ),
        (
            "/coverages-api/repositories",
            &["/coverages-api/repositories"],
        ),
        (
            "/coverages-api/records/{id}",
            &["/coverages-api/records/2ND"],
        ),
        (
            "/coverages-api/records/{id}/lines",
            &["/coverages-api/records/2ND/lines?path=N"],
        ),
        (
            "/coverages-api/records/{id}/changes",
            &["/coverages-api/records/2ND/changes"],
        ),
        (
            "/coverages-api/records/{id}/report.lcov",
            &["/coverages-api/records/2ND/report.lcov"],
        ),
        (
            "/coverages-api/records/{id}/report.cobertura.xml",
            &["/coverages-api/records/2ND/report.cobertura.xml"],
        ),
        (
            "/coverages-api/search",
            &[
                "/coverages-api/search?q=N",
                "/coverages-api/search?q=a&R",
                "/coverages-api/search?q=c2&org_name=N&repo_name=N",
            ],
        ),
        (
            "/coverages-api/preview.png",
            &[
                "/coverages-api/preview.png?R&branch_name=N",
                "/coverages-api/preview.png?record=2ND",
            ],
        ),
        (
            "/coverages-api/trend.svg",
            &[
                "/coverages-api/trend.svg?R&branch_name=N",
                "/coverages-api/trend.svg?org_name=acme",
                "/coverages-api/trend.svg?org_name=N&repo_name=N&range=N",
            ],
        ),
        (
            "/coverages-api/orgs/trend.csv",
            &[
                "/coverages-api/orgs/trend.csv?org_name=acme",
                "/coverages-api/orgs/trend.csv?org_name=N&range=N",
            ],
        ),
        (
            "/coverages-api/orgs/groups.csv",
            &["/coverages-api/orgs/groups.csv?range=all"],
        ),
        (
            "/coverages-api/orgs/movements.csv",
            &["/coverages-api/orgs/movements.csv?org_name=acme&range=all"],
        ),
        (
            "/coverages-api/assets/{org_name}/{repo_name}/{branch_name}/archive/{path}",
            &[
                "/coverages-api/assets/acme/payments/N/archive/N",
                "/coverages-api/assets/acme/payments/N/archive/sub/N.txt",
            ],
        ),
        ("/coverages-api/health", &["/coverages-api/health"]),
        ("/coverages-api/live", &["/coverages-api/live"]),
        ("/coverages-api/ready", &["/coverages-api/ready"]),
        (
            "/coverages-api/openapi.json",
            &["/coverages-api/openapi.json", "/coverages-api/N"],
        ),
        ("/metrics", &["/metrics"]),
        ("/reports/{id}", &["/reports/2ND", "/reports/N"]),
        ("/reports/{id}/", &["/reports/2ND/"]),
        (
            "/reports/{id}/parts/{part}/",
            &["/reports/2ND/parts/N/", "/reports/2ND/parts/-/N"],
        ),
        (
            "/reports/{id}/{path}",
            &[
                "/reports/2ND/sub/",
                "/reports/2ND/sub/N/",
                "/reports/2ND/N",
                "/reports/2ND/@N/N",
            ],
        ),
        ("/reports/{id}.zip", &["/reports/N.zip"]),
        ("/login", &["/login?next=N", "/login?next=/repos/N"]),
        ("/login/start", &["/login/start?next=N"]),
        (
            "/login/callback",
            &["/login/callback?code=N&state=N&iss=N&error=N"],
        ),
        (
            "/coverages-ui/{*path}",
            &[
                "/coverages-ui/acme/user/N",
                "/coverages-ui/acme/payments",
                "/coverages-ui/N",
            ],
        ),
    ];
    let fill = |address: &str| {
        address
            .replace('R', repository)
            .replace("1ST", &first.to_string())
            .replace("2ND", &second.to_string())
            .replace('N', &name)
    };
    let pages = leptos_axum::generate_route_list(app::App);
    let pages = pages.iter().map(|page| page.path().to_owned());
    let has_entry = |page: &str| places.iter().any(|(route, _)| *route == page);
    let others = pages.filter(|page| !page.contains('{') && !has_entry(page));
    let others = others.map(|page| {
        let address =
            format!("{page}?keyword=N&org_name=N&repo_name=N&branch_name=N&repo=N&language=N&p=N");
        (page, vec![fill(&address)])
    });
    let filled = places.iter().map(|(route, addresses)| {
        let addresses = addresses.iter().map(|address| fill(address));
        ((*route).to_owned(), addresses.collect())
    });
    filled.chain(others).collect()
}
