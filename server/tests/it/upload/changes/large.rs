//! A change of very many lines.

use super::*;

/// Every second one of 100,000 new lines ran, so there are 50,000 ranges of missed ones.
#[tokio::test]
async fn a_hundred_thousand_changed_lines_are_counted_and_named_in_part() {
    let server = TestServer::start().await;
    let lines: String = (1..=100_000)
        .map(|line| format!("DA:{line},{}\n", line % 2))
        .collect();
    let lcov = format!("SF:src/large.c\n{lines}end_of_record\n");
    let archive = Archive::new().file("coverage.xml", &lcov).tar_gz();
    let diff = "diff --git a/src/large.c b/src/large.c\nnew file mode 100644\n--- /dev/null\n\
                +++ b/src/large.c\n@@ -0,0 +1,100000 @@\n";
    let upload = Upload::of(archive).with("summary", "1");
    let upload = upload.before("changes", diff.as_bytes());
    let answer = upload.accepted(&server).await;
    let changed = &answer["summary"]["changed_lines"];
    assert_eq!(
        (&changed["covered"], &changed["coverable"]),
        (&json!(50_000), &json!(100_000))
    );
    let markdown = answer["summary"]["markdown"].as_str().unwrap();
    assert!(markdown.contains("and 49995 more"), "{markdown}");
    // The most characters of a comment on GitHub.
    assert!(markdown.len() < 65_536, "{}", markdown.len());
    let all = changes(&server, &answer).await;
    assert_eq!(all["files"][0]["missed"].as_array().unwrap().len(), 50_000);
    let page = format!("/records/{}", answer["coverage"]["id"]);
    let page = server.get_text(&page).await;
    assert!(page.contains("50,000 of 100,000"), "{page}");
    assert!(page.contains("and 49,980 more"), "{page}");
}
