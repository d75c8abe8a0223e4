//! Layouts in which several files of a repository have the same name: each file of a coverage file is matched to the right one.

use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};

/// An upload to a repository with these files, which are separated by spaces.
fn upload(coverage: &str, paths: &str) -> Upload {
    Upload::of(Archive::new().file("coverage.xml", coverage).tar_gz())
        .with("summary", "1")
        .before("paths", paths.replace(' ', "\0").as_bytes())
}

fn lcov(files: &[(&str, &[(u32, u32)])]) -> String {
    let file = |(path, lines): &(&str, &[(u32, u32)])| {
        let lines = lines
            .iter()
            .map(|(line, hits)| format!("DA:{line},{hits}\n"));
        format!("SF:{path}\n{}end_of_record\n", lines.collect::<String>())
    };
    files.iter().map(file).collect()
}

fn cobertura(source: &str, files: &[(&str, &[(u32, u32)])]) -> String {
    let file = |(path, lines): &(&str, &[(u32, u32)])| {
        let lines = lines
            .iter()
            .map(|(line, hits)| format!("<line number='{line}' hits='{hits}'/>"));
        let lines: String = lines.collect();
        format!("<class name='c' filename='{path}'><lines>{lines}</lines></class>")
    };
    let source = match source {
        "" => String::new(),
        source => format!("<source>{source}</source>"),
    };
    let files: String = files.iter().map(file).collect();
    format!(
        "<coverage line-rate='0.5'><sources>{source}</sources><packages><package><classes>{files}</classes></package></packages></coverage>"
    )
}

/// The pull request that adds a line.
fn changing(upload: Upload, path: &str, line: u32) -> Upload {
    let diff = format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{},0 +{line},1 @@\n",
        line - 1
    );
    upload
        .with("base_commit", "c0")
        .with("pull_request", "7")
        .with("target_branch", "main")
        .with("branch_name", "x")
        .after("changes", diff.as_bytes())
}

/// Hit and missed ranges of a file.
async fn lines(server: &TestServer, answer: &Value, path: &str) -> [Value; 2] {
    let id = &answer["coverage"]["id"];
    let address = format!("/coverages-api/records/{id}/lines?path={path}");
    let mut lines = server.get_json(&address).await;
    [lines["hit"].take(), lines["missed"].take()]
}

fn matched(answer: &Value) -> (&Value, &Value) {
    let paths = &answer["summary"]["paths"];
    (&paths["matched"], &paths["of"])
}

fn percentage(answer: &Value) -> &Value {
    &answer["coverage"]["percentage"]
}

#[tokio::test]
async fn a_go_file_at_the_top_is_not_one_of_a_folder_called_like_the_module() {
    let server = TestServer::start().await;
    let paths = "go.mod pay.go internal/pay/pay.go fee/fee.go";
    let profile = "mode: set\n\
        github.com/acme/pay/pay.go:3.1,5.2 2 1\n\
        github.com/acme/pay/internal/pay/pay.go:3.1,4.2 1 0\n\
        github.com/acme/pay/fee/fee.go:1.1,2.2 1 1\n";
    let first = upload(profile, paths)
        .with("part", "unit")
        .accepted(&server)
        .await;
    assert_eq!(matched(&first), (&json!(3), &json!(3)));
    let of_fee = "mode: set\ngithub.com/acme/pay/fee/fee.go:1.1,2.2 1 1\n";
    let both = upload(of_fee, paths)
        .with("part", "e2e")
        .accepted(&server)
        .await;
    assert_eq!(percentage(&both), 71.43);
    assert_eq!(
        lines(&server, &both, "pay.go").await,
        [json!([[3, 5]]), json!([])]
    );
    let internal = lines(&server, &both, "internal/pay/pay.go").await;
    assert_eq!(internal, [json!([]), json!([[3, 4]])]);
}

#[tokio::test]
async fn an_index_at_the_top_is_not_that_of_a_package_called_like_the_repository() {
    let server = TestServer::start().await;
    let coverage = lcov(&[
        ("/home/runner/work/kit/kit/index.js", &[(1, 1), (2, 0)]),
        (
            "/home/runner/work/kit/kit/packages/kit/index.js",
            &[(1, 0), (9, 0)],
        ),
    ]);
    let sent = upload(&coverage, "index.js packages/kit/index.js package.json");
    let answer = sent.accepted(&server).await;
    assert_eq!(matched(&answer), (&json!(2), &json!(2)));
    assert_eq!(
        lines(&server, &answer, "index.js").await,
        [json!([[1, 1]]), json!([[2, 2]])]
    );
    let package = lines(&server, &answer, "packages/kit/index.js").await;
    assert_eq!(package, [json!([]), json!([[1, 1], [9, 9]])]);
}

#[tokio::test]
async fn lines_of_a_dependency_do_not_appear_in_a_file_of_the_same_path() {
    let server = TestServer::start().await;
    let coverage = lcov(&[
        ("/home/ci/work/pay/src/lib.rs", &[(1, 1), (2, 1), (3, 0)]),
        ("/home/ci/work/pay/src/fee/mod.rs", &[(1, 1)]),
        (
            "/home/ci/.cargo/registry/src/index-19/tiny-1.0.4/src/lib.rs",
            &[(3, 7), (331, 1), (332, 0), (339, 0)],
        ),
    ]);
    let sent = upload(&coverage, "Cargo.toml src/lib.rs src/fee/mod.rs");
    let answer = sent.accepted(&server).await;
    assert_eq!(matched(&answer), (&json!(2), &json!(3)));
    assert_eq!(
        lines(&server, &answer, "src/lib.rs").await,
        [json!([[1, 2]]), json!([[3, 3]])]
    );
}

#[tokio::test]
async fn the_other_files_tell_which_of_two_files_is_the_changed_one() {
    let server = TestServer::start().await;
    let top = "/home/runner/work/kit/kit";
    let coverage = lcov(&[
        (&format!("{top}/src/index.ts"), &[(1, 1), (2, 0)]),
        (&format!("{top}/src/only.ts"), &[(1, 1)]),
        (&format!("{top}/examples/basic/src/index.ts"), &[(1, 1)]),
    ]);
    let paths = "package.json src/index.ts src/only.ts examples/basic/src/index.ts examples/full/src/index.ts";
    let sent = changing(upload(&coverage, paths), "src/index.ts", 2);
    let changed = &sent.accepted(&server).await["summary"]["changed_lines"];
    assert_eq!(
        (&changed["covered"], &changed["coverable"]),
        (&json!(0), &json!(1))
    );
}

#[tokio::test]
async fn sources_of_two_projects_lead_to_their_own_files() {
    let server = TestServer::start().await;
    let paths = "src/Pay/Fee.cs src/Pay/Io/Log.cs src/Web/Io/Log.cs Pay.sln";
    let pay = cobertura(
        "/home/vsts/work/1/s/src/Pay/",
        &[
            ("Fee.cs", &[(1, 1), (2, 0), (3, 0)]),
            ("Io/Log.cs", &[(1, 1)]),
        ],
    );
    let web = cobertura(
        "/home/vsts/work/1/s/",
        &[
            ("src/Pay/Fee.cs", &[(1, 0), (2, 1), (3, 0)]),
            ("src/Web/Io/Log.cs", &[(1, 0), (2, 0)]),
        ],
    );
    upload(&pay, paths)
        .with("part", "pay")
        .accepted(&server)
        .await;
    let both = upload(&web, paths)
        .with("part", "web")
        .accepted(&server)
        .await;
    assert_eq!(percentage(&both), 50.0);
    assert_eq!(matched(&both), (&json!(3), &json!(3)));
}

#[tokio::test]
async fn paths_beside_a_source_and_paths_without_a_folder_are_matched() {
    let server = TestServer::start().await;
    let beside = cobertura(
        "/__w/1/sonic-gcov",
        &[
            ("../s/orchagent/main.cpp", &[(10, 1), (11, 0)]),
            ("../s/lib/util.cpp", &[(3, 1)]),
        ],
    );
    let sent = upload(&beside, "orchagent/main.cpp lib/util.cpp tests/main.cpp");
    let answer = changing(sent, "orchagent/main.cpp", 11)
        .accepted(&server)
        .await;
    assert_eq!(matched(&answer), (&json!(2), &json!(2)));
    assert_eq!(answer["summary"]["changed_lines"]["covered"], 0);
    let deterministic = cobertura(
        "",
        &[
            ("/_/src/Core/A.cs", &[(1, 1), (2, 0)]),
            ("/_/src/Core/B.cs", &[(1, 1)]),
            ("/home/runner/work/x/x/test/ATests.cs", &[(1, 1)]),
        ],
    );
    let sent = upload(&deterministic, "src/Core/A.cs src/Core/B.cs test/ATests.cs");
    let answer = sent.with("commit_hash", "c2").accepted(&server).await;
    assert_eq!(matched(&answer), (&json!(3), &json!(3)));
}

#[tokio::test]
async fn parts_from_windows_and_linux_are_about_the_same_files() {
    let server = TestServer::start().await;
    let paths = "src/Fee.cs src/Io/Win.cs Pay.sln";
    let windows = cobertura(
        r"D:\a\pay\pay\",
        &[
            (r"src\Fee.cs", &[(1, 1), (2, 0)]),
            (r"src\Io\Win.cs", &[(1, 1)]),
        ],
    );
    let linux = cobertura(
        "/home/runner/work/pay/pay/",
        &[
            ("src/Fee.cs", &[(1, 0), (2, 1)]),
            ("src/Io/Win.cs", &[(1, 0)]),
        ],
    );
    upload(&windows, paths)
        .with("part", "windows")
        .accepted(&server)
        .await;
    let both = upload(&linux, paths)
        .with("part", "linux")
        .accepted(&server)
        .await;
    assert_eq!(percentage(&both), 100.0);
}

#[tokio::test]
async fn the_folder_of_the_coverage_file_tells_packages_apart() {
    let server = TestServer::start().await;
    let paths = "packages/a/src/index.ts packages/a/src/only.ts packages/b/src/index.ts";
    let a = lcov(&[
        ("src/index.ts", &[(1, 1), (2, 1), (3, 1), (4, 1)]),
        ("src/only.ts", &[(1, 1), (2, 0)]),
    ]);
    let b = lcov(&[(
        "src/index.ts",
        &[(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 1)],
    )]);
    let of = |coverage: &str, name: &str| {
        let folder = format!("packages/{name}/coverage");
        upload(coverage, paths)
            .with("part", name)
            .with("report_folder", &folder)
    };
    of(&a, "a").accepted(&server).await;
    let both = of(&b, "b").accepted(&server).await;
    assert_eq!(percentage(&both), 50.0);
    let index = lines(&server, &both, "packages/b/src/index.ts").await;
    assert_eq!(index, [json!([[6, 6]]), json!([[1, 5]])]);
}

#[tokio::test]
async fn a_path_below_the_checkout_is_that_file_and_nothing_else() {
    let server = TestServer::start().await;
    let coverage = lcov(&[
        ("/w/main.py", &[(1, 1), (2, 0)]),
        ("/usr/lib/x/main.py", &[(7, 1)]),
    ]);
    let sent = upload(&coverage, "main.py lib/main.py").with("root", "/w");
    let answer = sent.accepted(&server).await;
    assert_eq!(
        answer["summary"]["paths"]["unmatched"],
        json!(["/usr/lib/x/main.py"])
    );
    assert_eq!(
        lines(&server, &answer, "main.py").await,
        [json!([[1, 1]]), json!([[2, 2]])]
    );
}

#[tokio::test]
async fn folders_of_a_job_are_bounded() {
    let server = TestServer::start().await;
    for name in ["root", "report_folder"] {
        for wrong in ["x".repeat(4_097), "a\nb".to_owned()] {
            let sent = upload("SF:a.c\nDA:1,1\nend_of_record\n", "a.c");
            let (status, problem) = sent.with(name, &wrong).refused(&server).await;
            assert_eq!(
                (status, &problem["code"]),
                (422, &json!("invalid_parameter"))
            );
        }
    }
}

#[tokio::test]
async fn each_group_of_jacoco_is_about_its_own_module() {
    let server = TestServer::start().await;
    let group = |name: &str, hits: u32| {
        format!(
            "<group name='{name}'><package name='com/acme'><sourcefile name='Fee.java'>\
            <line nr='3' mi='{}' ci='{hits}' mb='0' cb='0'/></sourcefile></package></group>",
            1 - hits
        )
    };
    let coverage = format!(
        "<report name='all'>{}{}</report>",
        group("web", 1),
        group("pay", 0)
    );
    let paths = "web/src/main/java/com/acme/Fee.java pay/src/main/java/com/acme/Fee.java";
    let answer = upload(&coverage, paths).accepted(&server).await;
    assert_eq!(matched(&answer), (&json!(2), &json!(2)));
    let pay = lines(&server, &answer, "pay/src/main/java/com/acme/Fee.java").await;
    assert_eq!(pay, [json!([]), json!([[3, 3]])]);
}

#[tokio::test]
async fn an_ambiguous_path_is_not_united_with_that_of_another_part() {
    let server = TestServer::start().await;
    let paths = "v1/src/a.js v2/src/a.js";
    let coverage = |hits| lcov(&[("/app/src/a.js", &[(1, hits)])]);
    let unit = upload(&coverage(1), paths).with("part", "unit");
    unit.accepted(&server).await;
    let e2e = upload(&coverage(0), paths).with("part", "e2e");
    let both = e2e.accepted(&server).await;
    assert_eq!(percentage(&both), 50.0);
    let page = server
        .get_text(&format!("/records/{}", both["coverage"]["id"]))
        .await;
    assert!(page.contains("/app/src/a.js (unit)"), "{page}");
}

#[tokio::test]
async fn a_notice_about_paths_counts_the_upload_alone() {
    let server = TestServer::start().await;
    let names: Vec<_> = (0..30).map(|number| format!("src/{number}.c")).collect();
    let files: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), &[(1, 1)][..]))
        .collect();
    let whole = lcov(&files);
    let paths = names.join(" ");
    let unit = upload(&whole, &paths).with("part", "unit");
    unit.accepted(&server).await;
    let other = lcov(&[("src/0.c", &[(1, 1)]), ("/usr/include/x.h", &[(1, 1)])]);
    let answer = upload(&other, &paths)
        .with("part", "e2e")
        .accepted(&server)
        .await;
    let notice = answer["summary"]["notices"][0].as_str().unwrap();
    assert!(notice.contains("nly 1 of 2 paths in"), "{notice}");
}

#[tokio::test]
async fn the_page_of_a_record_says_why_a_path_is_no_file_of_the_repository() {
    let server = TestServer::start().await;
    let coverage = lcov(&[
        ("src/a.js", &[(1, 1)]),
        ("/w/only.js", &[(1, 1)]),
        ("/w/top.js", &[(1, 1), (2, 0)]),
        ("/usr/lib/top.js", &[(7, 1)]),
    ]);
    let sent = upload(&coverage, "v1/src/a.js v2/src/a.js top.js only.js");
    let answer = sent.accepted(&server).await;
    let page = server
        .get_text(&format!("/records/{}", answer["coverage"]["id"]))
        .await;
    for said in [
        "ambiguous between v1/src/a.js and v2/src/a.js",
        "claimed by /w/top.js",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let unmatched = &answer["summary"]["paths"]["unmatched"];
    assert_eq!(*unmatched, json!(["src/a.js", "/usr/lib/top.js"]));
}

#[tokio::test]
async fn paths_that_differ_by_case_only_or_are_too_long_match_nothing() {
    let server = TestServer::start().await;
    let long = format!("/w/{}a.c", "x/".repeat(2_047));
    let coverage = lcov(&[
        ("../../a.c", &[(1, 1)]),
        (&long, &[(1, 1)]),
        ("C:\\w\\src\\b.c", &[(1, 1)]),
        ("/w/../w/./src/b.c", &[(1, 1)]),
        ("/w/src/C.c", &[(1, 1)]),
    ]);
    // Twice, and twice but for case.
    let listed = "a.c src/b.c src/b.c src/c.c SRC/c.c";
    let answer = upload(&coverage, listed).accepted(&server).await;
    assert_eq!(answer["summary"]["paths"]["matched"], 3);
    assert_eq!(lines(&server, &answer, "src/b.c").await[0], json!([[1, 1]]));
}
