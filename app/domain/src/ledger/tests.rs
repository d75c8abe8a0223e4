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
        part: text("unit"),
        sender,
        token_name: (sender == Sender::Known).then(|| "ci".to_owned()),
        status: 422,
        code: "invalid_parameter".to_owned(),
        detail: text("Correct these parameters."),
        record_id: None,
        report_format: None,
        run_url: None,
        client: None,
        bytes: 3,
        changed_lines: None,
    }
}

#[test]
fn the_public_sees_errors_of_known_senders_but_not_their_tokens() {
    let seen = attempt(Sender::Known).for_everybody();
    assert_eq!(seen.token_name, None);
    assert_eq!(seen.detail.as_deref(), Some("Correct these parameters."));
    assert_eq!(seen.branch.as_deref(), Some("main"));
}

#[test]
fn the_public_sees_no_input_of_unknown_senders() {
    let seen = attempt(Sender::Unknown).for_everybody();
    assert_eq!(
        [
            seen.branch,
            seen.commit,
            seen.language,
            seen.part,
            seen.request_id,
            seen.detail
        ],
        [const { None }; 6]
    );
    assert_eq!(seen.org.as_deref(), Some("acme"));
    let mut odd = attempt(Sender::Unknown);
    odd.repo = Some("call me at <b>".to_owned());
    let seen = odd.for_everybody();
    assert_eq!((seen.org, seen.repo), (None, None));
}

#[test]
fn filters_in_an_address_round_trip() {
    for outcome in [Outcome::Taken, Outcome::Refused] {
        assert_eq!(outcome.word().parse(), Ok(outcome));
    }
    for sender in [Sender::Known, Sender::Unknown] {
        assert_eq!(sender.word().parse(), Ok(sender));
    }
    assert!("".parse::<Outcome>().is_err() && "all".parse::<Sender>().is_err());
}

#[test]
fn every_refusal_has_its_own_name_and_advice() {
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
