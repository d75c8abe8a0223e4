//! The text of a commit status about an upload.

use crate::{
    forges::{Proof, State},
    http::error::ApiError,
    store::{Base, Published, Standing, Store},
    text::chain,
};
use domain::{Change, Language, Percentage};

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
    let base = store.base(record).await.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::warn!(
            cause,
            "a commit status is written without the coverage change"
        );
        None
    });
    let (outcome, judged) = judge(record.percentage, base.as_ref(), terms.minimum_coverage);
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

fn judge(
    percentage: Percentage,
    base: Option<&Base>,
    minimum: Option<Percentage>,
) -> (State, String) {
    let change = base.map(|base| {
        let change = Change::between(base.percentage(), percentage);
        match base {
            Base::Main(branch, _) => format!(" ({change} against {branch})"),
            Base::Before(_) => format!(" ({change} against the record before)"),
        }
    });
    let change = change.unwrap_or_default();
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
        let main = Base::Main("main".parse().expect("a branch"), at(8_529));
        assert_eq!(
            judge(at(8_571), Some(&main), Some(at(8_000))),
            (State::Success, "85.71 % (+0.42 against main)".to_owned())
        );
        assert_eq!(
            judge(at(7_999), Some(&Base::Before(at(7_999))), Some(at(8_000))),
            (
                State::Failure,
                "79.99 % is below the minimum of 80.00 % (0.00 against the record before)"
                    .to_owned()
            )
        );
        assert_eq!(
            judge(at(8_000), None, Some(at(8_000))),
            (State::Success, "80.00 %".to_owned())
        );
        assert_eq!(
            judge(at(0), None, None),
            (State::Success, "0.00 %".to_owned())
        );
    }
}
