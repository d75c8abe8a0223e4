//! The comment of a pull request: created once, then edited, and always about the newest commit.

use crate::{
    Review,
    markdown::{is_worth_a_comment, markdown},
};
use domain::{
    Timestamp,
    text::{chain, rfc3339},
};
use forges::{Comment, Commenter, NotWritten, Proof};
use store::{CommentKey, CommentTurn, RecordSummary, StoreError, Writer};
use tokio::time::timeout_at;
use tracing::Instrument;

/// The first line of a comment, which forges do not show.
const MARKER: &str = "<!-- coverage-dashboard: the comment about coverage -->";

/// How far the clocks of a forge and of this service may differ, in microseconds.
const CLOCKS: i64 = 10 * 60 * 1_000_000;

/// The result of writing a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentOutcome {
    /// The comment is new.
    Created,
    /// The text of the comment was replaced.
    Edited,
    /// Another upload is writing the comment and includes the results of this one.
    ByAnother,
    /// There was nothing to report, or a newer commit has been uploaded.
    Nothing,
    /// It was not written. A notice contains the reason.
    NotWritten,
}

impl CommentOutcome {
    /// The value of the header `X-Coverage-Comment`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Edited => "updated",
            Self::ByAnother => "updated by another upload",
            Self::Nothing => "none",
            Self::NotWritten => "not written",
        }
    }
}

/// Writes the comment if the upload belongs to a pull request. Returns the result, and a notice for the uploader.
pub(super) async fn write(
    review: &Review,
    proof: &Proof,
    summary: &RecordSummary,
) -> Option<(CommentOutcome, Option<String>)> {
    let number = summary.pull_request.clone()?;
    let commenter = proof.commenter(&number);
    let (writer, id) = (review.clone(), summary.record.id);
    let key_number = number.clone();
    let writing = async move {
        let subject = writer
            .store
            .writer()
            .comment_subject(id, &key_number)
            .await?;
        if !subject.records.contains(&id) {
            return Ok(CommentOutcome::Nothing);
        }
        let key = CommentKey {
            repository_id: subject.repository_id,
            forge: commenter.forge().to_owned(),
            pull_request: key_number,
        };
        Writing {
            review: &writer,
            commenter,
            key,
            record_id: id,
        }
        .write()
        .await
    };
    // The task continues if the response no longer waits for it, or if the client has disconnected.
    let writing = review.tasks.spawn(writing.in_current_span());
    let about = format!("The comment of pull request {number}");
    let why = match timeout_at(proof.until(), writing).await {
        Ok(Ok(Ok(outcome))) => return Some((outcome, None)),
        Ok(Ok(Err(Because(reason)))) => format!("{about} was not written: {reason}."),
        Ok(Err(error)) => {
            tracing::error!(cause = chain(&error), "a comment was not written");
            format!("{about} was not written: the service failed.")
        }
        Err(_) => format!("{about} is still being written: the forge is slow."),
    };
    Some((CommentOutcome::NotWritten, Some(why)))
}

struct Writing<'a> {
    review: &'a Review,
    commenter: Commenter,
    key: CommentKey,
    record_id: i64,
}

impl Writing<'_> {
    fn writer(&self) -> Writer<'_> {
        self.review.store.writer()
    }

    async fn write(&self) -> Result<CommentOutcome, Because> {
        let writer = self.writer();
        let has_comment = writer.has_comment(&self.key).await?;
        if !has_comment && !self.records().await?.iter().any(is_worth_a_comment) {
            return Ok(CommentOutcome::Nothing);
        }
        let Some(mut turn) = writer.ask_for_comment(&self.key).await? else {
            return Ok(CommentOutcome::ByAnother);
        };
        loop {
            let outcome = self.write_once(&mut turn).await;
            let latest = writer.release_comment(&self.key).await?;
            if outcome.is_err() || latest <= turn.sequence {
                return outcome;
            }
            // Other uploads came meanwhile and left their results to this upload.
            match writer.take_comment(&self.key).await? {
                Some(again) => turn = again,
                None => return outcome,
            }
        }
    }

    /// The current records that the comment is about.
    async fn records(&self) -> Result<Vec<RecordSummary>, Because> {
        let (writer, number) = (self.writer(), &self.key.pull_request);
        let subject = writer.comment_subject(self.record_id, number).await?;
        Ok(self.review.summaries(subject.records).await?)
    }

    async fn write_once(&self, turn: &mut CommentTurn) -> Result<CommentOutcome, Because> {
        let records = self.records().await?;
        let all: Vec<_> = records.iter().collect();
        let body = format!("{MARKER}\n{}", markdown(&all, &self.review.places));
        if turn.comment_id.is_none() {
            turn.comment_id = self.lost(turn).await?.map(|comment| comment.id);
        }
        if let Some(id) = &turn.comment_id {
            // `None` if somebody deleted it.
            let edited = self.commenter.edit(id, &body).await?;
            self.keep(turn, edited.as_ref()).await?;
            if edited.is_some() {
                return Ok(CommentOutcome::Edited);
            }
        }
        if !records.iter().any(is_worth_a_comment) {
            return Ok(CommentOutcome::Nothing);
        }
        self.writer().attempt_comment(&self.key).await?;
        let comment = self.commenter.create(&body).await?;
        self.keep(turn, Some(&comment)).await?;
        Ok(CommentOutcome::Created)
    }

    /// Finds a comment that was created although the response got lost: it has the marker, and the forge states the author that
    /// wrote the other comments of this service. The marker alone is not enough, because anybody can write it.
    async fn lost(&self, turn: &CommentTurn) -> Result<Option<Comment>, Because> {
        let (Some(at), Some(author)) = (turn.attempted_at, &turn.author) else {
            return Ok(None);
        };
        let since = rfc3339(Timestamp(at.saturating_sub(CLOCKS)));
        Ok(self.commenter.find(author, MARKER, &since).await?)
    }

    async fn keep(&self, turn: &mut CommentTurn, comment: Option<&Comment>) -> Result<(), Because> {
        turn.comment_id = comment.map(|comment| comment.id.clone());
        let kept = comment.map(|comment| (comment.id.as_str(), comment.author.as_deref()));
        Ok(self.writer().keep_comment(&self.key, kept).await?)
    }
}

/// Why a comment is not written: the end of a sentence.
struct Because(String);

impl From<NotWritten> for Because {
    fn from(NotWritten(reason): NotWritten) -> Self {
        Self(reason)
    }
}

impl From<StoreError> for Because {
    fn from(error: StoreError) -> Self {
        tracing::error!(cause = chain(&error), "a comment was not written");
        Self("the database failed".to_owned())
    }
}
