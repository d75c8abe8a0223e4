//! The text of a commit status about an upload.

use crate::{
    forges::{Proof, State},
    http::error::ApiError,
    store::{Published, Standing, Store},
    text::chain,
};
use domain::{BaseRecord, BranchName, Change, Language, Percentage};

/// Returns the name of the status of one language.
pub(crate) fn context(language: &Language) -> String {
    format!("coverage/{language}")
}

/// The name of the status of a list of branches. It differs from every language's.
pub(crate) const BRANCHES: &str = "coverage-branches";

/// The minimum coverage and the link of a status.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'a> {
    /// The coverage below which a status is a failure.
    pub(crate) minimum_coverage: Option<Percentage>,
    /// The address of this service.
    pub(crate) public_url: &'a str,
}

/// Writes the status of an accepted upload: the coverage, its change, and whether it reaches the minimum. If the upload
/// did not become current, the status says why.
pub(crate) async fn tell_taken(
    store: &Store,
    proof: &Proof,
    published: &Published,
    terms: Terms<'_>,
) {
    let record = &published.record;
    let base = store.base(record.id).await.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::warn!(
            cause,
            "a commit status is written without the coverage change"
        );
        None
    });
    let change = base.map(|base| change(&base, &record.branch, record.percentage));
    let change = change.unwrap_or_default();
    let (outcome, judged) = judge(record.percentage, &change, terms.minimum_coverage);
    let mut outcome = outcome;
    let description = match &published.standing {
        Standing::Current | Standing::Superseded => judged,
        Standing::Incomplete(missing) => {
            outcome = State::Pending;
            format!("{} % so far, waiting for {missing}", record.percentage)
        }
        Standing::Unconfirmed(reason) => format!("{} %, not current: {reason}", record.percentage),
        Standing::Kept(reason) => format!("{} %, unchanged: {reason}", record.percentage),
    };
    let url = format!("{}/records/{}", terms.public_url, record.id);
    proof
        .conclude(outcome, description, Some(url), Some(record.percentage))
        .await;
}

/// Writes the status of a skipped part of a commit that has no record yet.
pub(crate) async fn tell_remembered(proof: &Proof) {
    let description = "a part is skipped; waiting for the first one".to_owned();
    proof
        .conclude(State::Pending, description, None, None)
        .await;
}

/// Writes the status of a refused upload, with the error sentence that the client gets.
pub(crate) async fn tell_refused(proof: &Proof, refusal: &ApiError) {
    let description = refusal.detail().to_owned();
    proof.conclude(State::Error, description, None, None).await;
}

/// The change against the base of a record of `branch`, in parentheses.
fn change(base: &BaseRecord, branch: &BranchName, percentage: Percentage) -> String {
    let change = Change::between(base.record.percentage, percentage);
    format!(" ({change} against {})", base.name(branch))
}

fn judge(percentage: Percentage, change: &str, minimum: Option<Percentage>) -> (State, String) {
    match minimum {
        Some(minimum) if percentage < minimum => (
            State::Failure,
            format!("{percentage} % is below the minimum of {minimum} %{change}"),
        ),
        _ => (State::Success, format!("{percentage} %{change}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_states_coverage_change_and_whether_it_is_enough() {
        let at = Percentage::from_basis_points;
        assert_eq!(
            judge(at(8_571), " (+0.42 against main)", Some(at(8_000))),
            (State::Success, "85.71 % (+0.42 against main)".to_owned())
        );
        assert_eq!(
            judge(
                at(7_999),
                " (0.00 against the record before)",
                Some(at(8_000))
            ),
            (
                State::Failure,
                "79.99 % is below the minimum of 80.00 % (0.00 against the record before)"
                    .to_owned()
            )
        );
        assert_eq!(
            judge(at(8_000), "", Some(at(8_000))),
            (State::Success, "80.00 %".to_owned())
        );
        assert_eq!(
            judge(at(0), "", None),
            (State::Success, "0.00 %".to_owned())
        );
    }
}
