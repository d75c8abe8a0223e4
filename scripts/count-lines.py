#!/usr/bin/env -S python3 -B
"""Counts the lines of Rust by top-level folder: production code, tests, and production code without comments and blank lines. Tests
are files in folders called tests, benches or fuzz, files called tests.rs or testing.rs, and modules under cfg(test).
Usage: count-lines.py [COMMIT]"""

import re
import subprocess
import sys
from collections import Counter

COMMIT = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
TEST = re.compile(r"(^|/)(tests|benches|fuzz)/|(^|/)(tests|testing)\.rs$")


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def count(path: str, text: str, into: Counter[tuple[str, str]]) -> None:
    folder = "/".join(path.split("/")[: 2 if path.startswith("server/") and path.count("/") > 2 else 1])
    in_tests, after = bool(TEST.search(path)), ""
    for line in text.splitlines():
        in_tests = in_tests or (after == "#[cfg(test)]" and re.match(r"mod \w+ \{", line) is not None)
        after = line
        into[folder, "tests" if in_tests else "production"] += 1
        if not in_tests and line.strip() and not line.strip().startswith("//"):
            into[folder, "code"] += 1


counts: Counter[tuple[str, str]] = Counter()
paths = [path for path in git("ls-tree", "-r", "--name-only", COMMIT).splitlines() if path.endswith(".rs")]
for path in paths:
    count(path, git("show", f"{COMMIT}:{path}"), counts)
KINDS = ["production", "code", "tests"]
folders = sorted({folder for folder, _ in counts})
print(f"{'folder':24}" + "".join(f"{kind:>12}" for kind in KINDS))
for name, members in [*((folder, [folder]) for folder in folders), ("all", folders)]:
    print(f"{name:24}" + "".join(f"{sum(counts[one, kind] for one in members):12,}" for kind in KINDS))
