//! What the rules remove, and what they never remove.

use super::{Rules, rules::decide, run::to_go};
use domain::{DAY, Timestamp};
use proptest::prelude::*;
use store::{Judged, KeptReport, now};

const NOW: Timestamp = Timestamp(20_000 * DAY);

fn days_old(days: i64) -> Judged {
    Judged {
        updated_at: Timestamp(NOW.0 - days * DAY),
        is_safe: false,
        is_confirmed: true,
    }
}

fn kept(rules: Rules, reports: &[Judged]) -> Vec<i64> {
    let removed = decide(rules, reports, NOW);
    let kept = reports.iter().zip(removed).filter(|(_, removed)| !removed);
    kept.map(|(report, _)| (NOW.0 - report.updated_at.0) / DAY)
        .collect()
}

#[test]
fn without_rules_every_report_is_kept() {
    let reports: Vec<_> = (0..5_000).step_by(100).map(days_old).collect();
    assert_eq!(kept(Rules::default(), &reports).len(), reports.len());
}

#[test]
fn recent_reports_stay_then_one_of_each_week_then_none() {
    let rules = Rules {
        all_days: Some(3),
        weekly_days: Some(30),
        most: None,
    };
    let reports: Vec<_> = (0..60).map(days_old).collect();
    let kept = kept(rules, &reports);
    assert_eq!(kept[..4], [0, 1, 2, 3]);
    let weekly = &kept[4..];
    assert!(
        weekly.windows(2).all(|pair| pair[1] - pair[0] == 7),
        "{kept:?}"
    );
    assert!(
        weekly.iter().all(|days| *days <= 30) && weekly.len() >= 3,
        "{kept:?}"
    );
}

#[test]
fn unconfirmed_uploads_never_evict_a_confirmed_report() {
    let report = |record_id: i64, is_confirmed| KeptReport {
        record_id,
        commit: format!("c{record_id}").parse().expect("a commit"),
        key: format!("key-{record_id}"),
        judged: Judged {
            updated_at: Timestamp(now().0 - record_id * DAY),
            is_safe: false,
            is_confirmed,
        },
    };
    let all: Vec<_> = (1..=6).map(|id| report(id, id > 3)).collect();
    let rules = Rules {
        most: Some(2),
        ..Rules::default()
    };
    let gone = to_go(&all, rules);
    let gone: Vec<_> = gone.iter().map(|report| report.record_id).collect();
    assert_eq!(gone, [6, 3]);
}

#[test]
fn a_week_starts_on_monday() {
    let rules = Rules {
        all_days: Some(1),
        weekly_days: Some(60),
        most: None,
    };
    // The first of these days was a Friday, because the epoch was a Thursday.
    assert_eq!(20_000 % 7, 1);
    let reports: Vec<_> = (2..20).map(days_old).collect();
    // Wednesday, then Sundays.
    assert_eq!(kept(rules, &reports), [2, 5, 12, 19]);
}

#[test]
fn the_largest_number_of_days_keeps_every_report() {
    let rules = Rules {
        all_days: Some(36_500),
        ..Rules::default()
    };
    assert_eq!(kept(rules, &[days_old(0), days_old(19_999)]).len(), 2);
}

#[test]
fn a_branch_keeps_its_maximum_and_every_protected_report() {
    let rules = Rules {
        most: Some(2),
        ..Rules::default()
    };
    let mut reports: Vec<_> = (0..6).map(days_old).collect();
    assert_eq!(kept(rules, &reports), [0, 1]);
    reports[5].is_safe = true;
    assert_eq!(kept(rules, &reports), [0, 1, 5]);
}

proptest! {
    #[test]
    fn stricter_rules_never_keep_more_and_protected_reports_stay(
        ages in prop::collection::btree_set(0_i64..2_000, 0..80),
        safe in prop::collection::vec(any::<bool>(), 80),
        all in prop::option::of(0_u32..400),
        weekly in prop::option::of(0_u32..900),
        most in prop::option::of(0_u32..40),
    ) {
        let reports: Vec<_> = ages
            .into_iter()
            .zip(safe)
            .map(|(days, is_safe)| Judged { is_safe, ..days_old(days) })
            .collect();
        let rules = Rules { all_days: all, weekly_days: weekly, most };
        let removed = decide(rules, &reports, NOW);
        for (report, removed) in reports.iter().zip(&removed) {
            prop_assert!(!(report.is_safe && *removed));
        }
        let younger = decide(Rules { all_days: all.map(|days| days / 2), ..rules }, &reports, NOW);
        let count = |removed: &[bool]| removed.iter().filter(|removed| **removed).count();
        prop_assert!(
            weekly.is_some() || most.is_some() || count(&younger) >= count(&removed),
            "fewer days never remove fewer reports"
        );
        let of_age_alone = decide(Rules { most: None, ..rules }, &reports, NOW);
        for (strict, lenient) in removed.iter().zip(&of_age_alone) {
            prop_assert!(*strict || !lenient, "a maximum number never removes fewer reports");
        }
    }
}
