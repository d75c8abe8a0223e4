//! Damage to derived tables and to the database file.

use super::{assert_found, assert_repaired, execute, numbers, server_with_records, verify};
use crate::{
    harness::{Archive, TOKEN, TestServer, Upload, cobertura, is_postgres},
    read::line_history::with_history,
};

#[tokio::test]
async fn a_wrong_count_of_a_repository_is_found_and_repaired() {
    let server = server_with_records().await;
    let before = numbers(&server).await;
    let damage = "update repositories set current_count = current_count + 1";
    execute(&server, &[damage]).await;
    let kinds = ["wrong_counts", "wrong_org_counts"];
    assert_found(&server, &kinds);
    assert_repaired(&server, &kinds);
    assert_eq!(numbers(&server).await, before);
}

#[tokio::test]
async fn a_wrong_count_of_an_org_is_found_and_repaired() {
    let server = server_with_records().await;
    execute(&server, &["update orgs set record_count = 99"]).await;
    let verified = assert_found(&server, &["wrong_org_counts"]);
    assert_eq!(verified.lines[0]["org"], "acme");
    assert_repaired(&server, &["wrong_org_counts"]);
    execute(&server, &["delete from orgs"]).await;
    assert_found(&server, &["wrong_org_counts"]);
    assert_repaired(&server, &["wrong_org_counts"]);
}

#[tokio::test]
async fn a_wrong_count_of_a_branch_is_found_and_repaired() {
    let server = server_with_records().await;
    let damage = "update branches set record_count = 7 where name = 'fix'";
    execute(&server, &[damage]).await;
    let verified = assert_found(&server, &["wrong_branch_count"]);
    assert_eq!(verified.lines[0]["repository"], "acme/payments");
    assert_repaired(&server, &["wrong_branch_count"]);
}

#[tokio::test]
async fn missing_and_duplicate_places_are_found_and_repaired() {
    let server = server_with_records().await;
    let before = numbers(&server).await;
    for damage in [
        "update records set place = place + 10",
        "update records set place = 2",
        "update records set place = 5 where place = 2",
    ] {
        execute(&server, &[damage]).await;
        assert_found(&server, &["wrong_places"]);
        assert_repaired(&server, &["wrong_places"]);
        assert_eq!(numbers(&server).await, before, "{damage}");
    }
}

#[tokio::test]
async fn a_main_branch_that_contradicts_the_rules_is_found_and_repaired() {
    let server = server_with_records().await;
    let damage = "
        update repositories set main_branch_id = (select b.id from branches b where b.name = 'fix')";
    execute(&server, &[damage]).await;
    let kinds = ["wrong_main_branch", "wrong_series", "wrong_summary"];
    assert_found(&server, &kinds);
    assert_repaired(&server, &kinds);
}

#[tokio::test]
async fn a_summary_that_contradicts_its_records_is_found_and_repaired() {
    let server = server_with_records().await;
    let summary = &["wrong_summary"][..];
    let and_sums = &["wrong_summary", "wrong_sums"];
    for (damage, kinds) in [
        ("update main_records set percentage_before = 1", summary),
        ("update main_records set lines_covered = null", and_sums),
        ("update main_records set branches_total = 7", summary),
        ("delete from main_records", and_sums),
    ] {
        execute(&server, &[damage]).await;
        assert_found(&server, kinds);
        assert_repaired(&server, kinds);
    }
}

#[tokio::test]
async fn a_wrong_percentage_of_a_week_ago_is_found_and_repaired() {
    let server = server_with_records().await;
    execute(
        &server,
        &["update main_records set percentage_week_ago = 1, week_ago_until = updated_at"],
    )
    .await;
    assert_found(&server, &["wrong_week_ago"]);
    assert_repaired(&server, &["wrong_week_ago"]);
}

#[tokio::test]
async fn a_trend_that_contradicts_its_records_is_found_and_repaired() {
    let server = server_with_records().await;
    for damage in [
        "update trend_spans set records = records + 1",
        "update trend_spans set lowest = highest, highest = highest + 1",
        "insert into trend_spans select distinct branch_id, language, 7, 1, 1, 1 from records",
    ] {
        // Only long branches have spans.
        let counted = "
            insert into trend_spans
            select branch_id, language, updated_at / 21600000000, count(*), min(percentage_basis_points * 562949953421312 + id),
                   max(percentage_basis_points * 562949953421312 + id)
            from records group by 1, 2, 3";
        execute(&server, &[counted]).await;
        assert_eq!(verify(&server, &[]).code, 0);
        execute(&server, &[damage]).await;
        assert_found(&server, &["wrong_trend"]);
        assert_repaired(&server, &["wrong_trend"]);
    }
}

#[tokio::test]
async fn wrong_days_of_a_main_branch_or_of_an_org_are_found_and_repaired() {
    let server = server_with_records().await;
    for (damage, kinds) in [
        (
            "update main_series set repo_name = 'x'",
            &["wrong_series"][..],
        ),
        (
            "update main_series set first_at = first_at + 1",
            &["wrong_series"],
        ),
        (
            "update main_series set first_at = first_at + 86400000000",
            &["wrong_series", "wrong_sums"],
        ),
        (
            "update main_days set lines_covered = lines_covered - 1",
            &["wrong_days"],
        ),
        ("delete from main_days", &["wrong_days"]),
        (
            "insert into main_days select repository_id, language, 7, org_name, 0, 1 from main_series",
            &["wrong_days"],
        ),
        (
            "update org_days set lines_total = lines_total + 1",
            &["wrong_org_counts"],
        ),
        ("delete from org_days", &["wrong_org_counts"]),
        (
            "update main_repositories set lines_total = lines_total + 1",
            &["wrong_sums"],
        ),
        ("delete from main_repositories", &["wrong_sums"]),
    ] {
        execute(&server, &[damage]).await;
        assert_found(&server, kinds);
        assert_repaired(&server, kinds);
    }
}

#[tokio::test]
async fn two_current_records_of_a_branch_are_found() {
    let server = server_with_records().await;
    execute(
        &server,
        &[
            "drop index records_current",
            "update records set superseded_at = null",
        ],
    )
    .await;
    let kinds = ["several_current", "wrong_counts", "wrong_summary"];
    assert_found(&server, &kinds);
    let left = verify(&server, &["--repair", "--yes"]);
    assert_eq!(left.code, 1);
    assert!(
        left.kinds("repaired").is_empty(),
        "which of them counts is for a person to say: {:#?}",
        left.lines
    );
    assert!(left.notes.contains("cannot be repaired"), "{}", left.notes);
}

#[tokio::test]
async fn a_record_on_a_branch_of_another_repository_is_found() {
    let server = server_with_records().await;
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .with("repo_name", "other")
        .with("language", "go")
        .with("branch_name", "elsewhere")
        .accepted(&server)
        .await;
    let damage = "
        update records set branch_id = (select b.id from branches b where b.name = 'elsewhere')
        where commit_hash = 'c2'";
    execute(&server, &[damage]).await;
    let verified = verify(&server, &[]);
    let kinds = verified.kinds("found");
    assert!(kinds.contains(&"other_repository"), "{kinds:?}");
    assert_eq!(verified.code, 1);
}

#[tokio::test]
async fn unreadable_details_are_found() {
    let server = server_with_records().await;
    execute(
        &server,
        &["update record_details set counters = '{' where record_id = 1"],
    )
    .await;
    sqlx::query("update record_details set files = $1 where record_id = 2")
        .bind(&[1_u8, 0xff][..])
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let verified = assert_found(&server, &["unreadable_details"]);
    let records: Vec<_> = verified.lines.iter().map(|line| &line["record"]).collect();
    assert_eq!(records, [1, 2]);
    let repair = verify(&server, &["--repair", "--yes"]);
    assert!(repair.kinds("repaired").is_empty(), "nothing is repaired");
}

#[tokio::test]
async fn unreadable_lines_are_found() {
    let server = server_with_records().await;
    sqlx::query(
        "insert into record_lines (record_id, covered, coverable, review_at, lines) values (2, 1, 2, 0, $1)",
    )
    .bind(&b"CVL\x01 not what was written"[..])
    .execute(&mut server.database().await)
    .await
    .unwrap();
    let verified = assert_found(&server, &["unreadable_lines"]);
    assert_eq!(verified.lines[0]["record"], 2);
    assert_eq!(verified.lines[0]["detail"], "the lines are damaged");
}

#[tokio::test]
async fn an_unreadable_history_and_unreadable_branches_are_found() {
    let server = TestServer::start().await;
    let lcov = "SF:a.c\nDA:1,1\nend_of_record\n";
    let archive = Archive::new().file("coverage.xml", lcov).tar_gz();
    Upload::of(archive).accepted(&server).await;
    with_history(&server, 1).await;
    for (damage, what) in [
        (
            "update record_histories set history = counts",
            "its history: ",
        ),
        ("update record_lines set branches = lines", "its branches: "),
    ] {
        execute(&server, &[damage]).await;
        let verified = assert_found(&server, &["unreadable_lines"]);
        let detail = verified.lines[0]["detail"].as_str().unwrap();
        assert!(detail.starts_with(what), "{detail}");
    }
}

#[tokio::test]
async fn unreadable_changes_are_found() {
    let server = server_with_records().await;
    sqlx::query("insert into record_changes (record_id, changes) values (2, $1)")
        .bind(&b"CVC\x01 not what was written"[..])
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let verified = assert_found(&server, &["unreadable_changes"]);
    assert_eq!(verified.lines[0]["record"], 2);
    assert_eq!(verified.lines[0]["detail"], "the changes are damaged");
}

#[tokio::test]
async fn missing_and_damaged_source_text_is_found() {
    let accepts = ["--upload-token", TOKEN, "--sources", "accept"];
    let server = TestServer::start_with(&accepts).await;
    let lcov = "SF:a.c\nDA:1,1\nend_of_record\nSF:b.c\nDA:1,1\nend_of_record\n";
    let archive = Archive::new().file("coverage.xml", lcov).tar_gz();
    let sources = Archive::new().file("a.c", "int a;").file("b.c", "int b;");
    let upload = Upload::of(archive).before("sources", &sources.tar());
    upload.accepted(&server).await;
    assert!(verify(&server, &[]).lines.is_empty());
    for (damage, detail) in [
        (
            "update source_texts set text = digest where id = 1",
            "the text of a.c cannot be unpacked",
        ),
        (
            "delete from source_texts where id = 1",
            "the text of a.c is missing",
        ),
        (
            "update record_sources set texts = paths",
            "the list of its source files cannot be read",
        ),
    ] {
        execute(&server, &[damage]).await;
        let verified = assert_found(&server, &["unreadable_sources"]);
        assert_eq!(verified.lines[0]["record"], 1);
        assert_eq!(verified.lines[0]["detail"], detail);
    }
}

#[tokio::test]
async fn a_dangling_reference_is_found_in_sqlite() {
    if is_postgres() {
        return;
    }
    let server = server_with_records().await;
    execute(
        &server,
        &[
            "pragma foreign_keys = off",
            "insert into record_details (record_id, counters, warnings, files_counter, files_root, file_count)
             values (999, '[]', '[]', 'line', '', 0)",
        ],
    )
    .await;
    assert_found(&server, &["broken_foreign_key"]);
}

#[tokio::test]
async fn problems_found_by_sqlite_are_reported() {
    if is_postgres() {
        return;
    }
    let server = server_with_records().await;
    execute(
        &server,
        &[
            "pragma ignore_check_constraints = on",
            "update records set percentage_basis_points = 20001 where commit_hash = 'c2'",
        ],
    )
    .await;
    let verified = assert_found(&server, &["damaged_database"]);
    let detail = verified.lines[0]["detail"].as_str().unwrap();
    assert!(detail.contains("CHECK"), "{detail}");
}

#[tokio::test]
async fn a_finding_is_one_line_for_people_and_tools() {
    let server = server_with_records().await;
    sqlx::query("update branches set name = $1, record_count = 3 where name = 'fix'")
        .bind("fi\tx")
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let output = server.command(&["verify"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let columns: Vec<_> = text.trim_end().split('\t').collect();
    assert_eq!(
        columns[..3],
        ["found", "wrong_branch_count", "acme/payments"]
    );
    assert_eq!(columns.len(), 4, "{text:?}");
}
