//! Lists of tokens.

use super::{NewToken, Purpose};
use crate::{Store, actor::Actor, testing::TestStore};
use domain::{Scope, Timestamp, TokenState};

async fn add(store: &Store, name: &str, purpose: Purpose, scope: &Scope, expires_at: Option<i64>) {
    let token = NewToken {
        name,
        hash: &format!("hash of {name}"),
        purpose,
        scope,
        hint: "h1nt",
        expires_at: expires_at.map(Timestamp),
    };
    let added = store.operator().add_token(token, &Actor::service()).await;
    added.expect("added");
}

#[tokio::test]
async fn a_token_list_has_only_tokens_within_its_scope() {
    let store = TestStore::new().await;
    let org = |name: &str| Scope::Org(name.parse().expect("an org"));
    let of = |name: &str| Scope::Repository(name.parse().expect("a repository"));
    for (name, scope) in [
        ("all", Scope::All),
        ("org", org("Acme")),
        ("group", org("acme/tools")),
        ("repository", of("acme/payments")),
        ("other", org("acme2")),
        ("strange", of("zoo/payments")),
    ] {
        add(&store, name, Purpose::Upload, &scope, None).await;
    }
    let names = async |scopes: &[Scope]| {
        let list = store.operator().token_list(scopes).await.expect("tokens");
        let tokens = list.tokens.into_iter();
        let names = tokens.map(|token| token.name).collect::<Vec<_>>();
        (names.join(" "), list.hidden)
    };
    assert_eq!(
        names(&[Scope::All]).await,
        ("strange other repository group org all".to_owned(), 0)
    );
    assert_eq!(
        names(&[org("acme")]).await,
        ("repository group org".to_owned(), 0)
    );
    let one = Scope::Repository("ACME/payments".parse().expect("a repository"));
    assert_eq!(
        names(std::slice::from_ref(&one)).await,
        ("repository".to_owned(), 0)
    );
    assert_eq!(
        names(&[one, org("ACME/tools")]).await,
        ("repository group".to_owned(), 0)
    );
    assert_eq!(names(&[]).await, (String::new(), 0));
}

#[tokio::test]
async fn a_token_list_that_is_cut_keeps_the_tokens_that_work() {
    let store = TestStore::new().await;
    add(&store, "old", Purpose::Read, &Scope::All, None).await;
    add(&store, "expired", Purpose::Upload, &Scope::All, Some(1)).await;
    add(
        &store,
        "lasting",
        Purpose::Admin,
        &Scope::All,
        Some(i64::MAX),
    )
    .await;
    add(&store, "revoked", Purpose::Upload, &Scope::All, None).await;
    store
        .operator()
        .revoke_token(4, &Actor::service())
        .await
        .expect("revoked");
    let list = store.operator().first_tokens(&[Scope::All], 3).await;
    let list = list.expect("tokens");
    let seen: Vec<_> = list
        .tokens
        .iter()
        .map(|token| (token.name.as_str(), token.kind.as_str()))
        .collect();
    assert_eq!(
        seen,
        [("lasting", "admin"), ("old", "read"), ("revoked", "upload")]
    );
    assert_eq!(list.hidden, 1);
    let states: Vec<_> = list
        .tokens
        .iter()
        .map(|token| token.state(list.now))
        .collect();
    assert_eq!(
        states,
        [TokenState::Active, TokenState::Active, TokenState::Revoked]
    );
}
