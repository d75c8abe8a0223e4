#!/usr/bin/env python3
"""Writes what scripts/bench-peers.sh measures: a git repository of 1,388 files, and two runs of 347,000 lines in each format.

    scripts/seed-peers.py FOLDER      with the Python of coverage.py

FOLDER has then the repository `clone`, whose last commit changes 20 files, and `a.info`, `b.info`, `a.xml`, `a.json` (LLVM),
`.coverage.a` and `.coverage.b`.
"""

import json
import pathlib
import random
import subprocess
import sys

import coverage

FILES = 1388
# Every second line is measured.
LINES = 500
CHANGED = 20


def path_of(number):
    return f"src/package_{number % 37}/module_{number}.py"


def main():
    folder = pathlib.Path(sys.argv[1])
    clone = folder / "clone"
    random.seed(1)
    write_repository(clone)
    runs = {name: run() for name in "ab"}
    for name, files in runs.items():
        (folder / f"{name}.info").write_text(lcov(files))
        data = coverage.CoverageData(basename=str(folder / f".coverage.{name}"))
        data.add_lines({str(clone / path): [line for line, hits in lines if hits] for path, lines in files.items()})
        data.write()
    (folder / "a.xml").write_text(cobertura(runs["a"]))
    (folder / "a.json").write_text(json.dumps(llvm(runs["a"])))


def write_repository(clone):
    for number in range(FILES):
        file = clone / path_of(number)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"value_{line} = compute({line})\n" for line in range(1, LINES + 1)))
    (clone / "coverage-dashboard.toml").write_text("[gate]\nchanged = 1\n")
    git = ["git", "-C", str(clone), "-c", "user.name=Kim", "-c", "user.email=kim@example.com"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    for message in ["first", "second"]:
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", message], check=True)
        for number in range(CHANGED):
            file = clone / path_of(number)
            file.write_text(file.read_text().replace("compute(1", "compute(-1"))
    subprocess.run([*git, "checkout", "-q", "."], check=True)


def run():
    """The hits of each measured line: two of three lines are hit."""
    return {path_of(number): [(line, random.choice((0, 1, 3))) for line in range(1, LINES, 2)] for number in range(FILES)}


def lcov(files):
    records = []
    for path, lines in files.items():
        hit = sum(hits > 0 for _, hits in lines)
        counts = "".join(f"DA:{line},{hits}\n" for line, hits in lines)
        records.append(f"TN:\nSF:{path}\n{counts}LF:{len(lines)}\nLH:{hit}\nend_of_record\n")
    return "".join(records)


def cobertura(files):
    classes = []
    for path, lines in files.items():
        rate = sum(hits > 0 for _, hits in lines) / len(lines)
        counts = "".join(f'<line number="{line}" hits="{hits}"/>\n' for line, hits in lines)
        classes.append(f'<class name="{path}" filename="{path}" line-rate="{rate:.4f}" branch-rate="0" complexity="0"><methods/><lines>\n{counts}</lines></class>\n')
    counts = [hits > 0 for lines in files.values() for _, hits in lines]
    covered, valid = sum(counts), len(counts)
    root = f'<coverage version="7" timestamp="0" lines-valid="{valid}" lines-covered="{covered}" line-rate="{covered / valid:.4f}" branch-rate="0" complexity="0">'
    package = f'<package name="src" line-rate="{covered / valid:.4f}" branch-rate="0" complexity="0">'
    return f'<?xml version="1.0" ?>\n{root}\n<sources><source>.</source></sources><packages>{package}<classes>\n{"".join(classes)}</classes></package></packages></coverage>\n'


def llvm(files):
    """The export of llvm-cov: one segment for each measured line, and one for the line after it."""

    def summary(lines):
        covered = sum(hits > 0 for _, hits in lines)
        counts = {"count": len(lines), "covered": covered, "percent": 100 * covered / len(lines)}
        return {"lines": counts, "functions": {"count": 0, "covered": 0, "percent": 0}, "regions": counts}

    def segments(lines):
        return [segment for line, hits in lines for segment in ([line, 1, hits, True, True, False], [line, 40, 0, False, False, False])]

    exported = [{"filename": path, "segments": segments(lines), "branches": [], "expansions": [], "summary": summary(lines)} for path, lines in files.items()]
    total = summary([count for lines in files.values() for count in lines])
    return {"version": "2.0.1", "type": "llvm.coverage.json.export", "data": [{"files": exported, "functions": [], "totals": total}]}


if __name__ == "__main__":
    main()
