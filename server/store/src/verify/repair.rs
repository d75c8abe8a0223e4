//! Repairs without guesses: recomputes data that is derived from records, and stores which reports are missing.

use super::PointedReport;
use crate::{
    Operator, StoreError, counts, history, holding, main_records, parts, repository, revision,
    run::Run, time::now,
};

impl Operator<'_> {
    /// Recomputes all data that is derived from a repository's records.
    pub async fn recompute_summaries(self, repository_id: i64) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        holding::hold_id(&mut transaction, repository_id).await?;
        counts::recount(&mut transaction, repository_id).await?;
        revision::measure_all(&mut transaction, repository_id).await?;
        history::note_last_upload(&mut transaction, repository_id).await?;
        repository::recount_spans(&mut transaction, repository_id).await?;
        main_records::refresh(&mut transaction, repository_id).await?;
        transaction.commit().await
    }

    /// Recomputes the counts of an org from its repositories.
    pub async fn recompute_org(self, org: &str) -> Result<(), StoreError> {
        // Lock the row before summing up its repositories: an upload that the sum misses adds to the row later.
        const HOLD: &str = "
            insert into orgs (org_name, record_count, current_count) values ($1, 0, 0)
            on conflict (org_name) do update set record_count = orgs.record_count";
        const SUM: &str = "
            update orgs set
                record_count = (select coalesce(sum(p.record_count), 0) from repositories p where p.org_name = $1),
                current_count = (select coalesce(sum(p.current_count), 0) from repositories p where p.org_name = $1)
            where org_name = $1";
        const CLEAR_DAYS: &str = "delete from org_days where org_name = $1";
        const SUM_DAYS: &str = "
            insert into org_days (org_name, day, lines_covered, lines_total, changes)
            select m.org_name, m.day, sum(m.lines_covered), sum(m.lines_total), count(*)
            from main_days m where m.org_name = $1 group by m.org_name, m.day";
        let mut transaction = self.store.begin().await?;
        for statement in [HOLD, SUM, CLEAR_DAYS, SUM_DAYS] {
            transaction.run(statement, [org]).await?;
        }
        transaction.commit().await
    }

    /// Marks a record's missing HTML report as removed. Returns whether the record still pointed to it.
    pub async fn mark_missing(self, report: &PointedReport) -> Result<bool, StoreError> {
        const LOCK: &str = "
            update repositories set last_upload_at = last_upload_at
            where id = (select r.repository_id from records r where r.id = $1)";
        const RELEASE: &str = "
            update records set report_key = null, report_start_page = null, report_removed_at = $1
            where id = $2 and report_key = $3";
        let mut transaction = self.store.begin().await?;
        transaction.run(LOCK, [report.record_id]).await?;
        const RELEASE_OF_PART: &str = "
            update record_parts set report_key = null, report_start_page = null, report_bytes = null
            where record_id = $1 and report_key = $2";
        let of_record = transaction
            .changed(RELEASE, (now(), report.record_id, &report.key))
            .await?;
        let of_part = transaction
            .changed(RELEASE_OF_PART, (report.record_id, &report.key))
            .await?;
        if of_part > 0 {
            parts::show_newest_report(&mut transaction, report.record_id).await?;
        }
        transaction.commit().await?;
        Ok(of_record + of_part > 0)
    }

    /// Marks an unknown stored report for deletion: it is removed after the grace period. Returns whether it was marked.
    pub async fn mark_orphan(self, key: &str) -> Result<bool, StoreError> {
        const MARK: &str = "
            insert into orphaned_reports (key, since, marked_at, released_at)
            select $1, $2, $2, $2
            where not exists (select 1 from records r where r.report_key = $1)
              and not exists (select 1 from record_parts q where q.report_key = $1)
            on conflict (key) do nothing";
        let marked = self
            .store
            .write(|pool| pool.changed(MARK, (key, now().0)))
            .await?;
        Ok(marked > 0)
    }

    /// Removes the row in `orphaned_reports` of a report that a record points to. Returns whether there was one.
    pub async fn keep_report(self, report: &PointedReport) -> Result<bool, StoreError> {
        const KEEP: &str = "
            delete from orphaned_reports
            where key = $1 and (exists (select 1 from records r where r.report_key = $1 and r.id = $2)
                                or exists (select 1 from record_parts q where q.report_key = $1 and q.record_id = $2))";
        let values = (&report.key, report.record_id);
        Ok(self.store.write(|pool| pool.changed(KEEP, values)).await? > 0)
    }
}
