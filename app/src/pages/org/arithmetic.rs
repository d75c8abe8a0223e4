//! What a number of an organisation is made of, in sentences.

use super::{counted, repositories};
use domain::{Mean, OrgQuery, OrgReport, Over, STALE_DAYS};

/// The sentences under the chart.
pub(super) fn sentences(report: &OrgReport, query: &OrgQuery, is_cut: bool) -> Vec<String> {
    let whose = match query.over {
        Over::Same => format!(
            "of the {} a value at both ends of the period",
            counted(
                report.counted,
                "repository that has",
                "repositories that have"
            )
        ),
        Over::All => format!(
            "of all repositories that have a value on the day, {} in the period",
            report.counted
        ),
    };
    let made = match query.mean {
        Mean::Weighted => format!(
            "Covered lines of all lines on the main branches {whose}; of several languages the lines of each are counted."
        ),
        Mean::Plain => format!(
            "The average of the coverage of the main branches {whose}, each counting the same; one of several languages \
             counts by their average."
        ),
    };
    let mut sentences = vec![made];
    sentences.push(format!(
        "A point has the last value of its day (UTC), which is carried on until the next one; one point {}. Main branches are \
         the ones of today.",
        report.interval.words()
    ));
    if report.without_lines > 0 {
        sentences.push(format!(
            "{} cannot be weighted, since reports of it do not count lines.",
            repositories(report.without_lines)
        ));
    }
    if report.stale > 0 {
        sentences.push(format!(
            "{} stale: nothing was uploaded for {STALE_DAYS} days, and the last value counts on.",
            counted(report.stale, "repository is", "repositories are"),
        ));
    }
    if is_cut {
        sentences.push(
            "There are more repositories than can be read at once; these are the first by name."
                .to_owned(),
        );
    }
    sentences
}

/// How a repository's part is made.
pub(super) fn part(report: &OrgReport, query: &OrgQuery) -> Option<String> {
    let start = report.points.first()?.coverage?;
    report.change?;
    Some(match (query.mean, query.over) {
        (Mean::Weighted, _) => format!(
            "Part: covered lines gained, less {start}\u{202f}% of lines gained, of all lines at the end. The parts add up to the \
             change, and are rounded so that they do."
        ),
        (Mean::Plain, Over::Same) => {
            "Part: the change, divided by the number of repositories. The parts add up to the change of the average, and are \
             rounded so that they do."
                .to_owned()
        }
        (Mean::Plain, Over::All) => format!(
            "Part: the change, or for a repository that came or went the difference from {start}\u{202f}%, divided by the number \
             of repositories at the end. The parts add up to the change of the average, and are rounded so that they do."
        ),
    })
}
