#!/usr/bin/env python3
"""Writes the SQLite database that scripts/bench-overview.sh measures: repositories with three months of history, or as many days.

    scripts/seed-overview.py DATABASE [REPOSITORIES] [ORGS] [DAYS]

It has the schema of an older release, without the days of orgs. The server migrates it when it starts, so the benchmark also
tests the migration.
"""

import hashlib
import pathlib
import random
import sqlite3
import sys
import time

DAY = 86_400_000_000
RECORDS = 40
LAST_MIGRATION = 5
SUMMARY = """
    update repositories set
        main_branch_id = (select b.id from branches b where b.repository_id = repositories.id and b.name in ('main', 'master'));
    insert into main_records (repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points,
                              percentage_before, lines_covered, lines_total, updated_at)
    select p.id, r.language, p.org_name, p.repo_name, r.branch_id, r.id, r.percentage_basis_points,
           (select h.percentage_basis_points from records h
            where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
            order by h.updated_at desc limit 1),
           r.lines_covered, r.lines_total, r.updated_at
    from repositories p join records r on r.branch_id = p.main_branch_id and r.superseded_at is null;
"""
LANGUAGES = ["rust", "go", "python", "java", "kotlin", "typescript", "c++", "ruby"]


def main():
    path, *numbers = sys.argv[1:]
    repositories, orgs, days = (int(number) for number in (numbers + ["5000", "100", "90"][len(numbers) :]))
    database = sqlite3.connect(path)
    database.executescript("pragma journal_mode = wal; pragma synchronous = off;")
    migrate(database)
    now = time.time_ns() // 1000
    draw = random.Random(1)
    record_id = branch_id = 0
    for repository_id in range(1, repositories + 1):
        org, repo = f"org-{repository_id % orgs:03}", f"repository-{repository_id:05}"
        database.execute(
            "insert into repositories (id, org_name, repo_name, created_at) values (?, ?, ?, ?)",
            (repository_id, org, repo, now - days * DAY),
        )
        languages = draw.sample(LANGUAGES, 1 if draw.random() < 0.8 else 2)
        # One in ten has no recent uploads.
        silent = draw.randrange(15, 60) if draw.random() < 0.1 else 0
        for branch, share in (("main" if draw.random() < 0.8 else "master", 1.0), ("feature/a", 0.1)):
            branch_id += 1
            rows = []
            for language in languages:
                lines = draw.randrange(500, 90_000)
                coverage = draw.uniform(0.3, 0.99)
                count = max(1, int(RECORDS * share / len(languages)))
                moments = sorted(now - int(draw.uniform(silent, days) * DAY) for _ in range(count))
                for number, at in enumerate(moments):
                    coverage = min(1.0, max(0.0, coverage + draw.gauss(0, 0.006)))
                    covered = int(lines * coverage)
                    record_id += 1
                    after = moments[number + 1] if number + 1 < count else None
                    rows.append(
                        (record_id, repository_id, branch_id, language, f"{record_id:040x}", "Kim",
                         covered * 10_000 // lines, covered, lines, f"key-{record_id}", at, at, after)
                    )  # fmt: skip
            database.execute(
                "insert into branches (id, repository_id, name, record_count) values (?, ?, ?, ?)",
                (branch_id, repository_id, branch, len(rows)),
            )
            database.executemany(
                "insert into records (id, repository_id, branch_id, language, commit_hash, commit_author,"
                " percentage_basis_points, lines_covered, lines_total, report_format, report_key, created_at, updated_at,"
                " superseded_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'cobertura', ?, ?, ?, ?)",
                rows,
            )
    database.commit()
    database.executescript(SUMMARY)
    (summary,) = database.execute("select count(*) from records")
    print(f"{repositories} repositories in {orgs} orgs with {summary[0]} records")


def migrate(database):
    """Runs the server's first migrations, and records them as sqlx does."""
    database.execute(
        "create table _sqlx_migrations (version bigint primary key, description text not null,"
        " installed_on timestamp not null default current_timestamp, success boolean not null,"
        " checksum blob not null, execution_time bigint not null)"
    )
    folder = pathlib.Path(__file__).parent.parent / "migrations" / "sqlite"
    for file in sorted(folder.glob("*.sql"))[:LAST_MIGRATION]:
        version, _, description = file.stem.partition("_")
        database.executescript(file.read_text())
        database.execute(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (?, ?, true, ?, 0)",
            (int(version), description.replace("_", " "), hashlib.sha384(file.read_bytes()).digest()),
        )


main()
