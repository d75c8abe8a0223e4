//! Writes the points of a chart into the page: each time and id as the difference from the previous point, which compresses
//! better.

use crate::api::{PointAnswer, TrendAnswer};
use domain::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer>(answer: &TrendAnswer, to: S) -> Result<S::Ok, S::Error> {
    changed(answer.clone(), i64::wrapping_sub, |_, old| old).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<TrendAnswer, D::Error> {
    let answer = TrendAnswer::deserialize(from)?;
    Ok(changed(answer, i64::wrapping_add, |new, _| new))
}

/// Changes each number by the previous one. `kept` returns the changed or the original value of that number.
fn changed(
    mut answer: TrendAnswer,
    change: fn(i64, i64) -> i64,
    kept: fn(i64, i64) -> i64,
) -> TrendAnswer {
    for series in &mut answer.series {
        let mut before = (0, 0);
        for PointAnswer(Timestamp(at), _, id, _) in &mut series.points {
            let old = (*at, *id);
            (*at, *id) = (change(old.0, before.0), change(old.1, before.1));
            before = (kept(*at, old.0), kept(*id, old.1));
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use crate::{
        api::{PointAnswer, SeriesAnswer, TrendAnswer},
        islands::trend_chart::data::Points,
    };
    use domain::{Percentage, Timestamp};

    #[test]
    fn points_in_a_page_are_differences_and_are_read_back() {
        let point = |at, id| {
            let percentage = Percentage::from_basis_points(8_000);
            PointAnswer(Timestamp(at), percentage, id, format!("c{id}"))
        };
        let series = |points| SeriesAnswer {
            branch_name: "main".to_owned(),
            language: "rust".to_owned(),
            is_active: true,
            points,
            authors: vec!["Kim".to_owned()],
            failed: vec![0],
            counted: Vec::new(),
        };
        let points = Points::Records(TrendAnswer {
            records: 4,
            hidden: 0,
            series: vec![
                series(vec![point(1_000, 7), point(1_500, 6), point(i64::MAX, 9)]),
                series(vec![point(i64::MIN, 1)]),
            ],
        });
        let text = serde_json::to_string(&points).expect("JSON");
        assert!(
            text.contains(r#"[1000,8000,7,"c7"],[500,8000,-1,"c6"]"#),
            "{text}"
        );
        assert_eq!(
            serde_json::from_str::<Points>(&text).expect("points"),
            points
        );
    }
}
