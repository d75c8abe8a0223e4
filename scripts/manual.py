#!/usr/bin/env python3
"""Replaces the includes of mdBook in documents by their texts. As a program, writes the documents of the release archive into a
folder, for scripts/dist.sh. Usage: manual.py FOLDER"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r"^\{\{#include ([^}:\s]+)(?::([\w-]+))?\}\}$", re.MULTILINE)
LINK = re.compile(r"(?<!\\)\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
MARK = re.compile(r"^<!-- ANCHOR(?:_END)?: [\w-]+ -->\n?", re.MULTILINE)
PACKED = ["README.md", "CHANGELOG.md", "scripts/dist/INSTALL.md", "docs/src/**/*.md"]


class MissingInclude(Exception):
    """A file or part to include does not exist."""


def included(page: Path, target: str, anchor: str | None) -> tuple[Path, str]:
    """Returns the file and the text of an include."""
    source = (page.parent / target).resolve()
    if not source.is_file():
        raise MissingInclude(f"{page} includes {target}, which does not exist")
    text = source.read_text()
    if anchor:
        part = re.search(rf"<!-- ANCHOR: {anchor} -->\n(.*?)<!-- ANCHOR_END: {anchor} -->", text, re.DOTALL)
        if part is None:
            raise MissingInclude(f"{page} includes the part {anchor} of {target}, which does not exist")
        text = part[1]
    return source, MARK.sub("", text)


def text_of(page: Path) -> str:
    """Returns the text of a document with its includes."""
    return MARK.sub("", INCLUDE.sub(lambda found: included(page, found[1], found[2])[1], page.read_text()))


def pack(folder: Path) -> None:
    paths = sorted({path for pattern in PACKED for path in ROOT.glob(pattern)})
    for path in paths:
        to = folder / (path.name if path.name == "INSTALL.md" else path.relative_to(ROOT))

        # A link to a document that is not packed becomes plain text.
        def link_in_archive(found: re.Match[str], path: Path = path) -> str:
            link = found[2].partition("#")[0]
            target = (path.parent / link).resolve()
            works = not link or ":" in found[2] or target in paths or target.suffix != ".md"
            return found[0] if works else found[1]

        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(re.sub(r"(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)", link_in_archive, text_of(path)))
    shutil.copytree(ROOT / "docs/src/images", folder / "docs/src/images", dirs_exist_ok=True)


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
