#!/usr/bin/env -S python3 -B
"""Checks the links of the documents: relative links lead to existing files and headings, every page of the manual is in its table of
contents, and no page of the manual links to a file outside of it. Usage: check-links.py [FOLDER]"""

import re
import sys
from pathlib import Path

from manual import INCLUDE, LINK, MissingInclude, included, text_of

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
MANUAL = ROOT / "docs" / "src"
SUMMARY = MANUAL / "SUMMARY.md"
PATTERNS = ["*.md", "docs/src/**/*.md", "server/*.md", "server/formats/*.md", "migrations/*.md", "scripts/dist/*.md"]

complaints: list[str] = []


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def without_code(text: str) -> str:
    """Returns the text without fenced blocks and inline code, which contain no links."""
    kept, fence = [], None
    for line in text.splitlines():
        opened = re.match(r" {0,3}(```+|~~~+)", line)
        if fence is None and opened:
            fence = opened[1]
        elif fence is not None:
            if line.strip().startswith(fence):
                fence = None
        else:
            kept.append(line)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "``", "\n".join(kept))


def links_of(text: str) -> list[str]:
    return [link for link in LINK.findall(without_code(text)) if not re.match(r"[a-z]+:", link)]


def check_includes(path: Path) -> None:
    """Checks that included texts have no links to other files: such links would be relative to the page."""
    for target, anchor in INCLUDE.findall(path.read_text()):
        source, text = included(path, target, anchor)
        for link in links_of(text):
            if not link.startswith("#"):
                complaints.append(f"{name(source)} links to {link}, which does not work in {name(path)}, because that page includes it")


def anchors(text: str) -> set[str]:
    """Returns the ids of the headings, as forges and mdBook form them."""
    found: dict[str, int] = {}
    ids = set()
    fence = None
    for line in text.splitlines():
        opened = re.match(r" {0,3}(```+|~~~+)", line)
        if opened and (fence is None or line.strip().startswith(fence)):
            fence = opened[1] if fence is None else None
        heading = re.match(r"#{1,6} +(.*?) *#*$", line)
        if fence is not None or heading is None:
            continue
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = "".join(c for c in plain.lower().replace(" ", "-") if c.isalnum() or c in "-_")
        count = found.get(slug, 0)
        found[slug] = count + 1
        ids.add(f"{slug}-{count}" if count else slug)
    return ids


def main() -> int:
    paths = sorted({path for pattern in PATTERNS for path in ROOT.glob(pattern)})
    try:
        texts = {path: text_of(path) for path in paths}
    except MissingInclude as error:
        print(error, file=sys.stderr)
        return 1
    in_summary = set()
    links = 0
    for path in paths:
        check_includes(path)
        for link in links_of(INCLUDE.sub("", path.read_text())):
            links += 1
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if path == SUMMARY:
                in_summary.add(target)
            if not target.exists():
                complaints.append(f"{name(path)} links to {link}, which does not exist")
            elif path.is_relative_to(MANUAL) and not target.is_relative_to(MANUAL):
                complaints.append(f"{name(path)} links to {link}, which is outside of the manual")
            elif anchor and anchor not in anchors(texts.get(target) or target.read_text()):
                complaints.append(f"{name(path)} links to {link}, but {name(target)} has no such heading")
    for path in paths:
        if path.is_relative_to(MANUAL) and path != SUMMARY and path not in in_summary:
            complaints.append(f"{name(path)} is not in {name(SUMMARY)}")
    for complaint in dict.fromkeys(complaints):
        print(complaint, file=sys.stderr)
    if not complaints:
        print(f"all {links} links in {len(paths)} documents work")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
