//! What webhooks are notified of.

use crate::items;
use domain::{Day, Percentage};
use std::str::FromStr;

/// The events that webhooks are notified of, with their thresholds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotifiedEvents {
    /// Whether webhooks are notified of a failed gate.
    pub gate: bool,
    /// The smallest drop of a main branch to notify of, in hundredths of a percentage point.
    pub drop: Option<u16>,
    /// The days without an upload after which webhooks are notified.
    pub silence: Option<u16>,
    /// The weekday on which webhooks get the digest of the seven days before.
    pub digest: Option<Weekday>,
}

/// A day of the week: the number of days after Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weekday(u8);

impl Weekday {
    const NAMES: [&str; 7] = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];

    /// The last such day, which may be today.
    pub fn until(self, today: Day) -> Day {
        today.last_weekday(self.0)
    }
}

impl FromStr for Weekday {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut numbers = (0..).zip(Self::NAMES);
        let found = numbers.find(|(_, weekday)| weekday.eq_ignore_ascii_case(name));
        found
            .map(|(number, _)| Self(number))
            .ok_or_else(|| format!("digest={name} must be a day of the week, as in digest=monday"))
    }
}

/// The longest silence that can be set, in days.
const MOST_DAYS: u16 = 366;

impl FromStr for NotifiedEvents {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut events = Self::default();
        for item in items(text) {
            let sized = item.split_once('=');
            match sized.map(|(name, size)| (name.trim(), size.trim())) {
                None if item == "gate" => events.gate = true,
                Some(("drop", size)) => events.drop = Some(drop_of(size)?),
                Some(("silence", days)) => events.silence = Some(days_of(days)?),
                Some(("digest", weekday)) => events.digest = Some(weekday.parse()?),
                _ => {
                    return Err(format!(
                        "{item} must be gate, drop=POINTS, silence=DAYS or digest=WEEKDAY, as in gate,drop=1,silence=14,digest=monday"
                    ));
                }
            }
        }
        if events == Self::default() {
            return Err(
                "names no event, as in gate,drop=1,silence=14; without WEBHOOKS nothing is sent"
                    .to_owned(),
            );
        }
        Ok(events)
    }
}

fn drop_of(size: &str) -> Result<u16, String> {
    let points: Option<Percentage> = crate::optional::Setting::read(size).ok();
    let hundredths = points.map(Percentage::basis_points);
    hundredths
        .filter(|hundredths| *hundredths > 0)
        .ok_or_else(|| {
            format!("drop={size} must be more than 0 and at most 100 points, as in drop=0.5")
        })
}

fn days_of(days: &str) -> Result<u16, String> {
    let number = days.strip_suffix('d').unwrap_or(days).parse().ok();
    number
        .filter(|days| (1..=MOST_DAYS).contains(days))
        .ok_or_else(|| format!("silence={days} must be 1 to {MOST_DAYS} days, as in silence=14"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_named_with_their_sizes() {
        let of = |text: &str| text.parse::<NotifiedEvents>();
        let all = NotifiedEvents {
            gate: true,
            drop: Some(100),
            silence: Some(14),
            digest: Some(Weekday(0)),
        };
        assert_eq!(of("gate,drop=1,silence=14,digest=monday"), Ok(all));
        assert_eq!(
            of(" gate , drop = 1, silence=14d, digest = Monday "),
            Ok(all)
        );
        let small = NotifiedEvents {
            drop: Some(25),
            ..NotifiedEvents::default()
        };
        assert_eq!(of("drop=0.25"), Ok(small));
        for bad in [
            "",
            "drop",
            "drop=0",
            "drop=101",
            "silence=0",
            "silence=367",
            "gate=1",
            "digest",
            "digest=7",
            "all",
        ] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
