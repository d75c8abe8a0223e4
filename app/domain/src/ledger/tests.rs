//! Tests of what the ledger shows about attempts, and to whom.

use super::*;

fn attempt(sender: Sender) -> UploadAttempt {
    let text = |text: &str| Some(text.to_owned());
    UploadAttempt {
        id: 1,
        received_at: Timestamp(0),
        milliseconds: 12,
        request_id: text("buy things"),
        org: text("acme"),
        repo: text("payments"),
        branch: text("main"),
        commit: text("9be01d2"),
        language: text("rust"),
        sender,
        token_name: (sender == Sender::Known).then(|| "ci".to_owned()),
        status: 422,
        code: "invalid_parameter".to_owned(),
        detail: text("Correct these parameters."),
        record_id: None,
        report_format: None,
        bytes: 3,
    }
}

#[test]
fn everybody_sees_what_a_known_sender_was_told_but_not_whose_token_it_showed() {
    let seen = attempt(Sender::Known).for_everybody();
    assert_eq!(seen.token_name, None);
    assert_eq!(seen.detail.as_deref(), Some("Correct these parameters."));
    assert_eq!(seen.branch.as_deref(), Some("main"));
}

#[test]
fn everybody_sees_nothing_that_an_unknown_sender_could_write_onto_the_page() {
    let seen = attempt(Sender::Unknown).for_everybody();
    assert_eq!(
        [
            seen.branch,
            seen.commit,
            seen.language,
            seen.request_id,
            seen.detail
        ],
        [const { None }; 5]
    );
    assert_eq!(seen.org.as_deref(), Some("acme"));
    let mut odd = attempt(Sender::Unknown);
    odd.repo = Some("call me at <b>".to_owned());
    let seen = odd.for_everybody();
    assert_eq!((seen.org, seen.repo), (None, None));
}

#[test]
fn the_refused_share_is_counted_in_whole_basis_points() {
    let share = |refused, attempts| {
        let day = LastDay {
            attempts,
            refused,
            ..LastDay::default()
        };
        day.refused_share().map(|share| share.to_string())
    };
    assert_eq!(share(0, 0), None);
    assert_eq!(share(0, 3).as_deref(), Some("0.00"));
    assert_eq!(share(1, 3).as_deref(), Some("33.33"));
    assert_eq!(share(10_000, 10_000).as_deref(), Some("100.00"));
}

#[test]
fn filters_in_an_address_are_read_as_they_were_written() {
    for outcome in [Outcome::Taken, Outcome::Refused] {
        assert_eq!(Outcome::parse(outcome.as_text()), Some(outcome));
    }
    for sender in [Sender::Known, Sender::Unknown] {
        assert_eq!(Sender::parse(sender.as_text()), Some(sender));
    }
    assert_eq!((Outcome::parse(""), Sender::parse("all")), (None, None));
}

#[test]
fn every_refusal_has_a_name_and_advice_of_its_own() {
    for (index, refusal) in REFUSALS.iter().enumerate() {
        assert_eq!(advice(refusal.code), Some(refusal));
        assert!(refusal.todo.ends_with('.') && !refusal.name.is_empty());
        let others = &REFUSALS[..index];
        assert!(
            others
                .iter()
                .all(|other| other.code != refusal.code && other.todo != refusal.todo)
        );
    }
    assert_eq!(advice("created"), None);
}
