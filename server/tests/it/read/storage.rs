//! `/storage` and its metrics: sums of real uploads, the next prune, pins, the grace period, quotas and the forecast.

use crate::{
    harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, noise},
    operate::metrics::exposition::Exposition,
};

const DAY: i64 = 86_400_000_000;

/// A service that reads its database for each page and each request of metrics.
async fn start(arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "storage_cache_seconds", "0"];
    TestServer::start_with(&[&own, arguments].concat()).await
}

/// Uploads a report of about `kilobytes` and dates it `days` back. Returns the id of its record.
async fn upload(server: &TestServer, of: (&str, &str, &str), kilobytes: usize, days: i64) -> i64 {
    let (repo, branch, commit) = of;
    let archive =
        Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(kilobytes * 1_000));
    let answer = Upload::of(archive.tar_gz())
        .with("repo_name", repo)
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
    let id = answer["coverage"]["id"].as_i64().unwrap();
    sqlx::query("update records set updated_at = updated_at - $1 where id = $2")
        .bind(days * DAY)
        .bind(id)
        .execute(&mut server.database().await)
        .await
        .unwrap();
    id
}

async fn metrics(server: &TestServer) -> Exposition {
    Exposition::parsed(&server.get_text("/metrics").await)
}

/// The text of the page: what is between its tags.
async fn text(server: &TestServer) -> String {
    let html = server.get_text("/storage").await;
    let (_, main) = html.split_once("<main").unwrap();
    let parts = main.split('<');
    let parts = parts.filter_map(|part| part.split_once('>').map(|(_, text)| text));
    parts.collect::<String>()
}

/// What the command prints for people.
fn notes(server: &TestServer, arguments: &[&str]) -> String {
    let output = server.command(arguments).output().unwrap();
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{notes}");
    notes
}

#[tokio::test]
async fn a_new_service_stores_no_reports_but_has_a_database() {
    let server = start(&[]).await;
    let page = text(&server).await;
    assert!(page.contains("No HTML reports yet"), "{page}");
    let metrics = metrics(&server).await;
    for age in ["0-7d", "7-28d", "28-90d", "90-365d", "365d-"] {
        let labels = [("age", age)];
        assert_eq!(metrics.value("coverage_stored_reports", &labels), 0.0);
        assert_eq!(metrics.value("coverage_stored_report_bytes", &labels), 0.0);
    }
    assert!(metrics.value("database_size_bytes", &[]) > 10_000.0);
    assert_eq!(metrics.series("coverage_prunable_reports").count(), 0);
    assert_eq!(
        metrics
            .series("coverage_next_prune_timestamp_seconds")
            .count(),
        0
    );
}

#[tokio::test]
async fn reports_are_summed_by_age_and_by_repository() {
    let server = start(&[]).await;
    upload(&server, ("large", "main", "c1"), 60, 100).await;
    upload(&server, ("large", "fix", "c2"), 30, 10).await;
    upload(&server, ("small", "main", "c1"), 9, 400).await;
    upload(&server, ("small", "main", "c2"), 1, 0).await;
    let numbers = Archive::new().file("coverage.xml", cobertura(1, 2));
    let numbers = Upload::of(numbers.tar_gz()).with("repo_name", "numbers");
    numbers.accepted(&server).await;
    let page = text(&server).await;
    let (before, repositories) = page.split_once("By repository").unwrap();
    assert!(!repositories.contains("numbers"), "{repositories}");
    let [large, small] = ["large", "small"].map(|name| repositories.find(name).unwrap());
    assert!(large < small, "{repositories}");
    assert!(before.contains("4 HTML reports"), "{before}");
    let has_folder = std::env::var_os("COVERAGE_TEST_REPORTS").is_none();
    assert_eq!(before.contains("free on the disk"), has_folder, "{before}");
    let metrics = metrics(&server).await;
    let of = |age| {
        let labels = [("age", age)];
        let reports = metrics.value("coverage_stored_reports", &labels);
        (
            reports,
            metrics.value("coverage_stored_report_bytes", &labels),
        )
    };
    for (age, kilobytes) in [
        ("0-7d", 1.0),
        ("7-28d", 30.0),
        ("90-365d", 60.0),
        ("365d-", 9.0),
    ] {
        let (reports, bytes) = of(age);
        assert_eq!(reports, 1.0, "{age}");
        let around = kilobytes * 1_000.0..kilobytes * 1_000.0 + 2_000.0;
        assert!(around.contains(&bytes), "{age}: {bytes}");
    }
    assert_eq!(of("28-90d"), (0.0, 0.0));
}

#[tokio::test]
async fn the_next_prune_is_exactly_what_a_dry_run_lists() {
    let rules = [
        "--keep-reports-days",
        "30",
        "--keep-weekly-reports-days",
        "200",
        "--keep-reports-per-branch",
        "6",
    ];
    let server = start(&rules).await;
    let mut pinned = 0;
    for (number, days) in [1, 20, 29, 31, 33, 40, 41, 60, 61, 100, 199, 210, 300]
        .into_iter()
        .enumerate()
    {
        for (kilobytes, branch) in [(2, "main"), (3, "fix")] {
            let commit = format!("c{number}");
            pinned = upload(&server, ("payments", branch, &commit), kilobytes, days).await;
        }
    }
    // Both are older than the rules allow.
    upload(&server, ("old", "main", "c1"), 4, 500).await;
    let unconfirmed = upload(&server, ("old", "main", "c2"), 4, 400).await;
    sqlx::query(
        "update records set unconfirmed_at = updated_at, superseded_at = updated_at where id = $1",
    )
    .bind(unconfirmed)
    .execute(&mut server.database().await)
    .await
    .unwrap();
    notes(&server, &["pin", &pinned.to_string()]);
    let dry = notes(&server, &[&["prune", "--dry-run"][..], &rules[..]].concat());
    let metrics = metrics(&server).await;
    let prunable = metrics.value("coverage_prunable_reports", &[]);
    let bytes = metrics.value("coverage_prunable_report_bytes", &[]);
    assert!(prunable > 10.0, "{dry}");
    let expected = format!("{prunable} of 28 reports would be removed, {bytes} bytes;");
    assert!(dry.contains(&expected), "{expected} is not in {dry}");
    let page = text(&server).await;
    for shown in [
        format!("would now remove {prunable} of 28 reports, "),
        "is not set".to_owned(),
        "Never removed3 reports, ".to_owned(),
    ] {
        assert!(page.contains(&shown), "{shown} is not in {page}");
    }
}

#[tokio::test]
async fn a_service_that_prunes_states_when() {
    let rules = ["--keep-reports-days", "30", "--prune-at", "03:00"];
    let server = start(&rules).await;
    upload(&server, ("payments", "main", "c1"), 5, 60).await;
    upload(&server, ("payments", "fix", "c2"), 5, 60).await;
    let page = text(&server).await;
    assert!(
        page.contains("03:00 UTC") && page.contains("remove 1 of 2 reports"),
        "{page}"
    );
    let metrics = metrics(&server).await;
    let next = metrics.value("coverage_next_prune_timestamp_seconds", &[]);
    let read = metrics.value("coverage_storage_read_timestamp_seconds", &[]);
    assert!((0.0..=86_400.0).contains(&(next - read)), "{read} {next}");
}

#[tokio::test]
async fn pinned_and_replaced_reports_are_counted_apart() {
    let server = start(&[]).await;
    let id = upload(&server, ("payments", "main", "c1"), 5, 0).await;
    upload(&server, ("payments", "main", "c2"), 7, 0).await;
    upload(&server, ("payments", "main", "c2"), 7, 0).await;
    notes(&server, &["pin", &id.to_string()]);
    let page = server.get_text("/storage").await;
    assert!(page.contains(&format!("href=\"/records/{id}\"")), "{page}");
    assert!(page.contains("Now: 1 report"), "{page}");
    let metrics = metrics(&server).await;
    let pinned = metrics.value("coverage_pinned_report_bytes", &[]);
    let released = metrics.value("coverage_released_report_bytes", &[]);
    assert_eq!(metrics.value("coverage_pinned_reports", &[]), 1.0);
    assert_eq!(metrics.value("coverage_released_reports", &[]), 1.0);
    assert!(5_000.0 < pinned && pinned < released, "{pinned} {released}");
    notes(&server, &["unpin", &id.to_string()]);
    let page = text(&server).await;
    assert!(page.contains("Pinnednone"), "{page}");
}

#[tokio::test]
async fn a_forecast_needs_a_week_and_then_states_when_a_quota_is_reached() {
    let quota = ["--quota-bytes-per-org", "1000000"];
    let server = start(&quota).await;
    upload(&server, ("payments", "main", "c1"), 50, 0).await;
    upload(&server, ("payments", "main", "c2"), 100, 60).await;
    let page = text(&server).await;
    assert!(
        page.contains("A forecast needs a week of uploads"),
        "{page}"
    );
    sqlx::query("update repositories set created_at = created_at - $1")
        .bind(70 * DAY)
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let page = text(&server).await;
    for shown in [
        "uploaded in the last 30 days, 50 kB are kept: 1.6 kB a day.",
        "In 30 days201 kB+50 kB",
        "In 90 days",
        // 1,000 kB less 151 kB at 50 kB in 30 days.
        "1.0 MB15.",
        "in 50",
    ] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
}

#[tokio::test]
async fn source_text_counts_in_the_size_of_a_quota() {
    let arguments = [
        "--sources",
        "accept",
        "--quota-bytes-per-repository",
        "1000000",
    ];
    let server = start(&arguments).await;
    upload(&server, ("payments", "main", "c1"), 1, 0).await;
    let noise: String = noise(100_000)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let lcov = Archive::new().file("lcov.info", "SF:a.c\nDA:1,1\nend_of_record\n");
    Upload::of(lcov.tar_gz())
        .with("coverage_xml_file_name", "lcov.info")
        .with("commit_hash", "c2")
        .before("sources", &Archive::new().file("a.c", noise).tar())
        .accepted(&server)
        .await;
    let page = server.get_text("/storage").await;
    let (_, quotas) = page.split_once("data-testid=\"quotas\"").unwrap();
    let (size, _) = quotas.split_once(" kB").unwrap();
    let (_, size) = size.rsplit_once('>').unwrap();
    let kilobytes: u32 = size.parse().unwrap();
    assert!((101..110).contains(&kilobytes), "{quotas}");
}

#[tokio::test]
async fn rules_that_contradict_each_other_are_shown_and_prune_nothing() {
    let server = start(&["--keep-weekly-reports-days", "30"]).await;
    upload(&server, ("payments", "fix", "c1"), 5, 60).await;
    let page = text(&server).await;
    assert!(
        page.contains("KEEP_WEEKLY_REPORTS_DAYS needs KEEP_REPORTS_DAYS"),
        "{page}"
    );
}

#[tokio::test]
async fn the_page_keeps_what_it_read_for_a_while() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "storage_cache_seconds", "86400"]).await;
    assert!(text(&server).await.contains("No HTML reports yet"));
    upload(&server, ("payments", "main", "c1"), 5, 0).await;
    assert!(text(&server).await.contains("No HTML reports yet"));
}

#[tokio::test]
async fn a_failed_reading_shows_what_was_read_before_or_an_error() {
    for was_read in [true, false] {
        let server = start(&[]).await;
        upload(&server, ("payments", "main", "c1"), 5, 0).await;
        if was_read {
            assert!(text(&server).await.contains("1 HTML report"));
        }
        let mut database = server.database().await;
        sqlx::query("alter table orphaned_reports rename to gone")
            .execute(&mut database)
            .await
            .unwrap();
        let answer = server.get("/storage").await;
        let expected = if was_read { 200 } else { 503 };
        assert_eq!(answer.status(), expected);
        let page = answer.text().await.unwrap();
        assert_eq!(page.contains("acme/payments"), was_read, "{page}");
        let metrics = server.get_text("/metrics").await;
        assert_eq!(metrics.contains("coverage_storage_"), was_read, "{metrics}");
    }
}

#[tokio::test]
async fn the_largest_200_repositories_are_listed() {
    let server = start(&[]).await;
    upload(&server, ("first", "main", "c1"), 30, 0).await;
    let mut database = server.database().await;
    for statement in [
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 202)
         insert into repositories (org_name, repo_name, created_at)
         select 'many', 'repo-' || cast(n.i as text), 0 from n",
        "insert into branches (repository_id, name)
         select p.id, 'main' from repositories p where p.org_name = 'many'",
        "insert into records (repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points,
             report_format, report_key, report_start_page, created_at, updated_at, report_bytes)
         select p.id, b.id, r.language, r.commit_hash, r.commit_author, r.percentage_basis_points, r.report_format,
             r.report_key || p.repo_name, r.report_start_page, r.created_at, r.updated_at, 1000
         from records r, repositories p join branches b on b.repository_id = p.id
         where p.org_name = 'many'",
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    let html = server.get_text("/storage").await;
    assert_eq!(html.matches("data-label=\"Oldest\"").count(), 200);
    let page = text(&server).await;
    let more = "3 more repositories have 3 reports, 3.0 kB.";
    assert!(page.contains(more), "{page}");
    assert!(page.contains("203 HTML reports"), "{page}");

    for (order, first, last) in [
        ("name", "acme/first", "many/repo-96"),
        ("-name", "many/repo-99", "many/repo-100"),
        ("size", "many/repo-1", "many/repo-97"),
    ] {
        let html = server
            .get_text(&format!("/storage?repositories={order}"))
            .await;
        let place = |name: &str| html.find(&format!("href=\"/repos/{name}\""));
        assert!(
            place(first) < place(last) && place(first).is_some(),
            "{order}"
        );
    }
}
