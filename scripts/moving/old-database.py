"""Makes a database of the replaced system, as docs/src/moving.md assumes it, from pages of that system's listing.

old-database.py sqlite FILE PAGE.json…      creates the database
old-database.py postgres FILE PAGE.json…    writes the SQL that creates it
"""

import json
import sqlite3
import sys

NAMES = "org_name repo_name branch_name commit_hash commit_author language percentage created_at updated_at".split()
engine, file, *pages = sys.argv[1:]
records = {}
for page in pages:
    for of_repository in json.load(open(page))["data"].values():
        records.update((record["id"], record) for record in of_repository)
# Times in databases often have a space instead of the T of JSON.
for number, record in records.items():
    if number % 2 == 0:
        record.update((name, record[name].replace("T", " ")) for name in ("created_at", "updated_at"))
rows = [(number, *(record[name] for name in NAMES)) for number, record in sorted(records.items())]

if engine == "sqlite":
    with sqlite3.connect(file) as database:
        text = ", ".join(f"{name} {'real' if name == 'percentage' else 'text'}" for name in NAMES)
        database.execute(f"create table coverages (id integer primary key, {text})")
        database.executemany(f"insert into coverages values ({', '.join('?' * (len(NAMES) + 1))})", rows)
else:
    kinds = {"percentage": "double precision", "created_at": "timestamptz", "updated_at": "timestamptz"}
    columns = ", ".join(f"{name} {kinds.get(name, 'text')}" for name in NAMES)

    def literal(value):
        return "null" if value is None else "'" + str(value).replace("'", "''") + "'"

    with open(file, "w") as script:
        print(f"create table coverages (id bigint primary key, {columns});", file=script)
        for row in rows:
            print(f"insert into coverages values ({', '.join(map(literal, row))});", file=script)
