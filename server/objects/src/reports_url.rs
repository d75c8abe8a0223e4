//! The location of HTML reports: a folder, or a prefix in a bucket of an S3-compatible object storage.

use std::{
    fmt::{self, Display},
    path::PathBuf,
    str::FromStr,
};

const SCHEME: &str = "s3://";

/// Characters that clients of object storages encode in different ways.
const NOT_IN_PREFIXES: [char; 12] = ['?', '#', '\\', '%', '*', '"', '<', '>', '|', '~', '^', '`'];

/// The location of all HTML reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportsUrl {
    /// A folder.
    Folder(PathBuf),
    /// A prefix in a bucket.
    Bucket(BucketUrl),
}

/// `s3://bucket/prefix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketUrl {
    /// The bucket.
    pub bucket: String,
    /// The prefix of all keys, without `/` at either end. Empty for the whole bucket.
    pub prefix: String,
}

impl FromStr for ReportsUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix(SCHEME) {
            Some(rest) => rest.parse().map(Self::Bucket),
            None if text.contains("://") => Err("must be a folder or s3://bucket/prefix"),
            None if text.is_empty() => Err("must not be empty"),
            None => Ok(Self::Folder(text.into())),
        }
    }
}

impl FromStr for BucketUrl {
    type Err = &'static str;

    /// Reads the text after `s3://`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (bucket, prefix) = text.split_once('/').unwrap_or((text, ""));
        let in_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        if bucket.contains(['@', ':']) {
            return Err(
                "must name a bucket alone; credentials and endpoints go into the AWS_ variables",
            );
        }
        if !(3..=63).contains(&bucket.len()) || !bucket.chars().all(in_name) {
            return Err("must name a bucket of 3 to 63 letters, digits, dots and dashes");
        }
        let prefix = prefix.trim_matches('/');
        let is_unfit = |c: char| c.is_control() || NOT_IN_PREFIXES.contains(&c);
        let is_name =
            |segment: &str| !matches!(segment, "" | "." | "..") && !segment.contains(is_unfit);
        if !prefix.is_empty() && !prefix.split('/').all(is_name) {
            return Err("must have a prefix of plain names, one / between two of them");
        }
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        })
    }
}

impl Display for ReportsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(bucket) => bucket.fmt(f),
        }
    }
}

impl Display for BucketUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.bucket)?;
        match self.prefix.as_str() {
            "" => Ok(()),
            prefix => write!(f, "/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_folder_or_a_bucket_with_a_prefix() {
        let of = |text: &str| text.parse::<ReportsUrl>().map(|url| url.to_string());
        for (text, expected) in [
            ("public/reports", "public/reports"),
            ("/srv/a b", "/srv/a b"),
            ("s3://reports", "s3://reports"),
            ("s3://reports/", "s3://reports"),
            (
                "s3://acme.reports/coverage/eu/",
                "s3://acme.reports/coverage/eu",
            ),
        ] {
            assert_eq!(of(text).as_deref(), Ok(expected), "{text}");
        }
        for text in [
            "",
            "gs://reports",
            "https://reports.example.com",
            "s3://",
            "s3:///x",
            "s3://ab",
            "s3://key:secret@reports",
            "s3://reports:9000/x",
            "s3://re ports",
            "s3://reports/a//b",
            "s3://reports/../b",
            "s3://reports/a?b",
            "s3://reports/a\nb",
        ] {
            assert!(of(text).is_err(), "{text}");
        }
    }
}
