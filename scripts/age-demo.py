#!/usr/bin/env python3
"""Moves the times of demonstration data: spreads the uploads of `make demo` over the last months, because the API accepts no dates.
Stop the server first. Usage: age-demo.py DATABASE_FILE"""

import pathlib
import re
import sqlite3
import sys
import time

DAY = 86_400 * 1_000_000


def main(path: str) -> None:
    database = sqlite3.connect(path)
    now = int(time.time() * 1_000_000)
    lines = database.execute("select distinct branch_id, language from records order by branch_id, language").fetchall()
    for number, (branch, language) in enumerate(lines):
        records = database.execute(
            "select id from records where branch_id = ? and language = ? order by updated_at, id", (branch, language)
        ).fetchall()
        # Most repositories have an upload from this week; some have only old ones.
        newest = now - (number * 7 % 40) * DAY // 8 - (20 * DAY if number % 6 == 5 else 0)
        step = (2 + number % 3) * DAY
        moments = [newest - (len(records) - 1 - place) * step for place in range(len(records))]
        for place, ((record,), at) in enumerate(zip(records, moments)):
            superseded = moments[place + 1] if place + 1 < len(moments) else None
            database.execute(
                "update records set created_at = ?, updated_at = ?,"
                " superseded_at = case when superseded_at is null then null else ? end where id = ?",
                (at, at, superseded or at, record),
            )
    # Parts and uploads have the times of their records, and the ledger is in the order of these times.
    database.execute("update record_parts set arrived_at = (select r.updated_at from records r where r.id = record_id)")
    database.execute(
        "update uploads set received_at = (select r.updated_at from records r where r.id = record_id)"
        " where record_id in (select id from records)"
    )
    uploads = database.execute("select id from uploads order by received_at, id").fetchall()
    database.executemany("update uploads set id = -? where id = ?", [(place, upload) for place, (upload,) in enumerate(uploads, 1)])
    database.execute("update uploads set id = -id")
    # What was counted at the time of the uploads no longer holds: the service counts it again.
    database.execute(
        "update main_records set updated_at = (select r.updated_at from records r where r.id = main_records.record_id),"
        " week_ago_until = 0, new_day = null"
    )
    # Fills the tables of orgs again, as the migrations that created them.
    for table in ("main_repositories", "main_days", "main_series"):
        database.execute(f"delete from {table}")
    migrations = pathlib.Path(__file__).parent.parent / "migrations" / "sqlite"
    for name in ("0011_org_days.sql", "0013_main_repositories.sql"):
        for statement in re.findall(r"^insert into main_.*?;", (migrations / name).read_text(), re.DOTALL | re.MULTILINE):
            database.execute(statement)
    database.commit()


if __name__ == "__main__":
    main(sys.argv[1])
