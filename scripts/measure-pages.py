#!/usr/bin/env python3
"""Measures response times: whole responses, sequentially on one connection.

    scripts/measure-pages.py SERVER_URL DATABASE_URL RECORDS
    scripts/measure-pages.py --compare SERVER_URL DATABASE_URL SERVER_URL DATABASE_URL
    scripts/measure-pages.py --addresses SERVER_URL DATABASE_URL ROUNDS ADDRESS...

Prints a line for each kind of page: its name, p50 and p99 in milliseconds, responses per second. With --compare, requests page 1
from two servers alternately and prints the p50 of each. With --addresses, prints for each address p50 and p99 of compressed
responses, p50 after a change, and the size in kB. "After a change" means: before each request something is committed to the
database, so that the server cannot use an earlier response.
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
    """Commits a number that has no meaning."""

    def __init__(self, url):
        self.database = sqlite3.connect(url.removeprefix("sqlite://"), isolation_level=None)
        self.number = 0

    def change(self):
        self.number += 1
        self.database.execute(f"pragma user_version = {self.number}")


class Postgres:
    """Uses up one transaction number."""

    def __init__(self, url):
        self.psql = subprocess.Popen(["psql", url, "-qAtX"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def change(self):
        self.psql.stdin.write("select txid_current();\n")
        self.psql.stdin.flush()
        self.psql.stdout.readline()


class Target:
    """A server, and how to change its database."""

    def __init__(self, server, database):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(server).netloc)
        self.change = (Sqlite(database) if database.startswith("sqlite:") else Postgres(database)).change

    def time(self, path, is_changed, encoding="identity"):
        """Returns the seconds until the whole response has arrived."""
        if is_changed:
            self.change()
        start = time.perf_counter()
        self.connection.request("GET", path, headers={"Accept-Encoding": encoding})
        response = self.connection.getresponse()
        body = response.read()
        took = time.perf_counter() - start
        assert response.status == 200, (path, response.status)
        assert b'"data":{}' not in body, path
        self.size = len(body)
        return took


def p50(times):
    return sorted(times)[len(times) // 2] * 1e3


def p99(times):
    return sorted(times)[len(times) * 99 // 100] * 1e3


def compare(one, other):
    """Prints p50 of page 1 of both, measured alternately, so that other load of the machine affects both."""
    for what, is_changed in [("cached", False), ("changed", True)]:
        times = [(one.time("/coverages-api", is_changed), other.time("/coverages-api", is_changed)) for _ in range(WARMING + 5 * REQUESTS)]
        print(what, *(f"{p50(each):.3f}" for each in zip(*times[WARMING:])), sep="\t")


def addresses_of(target, rounds, addresses):
    for address in addresses:
        cached, changed = ([target.time(address, is_changed, "br") for _ in range(WARMING + rounds)][WARMING:] for is_changed in [False, True])
        print(f"{p50(cached):8.2f} {p99(cached):8.2f} {p50(changed):8.2f} {target.size // 1000:8d}  {address}", flush=True)


def pages_of(target, records):
    last = records // PER_PAGE

    def measure(what, paths, is_changed=False):
        times = [target.time(paths[number % len(paths)], is_changed) for number in range(WARMING + REQUESTS)]
        times = times[WARMING:]
        print(what, f"{p50(times):.2f}", f"{p99(times):.2f}", f"{len(times) / sum(times):.0f}", sep="\t", flush=True)

    # The repositories of scripts/seed-records.py.
    repositories = max(200, min(5_000, records // 20))
    some = range(0, repositories, max(1, repositories // 50))
    pages = [f"/repos/org-{number % 200:03}/repository-{number:05}" for number in some]
    measure("page 1, cached", ["/coverages-api"])
    measure("page 1, after a change", ["/coverages-api"], True)
    measure("page 1 of all, after a change", ["/coverages-api?full"], True)
    measure(f"the last page ({last}), after a change", [f"/coverages-api?full&p={page}" for page in range(max(1, last - 40), last + 1)], True)
    measure("one org, after a change", ["/coverages-api?org_name=org-007"], True)
    measure("a language, after a change", ["/coverages-api?full&language=ruby"], True)
    measure("an author, after a change", ["/coverages-api?full&commit_author=Author%200007"], True)
    measure("overview", ["/"])
    measure("repository pages", pages)
    measure("trend.svg", [f"/coverages-api/trend.svg?org_name={page.split('/')[2]}&repo_name={page.split('/')[3]}&range=all" for page in pages])


match sys.argv[1:]:
    case ["--compare", *targets]:
        compare(Target(*targets[:2]), Target(*targets[2:]))
    case ["--addresses", server, database, rounds, *addresses]:
        addresses_of(Target(server, database), int(rounds), addresses)
    case [server, database, records]:
        pages_of(Target(server, database), int(records))
    case _:
        sys.exit(__doc__)
