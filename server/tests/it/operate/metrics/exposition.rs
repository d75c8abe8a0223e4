//! A strict parser of OpenMetrics, as far as this service writes it. It panics on anything that the format forbids.

use std::collections::{BTreeMap, BTreeSet};

type Labels = BTreeMap<String, String>;

/// All samples, in their order.
pub struct Exposition {
    samples: Vec<(String, Labels, f64)>,
}

/// The family of the samples up to the next family.
#[derive(Default)]
struct Family {
    name: String,
    kind: String,
}

impl Family {
    fn has(&self, sample: &str) -> bool {
        let suffixes: &[&str] = match self.kind.as_str() {
            "counter" => &["_total"],
            "gauge" => &[""],
            "histogram" => &["_bucket", "_sum", "_count"],
            "info" => &["_info"],
            other => panic!("a family of the type {other}"),
        };
        let suffix = sample.strip_prefix(&self.name);
        suffix.is_some_and(|suffix| suffixes.contains(&suffix))
    }
}

impl Exposition {
    pub fn parsed(text: &str) -> Self {
        let lines = text.strip_suffix("# EOF\n").expect("the end marker");
        let (mut family, mut families, mut seen) =
            (Family::default(), BTreeSet::new(), BTreeSet::new());
        let mut samples = Vec::new();
        for line in lines.strip_suffix('\n').expect("lines").split('\n') {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, help) = help.split_once(' ').expect(line);
                assert!(is_name(name) && help.ends_with('.'), "{line}");
                assert!(families.insert(name.to_owned()), "{name} twice");
                family = Family {
                    name: name.to_owned(),
                    kind: String::new(),
                };
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').expect(line);
                assert_eq!((name, ""), (&*family.name, &*family.kind), "{line}");
                family.kind = kind.to_owned();
            } else {
                let (name, labels, value) = sample(line);
                assert!(family.has(&name), "{line} is not of {}", family.name);
                assert!(seen.insert((name.clone(), labels.clone())), "{line} twice");
                samples.push((name, labels, value));
            }
        }
        let exposition = Self { samples };
        exposition.assert_histograms();
        exposition
    }

    /// The value of the series with exactly these labels.
    pub fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let labels: Labels = labels
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let found = self
            .samples
            .iter()
            .find(|sample| sample.0 == name && sample.1 == labels);
        let found = found.unwrap_or_else(|| panic!("{name} {labels:?} among {:#?}", self.samples));
        found.2
    }

    /// The labels of each series of this name.
    pub fn series(&self, name: &str) -> impl Iterator<Item = &Labels> {
        let of_name = move |sample: &&(String, Labels, f64)| sample.0 == name;
        self.samples
            .iter()
            .filter(of_name)
            .map(|(_, labels, _)| labels)
    }

    /// Checks that the buckets of each histogram increase and that the last one has all samples.
    fn assert_histograms(&self) {
        let mut buckets = BTreeMap::<(&str, Labels), Vec<(f64, f64)>>::new();
        for (name, labels, value) in &self.samples {
            if let Some(name) = name.strip_suffix("_bucket") {
                let mut labels = labels.clone();
                let bound = labels.remove("le").expect("a bound");
                let bound = bound.replace("+Inf", "inf").parse().expect("a number");
                buckets
                    .entry((name, labels))
                    .or_default()
                    .push((bound, *value));
            }
        }
        for ((name, labels), buckets) in buckets {
            let grows = |pair: &[(f64, f64)]| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1;
            assert!(buckets.windows(2).all(grows), "{name}: {buckets:?}");
            let labels: Vec<_> = labels.iter().map(|(a, b)| (&**a, &**b)).collect();
            let count = self.value(&format!("{name}_count"), &labels);
            assert_eq!(buckets.last(), Some(&(f64::INFINITY, count)), "{name}");
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `name{label="value",…} number`
fn sample(line: &str) -> (String, Labels, f64) {
    let end = line.find(['{', ' ']).expect(line);
    let (name, rest) = line.split_at(end);
    assert!(is_name(name), "{line}");
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest),
        None => (Labels::new(), rest),
    };
    let value = rest.strip_prefix(' ').expect(line);
    assert!(!value.contains(' '), "{line}");
    (name.to_owned(), labels, value.parse().expect(line))
}

/// Labels up to their `}`, and the text after it.
fn labels(mut rest: &str) -> (Labels, &str) {
    let mut labels = Labels::new();
    loop {
        let (name, after) = rest.split_once("=\"").expect(rest);
        assert!(is_name(name), "{rest}");
        let (value, after) = quoted(after);
        assert!(labels.insert(name.to_owned(), value).is_none(), "{rest}");
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None => return (labels, after.strip_prefix('}').expect(after)),
        }
    }
}

/// A value up to its `"`, and the text after it.
fn quoted(text: &str) -> (String, &str) {
    let (mut value, mut chars) = (String::new(), text.chars());
    loop {
        match chars.next().expect("a quote") {
            '"' => return (value, chars.as_str()),
            '\\' => value.push(match chars.next() {
                Some('n') => '\n',
                Some(escaped @ ('"' | '\\')) => escaped,
                other => panic!("{other:?} after a backslash"),
            }),
            other => value.push(other),
        }
    }
}
