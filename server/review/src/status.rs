//! Chooses the state and the text of commit statuses, and writes them.

use crate::Review;
use domain::{BaseRecord, Change, Language, Percentage, text::chain};
use forges::{CommitStatus, Proof, State};
use store::{LanguageResult, Record, Standing};

/// Returns the name of the status of one language.
pub fn context(language: &Language) -> String {
    format!("coverage/{language}")
}

/// The name of the status of a commit over all of its languages. It differs from the status name of every language.
pub const WHOLE: &str = "coverage";

/// The name of the status of a list of branches. It differs from the status name of every language.
pub const BRANCHES: &str = "coverage-branches";

/// Writes the status of a stored record: the coverage, its change, and whether it reaches the minimum. The status of an
/// unconfirmed, incomplete or kept record contains the reason.
pub(crate) async fn write_record(
    review: &Review,
    proof: &Proof,
    record: &Record,
    standing: &Standing,
) {
    let base = review.store.writer().base(record.id).await;
    let base = base.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::warn!(
            cause,
            "a commit status is written without the coverage change"
        );
        None
    });
    let judged = judged(review, record, base.as_ref(), standing);
    let (name, coverage) = (context(&record.language), Some(record.percentage));
    write(review, proof, &name, record.id, judged, coverage).await;
}

/// Writes the status of a record in another language that the upload has completed or changed.
pub(crate) async fn write_other_language(review: &Review, proof: &Proof, id: i64) {
    let summary = match review.store.everything().record_summary(id).await {
        Ok(Some(summary)) => summary,
        Ok(None) => return,
        Err(error) => {
            let cause = chain(&error);
            tracing::warn!(cause, "the status of a completed record is not written");
            return;
        }
    };
    let (record, parts) = (&summary.record, &summary.parts);
    let standing = match parts.are_complete() {
        true => Standing::Current,
        false => Standing::Incomplete(parts.missing()),
    };
    let judged = judged(review, record, summary.base.as_ref(), &standing);
    write(review, proof, &context(&record.language), id, judged, None).await;
}

/// Writes the status of the whole commit: failed if a language failed its gate or is below the minimum. Otherwise pending while a
/// language waits for parts, or if no rule of its gate could be judged: on every forge, a pending status neither passes nor
/// fails. `text` describes the record of this upload.
pub(crate) async fn write_commit(review: &Review, proof: &Proof, record_id: i64, text: String) {
    let results = match review.store.writer().commit_results(record_id).await {
        Ok(results) => results,
        Err(error) => {
            let cause = chain(&error);
            tracing::warn!(cause, "the status of a commit is not written");
            return;
        }
    };
    let judged = whole(&results, record_id, text, review.minimum_coverage);
    write(review, proof, WHOLE, record_id, judged, None).await;
}

/// The page that a status leads to: of the record's pull request, or of the record.
async fn target(review: &Review, record_id: i64) -> String {
    let request = review.store.writer().pull_request_of(record_id).await;
    let request = request.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::warn!(cause, "a commit status leads to its record");
        None
    });
    match request {
        Some((repository, number)) => review.places.pull_request(&repository, &number),
        None => review.places.record(record_id),
    }
}

/// Writes a status that leads to the page of a record's pull request, or of the record.
async fn write(
    review: &Review,
    proof: &Proof,
    name: &str,
    record_id: i64,
    (state, description): (State, String),
    coverage: Option<Percentage>,
) {
    let status = CommitStatus {
        context: name.to_owned(),
        target_url: Some(target(review, record_id).await),
        coverage,
        ..proof.pending().with(state, description)
    };
    proof.conclude(status).await;
}

fn whole(
    results: &[LanguageResult],
    own: i64,
    text: String,
    minimum: Option<Percentage>,
) -> (State, String) {
    let has_failed = |result: &&LanguageResult| {
        result.has_failed.0 || minimum.is_some_and(|minimum| result.percentage < minimum)
    };
    let is_waiting = |result: &&LanguageResult| result.is_waiting.0;
    let is_unknown = |result: &&LanguageResult| result.is_unknown.0;
    let find = |wanted: &dyn Fn(&&LanguageResult) -> bool| results.iter().find(wanted);
    let (state, decisive, word) = if let Some(failed) = find(&has_failed) {
        (State::Failure, Some(failed), "failed")
    } else if let Some(waiting) = find(&is_waiting) {
        (State::Pending, Some(waiting), "waits for parts")
    } else if let Some(unknown) = find(&is_unknown) {
        (State::Pending, Some(unknown), "is unknown")
    } else {
        (State::Success, None, "")
    };
    // If the decisive record is the upload's own, `text` already contains the reason.
    let other = decisive.filter(|result| result.id != own);
    let other = other.map(|result| format!("{} {word}; ", result.language));
    (state, other.unwrap_or_default() + &text)
}

/// Writes the status of a skipped part of a commit that has no record yet.
pub async fn write_skip(proof: &Proof) {
    let description = "a part is skipped; waiting for the first part";
    let status = proof.pending().with(State::Pending, description);
    proof.conclude(status).await;
}

/// The state and the text with the coverage, and with its change against the base.
fn judged(
    review: &Review,
    record: &Record,
    base: Option<&BaseRecord>,
    standing: &Standing,
) -> (State, String) {
    let percentage = record.percentage;
    let change = base.map(|base| {
        let change = Change::between(base.record.percentage, percentage);
        format!(" ({change} against {})", base.name(&record.branch))
    });
    let change = change.unwrap_or_default();
    let (state, judged) = judge(percentage, &change, review.minimum_coverage);
    match standing {
        Standing::Current | Standing::Superseded | Standing::Provisional => (state, judged),
        Standing::Incomplete(missing) => {
            let description = format!("{percentage} % so far, waiting for {missing}");
            (State::Pending, description)
        }
        Standing::Unconfirmed(why) => (state, format!("{percentage} %, not current: {why}")),
        Standing::Kept(why) => (state, format!("{percentage} %, unchanged: {why}")),
    }
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
    use store::Flag;

    #[test]
    fn the_status_of_a_commit_is_that_of_its_worst_language() {
        let result = |id, language: &str, has_failed, is_waiting| LanguageResult {
            id,
            language: language.parse().expect("a language"),
            percentage: Percentage::from_basis_points(7_000),
            has_failed: Flag(has_failed),
            is_unknown: Flag(id == 4),
            is_waiting: Flag(is_waiting),
        };
        let good = result(1, "rust", false, false);
        let waiting = result(2, "go", false, true);
        let failed = result(3, "c", true, false);
        let of = |results: &[LanguageResult], minimum: Option<u16>| {
            let minimum = minimum.map(Percentage::from_basis_points);
            whole(results, 1, "70.00 %".to_owned(), minimum)
        };
        let text = |text: &str| text.to_owned();
        let alone = std::slice::from_ref(&good);
        assert_eq!(of(alone, None), (State::Success, text("70.00 %")));
        assert_eq!(of(alone, Some(7_001)), (State::Failure, text("70.00 %")));
        let two = [good.clone(), waiting.clone()];
        let pending = (State::Pending, text("go waits for parts; 70.00 %"));
        assert_eq!(of(&two, None), pending);
        let unknown = result(4, "ada", false, false);
        let of_unknown = of(&[good.clone(), unknown.clone()], None);
        let pending = (State::Pending, text("ada is unknown; 70.00 %"));
        assert_eq!(of_unknown, pending);
        let failing = (State::Failure, text("c failed; 70.00 %"));
        assert_eq!(of(&[unknown, good, waiting, failed], None), failing);
    }

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
