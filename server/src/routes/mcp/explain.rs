//! The tool `explain`: why the percentages of a record and its base differ.

use super::{
    answer::Refusal,
    arguments::Arguments,
    names::{name, quoted},
    record::{Found, LOST_UNKNOWN},
};
use crate::routes::readable::Readable;
use domain::{ChangeGroup, Explanation, text::counted};
use store::{ExplainedRecord, RecordExplanation};

pub(super) async fn call(state: &Readable, arguments: &Arguments) -> Result<String, Refusal> {
    let found = Found::of(state, &arguments.record()?).await?;
    let explained = state.reader.explained(found.record.id, None, None).await?;
    match explained.ok_or_else(|| found.gone())? {
        RecordExplanation::Known(explained) => Ok(text(&found, &explained)),
        RecordExplanation::NoBase => Err(found.refusal(
            "This record has no base to compare with: it is the first one, or its base was not uploaded; ask for a newer record.",
        )),
        RecordExplanation::NoCounts => Err(found.refusal(
            "This record or its base has no counts of lines, so the change cannot be explained; ask for a newer record.",
        )),
    }
}

fn text(found: &Found, explained: &ExplainedRecord) -> String {
    let mut answer = found.answer();
    answer.line(&format!(
        "{} %, {} percentage points since record {}.",
        found.record.percentage, explained.delta, explained.base
    ));
    answer.line(&format!("In a sentence: {}", quoted(&explained.sentence)));
    if explained.lacks_lost_lines {
        answer.line(LOST_UNKNOWN);
    }
    let explanation = &explained.explanation;
    let groups = &explanation.groups;
    if !groups.is_empty() {
        answer.line("Points, cause, where, change of covered and of all lines:");
    }
    let items = groups.iter().map(|group| of_group(explanation, group));
    answer.items(groups.len(), items, |more| match more {
        1 => "And 1 smaller group: the page has it.".to_owned(),
        more => format!("And {more} smaller groups: the page has more."),
    });
    answer.finish()
}

fn of_group(explanation: &Explanation, group: &ChangeGroup) -> String {
    let points = explanation.points(explanation.share(group));
    let place = match (&group.path, group.files) {
        (Some(path), _) => format!(", {}", name(path)),
        (None, 0) => String::new(),
        (None, files) => format!(", {}", counted(files, "file")),
    };
    format!(
        "- {points}: {}{place}, {:+} covered, {:+} in all.",
        group.reason(name),
        group.covered,
        group.total
    )
}
