//! Tests which owners a search finds.

use super::*;

#[tokio::test]
async fn owners_are_found_in_the_orgs_that_a_reader_sees() {
    let seeded = Seeded::new().await;
    for repository in ["acme/shop", "acme/api", "acme/sub/a", "labs/one"] {
        seeded.branch(repository, "main").await;
    }
    for (owner, orgs) in [
        ("@acme/pay", "acme%"),
        ("@acme/payments", "%"),
        ("@labs/secret", "labs"),
        ("none", "%"),
    ] {
        let insert = format!(
            "insert into owner_lines (name, repository_id, lines_covered, lines_total)
             select '{owner}', p.id, 1, 2 from repositories p where p.org_name like '{orgs}'"
        );
        seeded.run(&insert).await;
    }
    let all = seeded.store.everything();
    let acme = Scope::Org("acme".parse().expect("an org"));
    let acme = seeded.store.reader(ReadScope::of([acme]));
    let of_acme = ["@acme/pay acme", "@acme/pay acme/sub"];
    let several = ["@acme/payments acme", "@acme/payments acme/sub"];
    let of_all = [&of_acme[..], &several[..], &["@acme/payments labs"]].concat();
    let others = ["@labs/secret labs"];
    for (reader, text, expected) in [
        (&all, "acme pay", &of_all[..]),
        (&acme, "acme pay", &of_all[..4]),
        (&all, "secrte", &others[..]),
        (&acme, "secret", &[]),
        (&all, "none", &[]),
    ] {
        let found = reader.search(text, None).await.expect("an answer");
        let found: Vec<_> = found
            .owners
            .iter()
            .map(|found| format!("{} {}", found.owner, found.org))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}
