#!/usr/bin/env python3
"""Fills the databases that scripts/bench-listing.sh measures: two years of uploads of up to 5,000 repositories in 200 orgs.

    scripts/seed-records.py DATABASE_URL RECORDS

The tables must exist (start a server once) and be empty. Places, counts and summaries are written as uploads would write them.
"""

import io
import random
import sqlite3
import subprocess
import sys
import time

DAY = 86_400_000_000
DAYS = 730
ORGS = 200
REPOSITORIES = 5_000
AUTHORS = 2_000
LANGUAGES = ["rust", "go", "python", "java", "kotlin", "typescript", "c++", "ruby"]
# A feature branch gets uploads for this many days, and is retired later.
FEATURE_DAYS = 6
RETIRED_AFTER = 20 * DAY

COLUMNS = {
    "repositories": "id, org_name, repo_name, created_at, main_branch_id, record_count, current_count, last_upload_at",
    "orgs": "org_name, record_count, current_count",
    "branches": "id, repository_id, name, record_count",
    "records": "id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered,"
    " lines_total, report_format, report_key, created_at, updated_at, superseded_at, place",
}

SUMMARY = """
    insert into main_records (repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points,
                              percentage_before, lines_covered, lines_total, updated_at)
    select p.id, r.language, p.org_name, p.repo_name, r.branch_id, r.id, r.percentage_basis_points,
           (select h.percentage_basis_points from records h
            where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
            order by h.updated_at desc limit 1),
           r.lines_covered, r.lines_total, r.updated_at
    from repositories p join records r on r.branch_id = p.main_branch_id and r.superseded_at is null
"""


def repositories_for(count):
    """At least one for each org, so that every size has a full first page."""
    return max(ORGS, min(REPOSITORIES, count // 20))


def generate(count):
    """Yields each table with its rows."""
    draw = random.Random(1)
    now = time.time_ns() // 1000
    repositories = repositories_for(count)
    orgs, authors = ORGS, max(20, min(AUTHORS, count // 50))
    # Some repositories get far more uploads than others.
    weights = [1 / (rank + 1) ** 0.6 for rank in range(repositories)]
    draw.shuffle(weights)
    moments = sorted(now - int(draw.random() * DAYS * DAY) for _ in range(count))
    of = [*range(repositories), *draw.choices(range(repositories), weights, k=count - repositories)]
    draw.shuffle(of)
    languages = [draw.sample(LANGUAGES, 1 if draw.random() < 0.8 else 2) for _ in range(repositories)]
    branches, current, records = {}, {}, []
    places, walks = [0] * repositories, {}
    for number, (at, repository) in enumerate(zip(moments, of)):
        name = "main"
        if draw.random() > 0.6:
            name = f"feature/{(now - at) // DAY // FEATURE_DAYS}-{draw.randrange(2)}"
        branch = branches.setdefault((repository, name), [len(branches) + 1, 0])
        branch[1] += 1
        language = draw.choice(languages[repository])
        line = (branch[0], language)
        lines, coverage = walks.get(line) or (draw.randrange(500, 90_000), draw.uniform(0.3, 0.99))
        coverage = min(1.0, max(0.0, coverage + draw.gauss(0, 0.006)))
        walks[line] = lines, coverage
        covered = int(lines * coverage)
        places[repository] += 1
        if line in current:
            records[current[line]][13] = at
        current[line] = number
        records.append(
            [number + 1, repository + 1, branch[0], language, f"{number:040x}", f"Author {draw.randrange(authors):04}",
             covered * 10_000 // lines, covered, lines, "cobertura", f"key-{number}", at, at, None, places[repository]]
        )  # fmt: skip
    mains = {branch[0] for (_, name), branch in branches.items() if name == "main"}
    for (branch, _), number in current.items():
        retired = records[number][12] + RETIRED_AFTER
        if branch not in mains and retired < now:
            records[number][13] = retired
    counts = [[0, 0, 0] for _ in range(repositories)]
    for record in records:
        count = counts[record[1] - 1]
        count[0] += 1
        count[1] += record[13] is None
        count[2] = max(count[2], record[12])
    names = [(f"org-{number % orgs:03}", f"repository-{number:05}") for number in range(repositories)]
    by_org = {}
    for (org, _), (all_records, current_records, _) in zip(names, counts):
        total = by_org.setdefault(org, [0, 0])
        total[0] += all_records
        total[1] += current_records
    yield "repositories", [
        (number + 1, org, repo, now - DAYS * DAY, None, *counts[number]) for number, (org, repo) in enumerate(names)
    ]
    yield "orgs", [(org, *total) for org, total in sorted(by_org.items())]
    yield "branches", [(branch, repository + 1, name, uploads) for (repository, name), (branch, uploads) in branches.items()]
    yield "records", records


# Here the rule for main branches always selects `main`.
MAIN = "update repositories set main_branch_id = (select b.id from branches b where b.repository_id = repositories.id and b.name = 'main')"


def into_sqlite(path, count):
    database = sqlite3.connect(path)
    database.executescript("pragma synchronous = off; pragma cache_size = -200000;")
    for table, rows in generate(count):
        places = ", ".join("?" * len(COLUMNS[table].split(",")))
        database.executemany(f"insert into {table} ({COLUMNS[table]}) values ({places})", rows)
    database.execute(MAIN)
    database.execute(SUMMARY)
    database.commit()


def into_postgres(url, count):
    def psql(statement, rows=None):
        text = io.StringIO()
        for row in rows or ():
            text.write("\t".join("\\N" if value is None else str(value) for value in row) + "\n")
        subprocess.run(["psql", url, "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement], input=text.getvalue(), text=True, check=True)

    for table, rows in generate(count):
        psql(f"copy {table} ({COLUMNS[table]}) from stdin", rows)
    psql(MAIN)
    psql(SUMMARY)
    for table in ("repositories", "branches", "records"):
        psql(f"do $$ begin perform setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) from {table})); end $$")
    # The autovacuum would do this some time after so many rows.
    psql("vacuum analyze")


def main():
    url, count = sys.argv[1], int(sys.argv[2])
    if url.startswith("sqlite://"):
        into_sqlite(url.removeprefix("sqlite://"), count)
    else:
        into_postgres(url, count)


main()
