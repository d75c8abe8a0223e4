//! Reads the tokens for the settings page, within scopes. No query here reads a hash or a part of a secret.

use crate::{
    Operator, StoreError, Unsigned, audit::push_scopes, run::answered, sql::Sql, time::now,
};
use domain::{ListedToken, Scope, TokenList};
use sqlx::FromRow;

/// The maximum number of tokens on the page. `token list` prints all.
const SHOWN: i64 = 500;

const TOKENS: &str = "
    select a.id, a.name, a.purpose, a.org_name, a.repo_name, a.created_at, a.expires_at, a.last_used_at, a.revoked_at
    from tokens a where true";

const COUNT: &str = "select count(*) from tokens a where true";

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    scope: Scope,
    #[sqlx(flatten)]
    token: ListedToken,
}

impl Operator<'_> {
    /// Returns the tokens that cover only repositories in `scopes`. Valid tokens come first, then the newest.
    pub async fn token_list(self, scopes: &[Scope]) -> Result<TokenList, StoreError> {
        self.first_tokens(scopes, SHOWN).await
    }

    pub(super) async fn first_tokens(
        self,
        scopes: &[Scope],
        count: i64,
    ) -> Result<TokenList, StoreError> {
        let now = now();
        let mut sql = Sql::new(TOKENS);
        push_scopes(&mut sql, scopes);
        sql.push(" order by case when a.revoked_at is not null or a.expires_at <= ")
            .push_bind(now.0)
            .push(" then 1 else 0 end, a.id desc limit ")
            .push_bind(count);
        let rows: Vec<Row> = answered(sql.rows()?.fetch_all(&self.store.read_pool)).await?;
        let tokens = rows.into_iter().map(|Row { scope, token }| ListedToken {
            scope: scope.to_string(),
            ..token
        });
        let tokens: Vec<_> = tokens.collect();
        let mut sql = Sql::new(COUNT);
        push_scopes(&mut sql, scopes);
        let (Unsigned(all),) = answered(sql.rows()?.fetch_one(&self.store.read_pool)).await?;
        Ok(TokenList {
            now,
            hidden: all.saturating_sub(tokens.len() as u64),
            tokens,
        })
    }
}
