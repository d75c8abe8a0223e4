#!/usr/bin/env python3
"""Owns the times that scripts/bench-listing.sh prints: whole answers, one after the other on one connection.

    scripts/measure-pages.py SERVER_URL DATABASE_URL RECORDS

Prints a line for each question: what it is, p50 and p99 in milliseconds, answers per second. "After a change" means that
something was committed to the database before each request, so that nothing of an earlier answer can be used.
"""

import http.client
import sqlite3
import subprocess
import sys
import time
import urllib.parse

REQUESTS = 200
WARMING = 10
PER_PAGE = 100


class Sqlite:
    """Commits by writing a number that nobody reads."""

    def __init__(self, url):
        self.database = sqlite3.connect(url.removeprefix("sqlite://"), isolation_level=None)
        self.number = 0

    def change(self):
        self.number += 1
        self.database.execute(f"pragma user_version = {self.number}")


class Postgres:
    """Uses a transaction number up."""

    def __init__(self, url):
        self.psql = subprocess.Popen(["psql", url, "-qAtX"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def change(self):
        self.psql.stdin.write("select txid_current();\n")
        self.psql.stdin.flush()
        self.psql.stdout.readline()


def main():
    server, database, records = sys.argv[1], sys.argv[2], int(sys.argv[3])
    change = (Sqlite(database) if database.startswith("sqlite:") else Postgres(database)).change
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(server).netloc)
    last = records // PER_PAGE

    def ask(path):
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status)
        return body

    def measure(what, paths, before=None):
        times = []
        for number in range(WARMING + REQUESTS):
            if before:
                before()
            since = time.perf_counter()
            body = ask(paths[number % len(paths)])
            times.append(time.perf_counter() - since)
            assert b'"data":{}' not in body, what
        times = sorted(times[WARMING:])
        print(what, f"{times[len(times) // 2] * 1e3:.2f}", f"{times[len(times) * 99 // 100] * 1e3:.2f}", f"{len(times) / sum(times):.0f}", sep="\t", flush=True)

    # As scripts/seed-records.py has them.
    repositories = max(200, min(5_000, records // 20))
    some = range(0, repositories, max(1, repositories // 50))
    pages = [f"/repos/org-{number % 200:03}/repository-{number:05}" for number in some]
    measure("page 1, kept", ["/coverages-api"])
    measure("page 1, after a change", ["/coverages-api"], change)
    measure("page 1 of all, after a change", ["/coverages-api?full"], change)
    measure(f"the last page ({last}), after a change", [f"/coverages-api?full&p={page}" for page in range(max(1, last - 40), last + 1)], change)
    measure("one org, after a change", ["/coverages-api?org_name=org-007"], change)
    measure("a language, after a change", ["/coverages-api?full&language=ruby"], change)
    measure("an author, after a change", ["/coverages-api?full&commit_author=Author%200007"], change)
    measure("overview", ["/"])
    measure("repository pages", pages)
    measure("trend.svg", [f"/coverages-api/trend.svg?org_name={page.split('/')[2]}&repo_name={page.split('/')[3]}&range=all" for page in pages])


main()
