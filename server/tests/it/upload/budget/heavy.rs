//! Pages whose cost grows with the stored data.

use super::*;
use std::fmt::Write;

#[tokio::test(flavor = "multi_thread")]
async fn a_page_refused_for_too_many_heavy_reads_says_so() {
    let one = ["heavy_reads", "1", "heavy_read_wait_seconds", "0"];
    let server = start(&one).await;
    let files = (0..20_000).fold(String::new(), |mut files, number| {
        write!(
            files,
            "<class filename='src/{number}.c'><lines><line number='1' hits='1'/></lines></class>"
        )
        .unwrap();
        files
    });
    let xml = format!("<coverage><sources/>{files}</coverage>");
    let answer = Upload::of(Archive::report("<p>", &xml).tar_gz());
    let answer = answer.accepted(&server).await;
    let id = &answer["coverage"]["id"];
    // The router of the pages accepts both spellings.
    for path in [format!("/records/{id}"), format!("/records/{id}/")] {
        is_limited(&server, &server.url(&format!("{path}?view=flat&p=2"))).await;
    }
}

async fn is_limited(server: &TestServer, url: &str) {
    let requests = (0..32).map(|_| {
        let request = server.client.get(url).header("accept", "text/html");
        tokio::spawn(request.send())
    });
    let (mut shown, mut busy) = (0, 0);
    for request in requests.collect::<Vec<_>>() {
        let response = request.await.unwrap().unwrap();
        if response.status() == 200 {
            shown += 1;
            continue;
        }
        busy += 1;
        assert_come_again(&response);
        let page = response.text().await.unwrap();
        assert!(page.contains("busy with other pages"), "{page}");
    }
    assert!(shown > 0 && busy > 0, "{shown} and {busy}");
    // Light requests are answered meanwhile, and heavy ones afterwards.
    assert_eq!(server.get("/setup").await.status(), 200);
    assert_eq!(server.client.get(url).send().await.unwrap().status(), 200);
}
