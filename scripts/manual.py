#!/usr/bin/env python3
"""Owns how a document becomes one text: the includes of mdBook are put in. As a program it writes the documents that belong into
the archive of scripts/dist.sh. Usage: manual.py FOLDER"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r"^\{\{#include ([^}:\s]+)(?::([\w-]+))?\}\}$", re.MULTILINE)
LINK = re.compile(r"(?<!\\)\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
MARK = re.compile(r"^<!-- ANCHOR(?:_END)?: [\w-]+ -->\n?", re.MULTILINE)
PACKED = ["README.md", "CHANGELOG.md", "scripts/dist/INSTALL.md", "docs/src/**/*.md"]


class NotThere(Exception):
    """What is to be included is not there."""


def included(page: Path, target: str, anchor: str | None) -> tuple[Path, str]:
    """What an include of a page puts in, and where that is written."""
    source = (page.parent / target).resolve()
    if not source.is_file():
        raise NotThere(f"{page} includes {target}, which is not there")
    text = source.read_text()
    if anchor:
        part = re.search(rf"<!-- ANCHOR: {anchor} -->\n(.*?)<!-- ANCHOR_END: {anchor} -->", text, re.DOTALL)
        if part is None:
            raise NotThere(f"{page} includes {anchor} of {target}, which has no such part")
        text = part[1]
    return source, MARK.sub("", text)


def text_of(page: Path) -> str:
    """The text of a document with all that it includes."""
    return MARK.sub("", INCLUDE.sub(lambda found: included(page, found[1], found[2])[1], page.read_text()))


def pack(folder: Path) -> None:
    paths = sorted({path for pattern in PACKED for path in ROOT.glob(pattern)})
    for path in paths:
        to = folder / (path.name if path.name == "INSTALL.md" else path.relative_to(ROOT))

        def link_in_archive(found: re.Match[str], path: Path = path) -> str:
            link = found[2].partition("#")[0]
            target = (path.parent / link).resolve()
            leads = not link or ":" in found[2] or target in paths or target.suffix != ".md"
            return found[0] if leads else found[1]

        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(re.sub(r"(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)", link_in_archive, text_of(path)))
    shutil.copytree(ROOT / "docs/src/images", folder / "docs/src/images", dirs_exist_ok=True)


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
