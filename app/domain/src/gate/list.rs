//! The rules of a gate as text for people.

use super::{GateRules, Limits};
use std::fmt;

impl GateRules {
    /// The name and the value of each rule that is set. Names of rules of paths and parts begin with them.
    #[must_use]
    pub fn list(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        limits(&mut list, "", &self.all);
        let percent = |floor: Option<u8>| floor.map(|percent| percent.to_string());
        let own = [
            ("branches_floor", percent(self.branches_floor)),
            ("functions_floor", percent(self.functions_floor)),
            (
                "changed_min",
                self.changed_min.map(|lines| lines.to_string()),
            ),
            (
                "evaluate",
                self.evaluate.map(|evaluate| evaluate.to_string()),
            ),
            ("main", self.main.map(|main| main.to_string())),
            ("partial", self.partial.map(|partial| partial.to_string())),
        ];
        list.extend(
            own.into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?))),
        );
        for (glob, of_paths) in &self.paths {
            limits(&mut list, &format!("{glob}: "), of_paths);
        }
        for (part, of_part) in &self.parts {
            limits(&mut list, &format!("part {part}: "), of_part);
        }
        for (view, of_view) in &self.views {
            limits(&mut list, &format!("{view}: "), of_view);
        }
        list
    }
}

fn limits(list: &mut Vec<(String, String)>, prefix: &str, limits: &Limits) {
    let values = [
        ("changed", limits.changed.map(u64::from)),
        ("lost", limits.lost),
        ("floor", limits.floor.map(u64::from)),
    ];
    for (name, value) in values {
        list.extend(value.map(|value| (format!("{prefix}{name}"), value.to_string())));
    }
}

/// Such as `changed 80, lost 0, billing/**: changed 95`.
impl fmt::Display for GateRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.list().iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name} {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PartialLines;

    #[test]
    fn every_rule_that_is_set_is_listed_with_its_name() {
        let limits = |changed, lost, floor| Limits {
            changed,
            lost,
            floor,
        };
        let rules = GateRules {
            all: limits(Some(80), Some(0), Some(70)),
            branches_floor: Some(60),
            functions_floor: Some(90),
            changed_min: Some(1),
            evaluate: Some(false),
            main: Some(true),
            partial: Some(PartialLines::Miss),
            paths: [(
                "billing/**".parse().expect("a glob"),
                limits(Some(95), None, None),
            )]
            .into(),
            parts: [("e2e".parse().expect("a part"), limits(None, None, Some(7)))].into(),
            views: [(
                "owner:none".parse().expect("a view"),
                limits(None, Some(3), None),
            )]
            .into(),
        };
        let text = "changed 80, lost 0, floor 70, branches_floor 60, functions_floor 90, changed_min 1, \
                    evaluate false, main true, partial miss, billing/**: changed 95, part e2e: floor 7, \
                    owner:none: lost 3";
        assert_eq!(rules.to_string(), text);
        assert_eq!(GateRules::default().to_string(), "");
    }
}
