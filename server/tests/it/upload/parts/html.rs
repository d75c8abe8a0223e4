use super::*;

fn with_html(name: &str, html: &str) -> Upload {
    let archive = Archive::new()
        .file("index.html", html)
        .file("parts/unit/index.html", format!("a folder of {html}"))
        .file("coverage.xml", lcov("a.c", &[(1, 1)]));
    Upload::of(archive.tar_gz()).with("part", name)
}

#[tokio::test]
async fn each_part_has_its_html_report_and_the_record_that_of_the_newest() {
    let server = TestServer::start_without_grace().await;
    let answer = with_html("unit", "unit 1").accepted(&server).await;
    let id = id(&answer);
    with_html("web", "web 1").accepted(&server).await;
    part("e2e", &lcov("a.c", &[(1, 1)])).accepted(&server).await;
    let report = format!("/reports/{id}/");
    let of_part = |name: &str| format!("/reports/{id}/parts/{name}/");
    assert_eq!(server.get_text(&report).await, "web 1");
    assert_eq!(server.get_text(&of_part("unit")).await, "unit 1");
    assert_eq!(server.get_text(&of_part("web")).await, "web 1");
    let page = format!("/reports/{id}/parts/unit/parts/unit/index.html");
    assert_eq!(server.get_text(&page).await, "a folder of unit 1");
    assert_eq!(server.stored_files().len(), 2);
    with_html("unit", "unit 2").accepted(&server).await;
    assert_eq!(server.get_text(&report).await, "unit 2");
    assert_eq!(server.get_text(&of_part("unit")).await, "unit 2");
    assert_eq!(server.get_text(&of_part("web")).await, "web 1");
    assert_eq!(
        server.stored_files().len(),
        2,
        "the replaced one is removed"
    );
    // Without its HTML report, the record has the newest HTML report of the other parts.
    part("unit", &lcov("a.c", &[(1, 0)]))
        .accepted(&server)
        .await;
    assert_eq!(server.get_text(&report).await, "web 1");
    assert_eq!(server.stored_files().len(), 1);
}

#[tokio::test]
async fn a_folder_called_parts_is_still_served_without_such_a_part() {
    let server = TestServer::start().await;
    let answer = with_html("", "plain")
        .without("part")
        .accepted(&server)
        .await;
    let page = format!("/reports/{}/parts/unit/index.html", id(&answer));
    assert_eq!(server.get_text(&page).await, "a folder of plain");
    let unnamed = format!("/reports/{}/parts/-/", id(&answer));
    assert_eq!(server.get_text(&unnamed).await, "plain");
    let missing = server
        .get(&format!("/reports/{}/parts/e2e/", id(&answer)))
        .await;
    assert_eq!(missing.status(), 404);
}

#[tokio::test]
async fn a_source_file_opens_in_the_part_that_ran_most_of_it() {
    let server = TestServer::start().await;
    let upload = |name: &str, hits: &[(u32, u32)]| {
        let archive = Archive::new()
            .file("index.html", name)
            .file("a.c.html", format!("a.c of {name}"))
            .file("coverage.xml", lcov("a.c", hits));
        Upload::of(archive.tar_gz()).with("part", name)
    };
    let most = upload("e2e", &[(1, 1), (2, 1), (3, 0)]);
    most.accepted(&server).await;
    let newest = upload("unit", &[(1, 1), (2, 0), (3, 0)]);
    let id = id(&newest.accepted(&server).await);
    let page = format!("/records/{id}/source?path=a.c");
    let html = server.get_text(&page).await;
    assert!(
        html.contains("HTML report of part e2e alone: 66.67"),
        "{html}"
    );
    assert!(html.contains("2 of 3 lines covered"), "{html}");
    assert!(html.contains(&format!("{page}&amp;part=unit")), "{html}");
    let html = server.get_text(&format!("{page}&part=unit")).await;
    assert!(
        html.contains("HTML report of part unit alone: 33.33"),
        "{html}"
    );
    assert!(html.contains("1 of 3 lines covered"), "{html}");
    for part in ["e2e", "unit"] {
        let framed = format!("/reports/{id}/?source=a.c&part={part}");
        assert_eq!(server.get_text(&framed).await, format!("a.c of {part}"));
    }
    let of_none = format!("/reports/{id}/?source=a.c&part=gone");
    assert_eq!(server.get_text(&of_none).await, "a.c of unit");
}
