#!/usr/bin/env python3
"""Writes docs/src/guarantees.md from docs/guarantees.txt, which lists tests and scripts. The name of a test becomes a sentence. With
--check, only checks that the page is current and that each test and file exists. Usage: guarantees.py [--check]"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "guarantees.txt"
PAGE = ROOT / "docs" / "src" / "guarantees.md"
TEST = re.compile(r"#\[(?:\w+::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)")
# Words that names of tests have in lower case.
WORDS = {word.lower(): word for word in """API Chromium CI CSV Gitea GitHub GitLab HMAC HTML HTTP JSON LCOV MCP OIDC OpenAPI PostgreSQL SQL
    SQLite URL WCAG XML""".split()}
INTRODUCTION = """# Guarantees

Properties that always hold, each with the file that checks it. Most sentences are names of tests: search the file for the words, with `_`
between them. The [security review](security-review.md) lists the findings of a hostile review, and which are open.

<!-- scripts/guarantees.py wrote this page from docs/guarantees.txt. -->
"""


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tests() -> dict[str, list[str]]:
    """Returns the files of each test in Rust. More than one file may have a test of that name."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "server/*.rs", "app/*.rs"]
    found: dict[str, list[str]] = {}
    for file in sorted(subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()):
        if (ROOT / file).is_file():
            for test in TEST.findall((ROOT / file).read_text()):
                found.setdefault(test, []).append(file)
    return found


def sentence(test: str) -> str:
    words = " ".join(WORDS.get(word, word) for word in test.split("_"))
    return f"{words[0].upper()}{words[1:]}."


def page() -> str:
    """Returns the text of the page. Exits with a sentence if a test or file of the list does not exist."""
    files_of = tests()
    text = INTRODUCTION
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        listed, _, says = line.partition(": ")
        if line.startswith("## "):
            text += f"\n{line}\n\n"
        elif line and not line.startswith("#"):
            is_path = "/" in listed
            files = [listed] if is_path and (ROOT / listed).is_file() else files_of.get(listed, [])
            if not files or (is_path and not says):
                sys.exit(f"{name(LIST)}:{number} must be a test in server or app, or a file with a sentence: {line}")
            text += f"- {says or sentence(listed)} {', '.join(f'`{file}`' for file in files)}\n"
    return text


def main() -> None:
    text = page()
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(text)
    elif not PAGE.is_file() or PAGE.read_text() != text:
        sys.exit(f"{name(PAGE)} is not current: run scripts/guarantees.py")


if __name__ == "__main__":
    main()
