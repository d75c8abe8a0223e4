//! The sessions of people who have logged in at an issuer. Only the hash of the secret is stored.

use super::{
    Operator, StoreError, Writer,
    run::Run,
    text::{Texts, json, storable},
    time::now,
};
use domain::Timestamp;
use sqlx::FromRow;

/// The maximum number of sessions of one person, one for each browser; the newest are kept.
const MOST_OF_PERSON: i64 = 20;

/// A session to store.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// The SHA-256 of its secret, in hexadecimal.
    pub hash: &'a str,
    /// The issuer at which the person logged in.
    pub issuer: &'a str,
    /// The issuer's identifier for the person.
    pub subject: &'a str,
    /// The name to show.
    pub person: &'a str,
    /// The groups that decide what the person may read.
    pub groups: &'a [String],
    /// The time when the session ends.
    pub expires_at: Timestamp,
}

/// A stored session.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct StoredSession {
    /// The issuer at which the person logged in.
    pub issuer: String,
    /// The issuer's identifier for the person.
    pub subject: String,
    /// The name to show.
    pub person: String,
    /// The groups that decide what the person may read.
    #[sqlx(try_from = "Texts")]
    pub groups: Vec<String>,
    /// The time when the session started.
    pub created_at: Timestamp,
    /// The time when the session ends.
    pub expires_at: Timestamp,
}

impl Writer<'_> {
    /// Stores a session. Removes the oldest sessions of a person who has too many.
    pub async fn add_session(self, session: NewSession<'_>) -> Result<(), StoreError> {
        const INSERT: &str = "
            insert into sessions (hash, issuer, subject, person, groups, created_at, expires_at)
            values ($1, $2, $3, $4, $5, $6, $7)";
        const SURPLUS: &str = "
            delete from sessions where issuer = $1 and subject = $2 and id <= (
                select id from sessions where issuer = $1 and subject = $2 order by id desc limit 1 offset $3)";
        let mut transaction = self.store.begin().await?;
        let subject = storable(session.subject);
        let groups: Vec<_> = session.groups.iter().map(|group| storable(group)).collect();
        let values = (
            session.hash,
            session.issuer,
            &subject,
            storable(session.person),
            json(&groups),
            now(),
            session.expires_at,
        );
        transaction.run(INSERT, values).await?;
        transaction
            .run(SURPLUS, (session.issuer, subject, MOST_OF_PERSON))
            .await?;
        transaction.commit().await
    }

    /// Returns the session with this hash, even if it has ended.
    pub async fn session(self, hash: &str) -> Result<Option<StoredSession>, StoreError> {
        const SESSION: &str = "
            select issuer, subject, person, groups, created_at, expires_at from sessions where hash = $1";
        self.store.first(SESSION, [hash]).await
    }

    /// Ends the session with this hash, if there is one.
    pub async fn end_session(self, hash: &str) -> Result<(), StoreError> {
        const END: &str = "delete from sessions where hash = $1";
        self.store.write(|pool| pool.run(END, [hash])).await
    }

    /// Removes the sessions that have ended.
    pub async fn remove_ended_sessions(self) -> Result<(), StoreError> {
        const REMOVE: &str = "delete from sessions where expires_at <= $1";
        self.store.write(|pool| pool.run(REMOVE, [now()])).await
    }
}

impl Operator<'_> {
    /// Returns the sessions that have not ended, the newest first.
    pub async fn sessions(self) -> Result<Vec<StoredSession>, StoreError> {
        const SESSIONS: &str = "
            select issuer, subject, person, groups, created_at, expires_at from sessions
            where expires_at > $1 order by id desc";
        self.store.all(SESSIONS, [now().0]).await
    }

    /// Ends all sessions of the person with this name or identifier, or of everybody. Returns their number.
    pub async fn end_sessions(self, person: Option<&str>) -> Result<u64, StoreError> {
        const END: &str = "
            delete from sessions where cast($1 as text) is null or person = $1 or subject = $1";
        self.store.write(|pool| pool.changed(END, [person])).await
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::TestStore, *};

    fn session<'a>(hash: &'a str, subject: &'a str, expires_at: Timestamp) -> NewSession<'a> {
        NewSession {
            hash,
            issuer: "https://sso.example.com",
            subject,
            person: "kim\0@example.com",
            groups: &[],
            expires_at,
        }
    }

    fn in_an_hour() -> Timestamp {
        Timestamp(now().0 + 3_600_000_000)
    }

    #[tokio::test]
    async fn a_session_is_found_by_its_hash_until_it_is_ended() {
        let store = TestStore::new().await;
        let groups = ["a \"b\"".to_owned(), "ü".to_owned()];
        let new = NewSession {
            groups: &groups,
            ..session("1", "kim", in_an_hour())
        };
        store.writer().add_session(new).await.expect("stored");
        let found = store
            .writer()
            .session("1")
            .await
            .expect("read")
            .expect("a session");
        assert_eq!(found.person, "kim\u{fffd}@example.com");
        assert_eq!(found.groups, groups);
        assert_eq!(store.writer().session("2").await.expect("read"), None);
        store.writer().end_session("1").await.expect("ended");
        assert_eq!(store.writer().session("1").await.expect("read"), None);
    }

    #[tokio::test]
    async fn ended_sessions_and_surplus_ones_of_a_person_are_removed() {
        let store = TestStore::new().await;
        store
            .writer()
            .add_session(session("old", "kim", Timestamp(1)))
            .await
            .expect("stored");
        for number in 0..=MOST_OF_PERSON {
            let hash = number.to_string();
            store
                .writer()
                .add_session(session(&hash, "kim", in_an_hour()))
                .await
                .expect("stored");
        }
        store
            .writer()
            .add_session(session("other", "lee", in_an_hour()))
            .await
            .expect("stored");
        store
            .writer()
            .remove_ended_sessions()
            .await
            .expect("removed");
        for (hash, is_there) in [("old", false), ("0", false), ("1", true), ("other", true)] {
            let found = store.writer().session(hash).await.expect("read");
            assert_eq!(found.is_some(), is_there, "{hash}");
        }
        assert_eq!(
            store
                .operator()
                .end_sessions(Some("lee"))
                .await
                .expect("ended"),
            1
        );
        assert_eq!(store.operator().sessions().await.expect("read").len(), 20);
        assert_eq!(
            store.operator().end_sessions(None).await.expect("ended"),
            20
        );
    }
}
