#!/usr/bin/env -S python3 -B
"""Counts the lines of Rust by top-level folder: production code, tests, and production code without comments and blank lines. Tests
are files in folders called tests, benches or fuzz, files called tests.rs or testing.rs, and modules under cfg(test), with their files.
Usage: count-lines.py [COMMIT]"""

import re
import subprocess
import sys
from collections import Counter

COMMIT = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
TEST = re.compile(r"(^|/)(tests|benches|fuzz)/|(^|/)(tests|testing)\.rs$")
MODULE_OF_TESTS = re.compile(r"^#\[cfg\(test\)\]\n(?:pub(?:\(\w+\))? )?mod (\w+);", re.M)


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def count(path: str, text: str, in_tests: bool, into: Counter[tuple[str, str]]) -> None:
    folder = "/".join(path.split("/")[: 2 if path.startswith("server/") and path.count("/") > 2 else 1])
    after = ""
    for line in text.splitlines():
        in_tests = in_tests or (after == "#[cfg(test)]" and re.match(r"mod \w+ \{", line) is not None)
        after = line
        into[folder, "tests" if in_tests else "production"] += 1
        if not in_tests and line.strip() and not line.strip().startswith("//"):
            into[folder, "code"] += 1


counts: Counter[tuple[str, str]] = Counter()
paths = [path for path in git("ls-tree", "-r", "--name-only", COMMIT).splitlines() if path.endswith(".rs")]
texts = {path: git("show", f"{COMMIT}:{path}") for path in paths}
# The paths, without their ends, of modules that are tests: a file `plans.rs` and the folder `plans`.
of_tests = {
    re.sub(r"(/(lib|main|mod))?\.rs$", f"/{module}", path) for path, text in texts.items() for module in MODULE_OF_TESTS.findall(text)
}
for path, text in texts.items():
    stem = path.removesuffix(".rs")
    in_tests = bool(TEST.search(path)) or any(stem == module or stem.startswith(f"{module}/") for module in of_tests)
    count(path, text, in_tests, counts)
KINDS = ["production", "code", "tests"]
folders = sorted({folder for folder, _ in counts})
print(f"{'folder':24}" + "".join(f"{kind:>12}" for kind in KINDS))
for name, members in [*((folder, [folder]) for folder in folders), ("all", folders)]:
    print(f"{name:24}" + "".join(f"{sum(counts[one, kind] for one in members):12,}" for kind in KINDS))
