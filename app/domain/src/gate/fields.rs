//! The rules of a gate as the fields of a form name them.

use super::{GateRules, Limits, ScopedRule};
use std::{collections::BTreeMap, fmt::Display, str::FromStr};

/// What is wrong with each field of a form, by its name.
pub type FieldErrors = BTreeMap<&'static str, String>;

/// What the fields of a form must be.
const LINES: &str = "must be a whole number of lines";
const PERCENT: &str = "must be a whole number from 0 to 100";
const SWITCH: &str = "must be true or false";

impl GateRules {
    /// The keys of the table `[gate]` of the settings. The form has a field for each, and one for `partial`. The fields `paths`, `parts`
    /// and `views` have a rule on each line.
    pub const KEYS: [&str; 11] = [
        "changed",
        "changed_min",
        "lost",
        "floor",
        "branches_floor",
        "functions_floor",
        "evaluate",
        "main",
        "paths",
        "parts",
        "views",
    ];

    /// Reads the rules of a form. An empty field sets no rule.
    ///
    /// # Errors
    ///
    /// What is wrong with each field.
    pub fn of_fields(field: impl Fn(&str) -> Option<String>) -> Result<Self, FieldErrors> {
        let mut read = Fields {
            field,
            errors: FieldErrors::new(),
        };
        let mut rules = Self {
            all: Limits {
                changed: read.percent("changed"),
                lost: read.one("lost", LINES),
                floor: read.percent("floor"),
            },
            branches_floor: read.percent("branches_floor"),
            functions_floor: read.percent("functions_floor"),
            changed_min: read.one("changed_min", LINES),
            evaluate: read.one("evaluate", SWITCH),
            main: read.one("main", SWITCH),
            partial: read.one("partial", "must be hit or miss"),
            ..Self::default()
        };
        read.lines("paths", &mut rules.paths);
        read.lines("parts", &mut rules.parts);
        read.lines("views", &mut rules.views);
        match read.errors.is_empty() {
            true => Ok(rules),
            false => Err(read.errors),
        }
    }
}

struct Fields<Field> {
    field: Field,
    errors: FieldErrors,
}

impl<Field: Fn(&str) -> Option<String>> Fields<Field> {
    fn text(&self, name: &str) -> Option<String> {
        let text = (self.field)(name)?.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn one<Value: FromStr>(&mut self, name: &'static str, or: &str) -> Option<Value> {
        let value = self.text(name)?.parse().ok();
        if value.is_none() {
            self.errors.insert(name, or.to_owned());
        }
        value
    }

    fn percent(&mut self, name: &'static str) -> Option<u8> {
        let percent = self.one(name, PERCENT)?;
        if percent > 100 {
            self.errors.insert(name, PERCENT.to_owned());
        }
        Some(percent)
    }

    fn lines<Scope: Clone + Ord + FromStr<Err: Display>>(
        &mut self,
        name: &'static str,
        limits: &mut BTreeMap<Scope, Limits>,
    ) {
        let text = self.text(name).unwrap_or_default();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let rules: Result<Vec<ScopedRule<Scope>>, _> = lines.map(str::parse).collect();
        match rules {
            Ok(rules) => ScopedRule::put(limits, &rules),
            Err(why) => {
                self.errors.insert(name, why);
            }
        }
        if limits.len() > GateRules::MAX_SCOPES {
            let most = GateRules::MAX_SCOPES;
            self.errors
                .insert(name, format!("must not have rules for more than {most}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Count, Gate, GateInput, Measured, Verdict};

    fn read(fields: &[(&str, &str)]) -> Result<GateRules, FieldErrors> {
        GateRules::of_fields(|name| {
            let found = fields.iter().find(|(of, _)| *of == name);
            found.map(|(_, text)| (*text).to_owned())
        })
    }

    #[test]
    fn a_form_names_the_rules_that_the_command_takes() {
        let rules = read(&[
            ("changed", " 80 "),
            ("lost", "0"),
            ("floor", ""),
            ("evaluate", "true"),
            ("partial", "miss"),
            ("paths", "billing/**:changed=95\r\n\r\nbilling/**:lost=0"),
            ("parts", "e2e:floor=40"),
            ("views", "owner:@acme/payments:changed=90"),
        ]);
        let expected = "changed 80, lost 0, evaluate true, partial miss, billing/**: changed 95, \
                        billing/**: lost 0, part e2e: floor 40, owner:@acme/payments: changed 90";
        assert_eq!(
            rules.map(|rules| rules.to_string()),
            Ok(expected.to_owned())
        );
        assert_eq!(read(&[]), Ok(GateRules::default()));
    }

    #[test]
    fn each_wrong_field_is_named() {
        for (name, text) in [
            ("changed", "101"),
            ("changed", "-1"),
            ("floor", "300"),
            ("lost", "x"),
            ("evaluate", "yes"),
            ("partial", "both"),
            ("paths", "a/**"),
            ("parts", "E2E:floor=1"),
        ] {
            let errors = read(&[(name, text)]).expect_err(text);
            assert_eq!(errors.keys().copied().collect::<Vec<_>>(), [name], "{text}");
        }
        let many = (0..=GateRules::MAX_SCOPES).map(|number| format!("a{number}/**:lost=0\n"));
        assert!(read(&[("paths", &many.collect::<String>())]).is_err());
    }

    #[test]
    fn numbers_that_are_not_stored_never_pass() {
        let count = |covered| {
            Some(Count {
                covered,
                total: 100,
            })
        };
        let input = |covered| GateInput {
            all: Measured {
                total: count(covered),
                ..Measured::default()
            },
            ..GateInput::default()
        };
        let foresee = |fields: &[(&str, &str)], covered| {
            let rules = read(fields).expect("rules");
            Gate::foresee(&rules, &input(covered)).map(|gate| gate.verdict)
        };
        let floor = ("floor", "70");
        assert_eq!(foresee(&[floor], 80), Some(Verdict::Passed));
        assert_eq!(foresee(&[floor], 60), Some(Verdict::Failed));
        for other in [
            ("changed", "0"),
            ("lost", "9"),
            ("branches_floor", "0"),
            ("paths", "a/**:floor=0"),
            ("parts", "e2e:floor=0"),
            ("views", "view:api:floor=0"),
        ] {
            assert_eq!(
                foresee(&[floor, other], 80),
                Some(Verdict::Unknown),
                "{other:?}"
            );
            assert_eq!(
                foresee(&[floor, other], 60),
                Some(Verdict::Failed),
                "{other:?}"
            );
        }
        assert_eq!(foresee(&[("evaluate", "true")], 80), None);
    }
}
