//! Tests of the paths that are no files of the repository.

use super::{RecordDetail, page, record};

#[tokio::test]
async fn paths_that_are_no_files_of_the_repository_are_counted_and_named() {
    let paths = |matched, of| domain::MatchedPaths {
        matched,
        of,
        unmatched: vec![domain::UnmatchedPath {
            path: "/usr/<b>.h".to_owned(),
            reason: "claimed by src/<c>.h".to_owned(),
        }],
        is_by_former_rule: false,
    };
    let shown = async |paths| {
        let record = RecordDetail {
            paths: Some(paths),
            ..record()
        };
        page(record, "/records/7").await
    };
    let few = shown(paths(1_200, 1_502)).await;
    assert!(
        few.contains("1,200 of 1,502 are files of the repository"),
        "{few}"
    );
    assert!(few.contains("302 paths are no files of the repository"));
    assert!(few.contains("/usr/&lt;b&gt;.h") && few.contains("and 301 more"));
    assert!(few.contains("claimed by src/&lt;c&gt;.h"), "{few}");
    assert!(few.contains("git ls-files -z"), "advice");
    let most = shown(paths(9, 10)).await;
    assert!(
        most.contains("1 path is no file of the repository"),
        "{most}"
    );
    assert!(!most.contains("git ls-files -z") && !most.contains(" more<"));
    assert!(!shown(paths(10, 10)).await.contains("no file"));
}
