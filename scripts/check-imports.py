#!/usr/bin/env python3
"""Checks that no imports go in a circle: between the top modules of a crate.

A module is a file and the folder of the same name. Tests and comments are ignored. Each circle is printed with its imports.
"""

import collections
import pathlib
import re
import sys

CRATES = ["app/src", "app/domain/src", "server/src", "server/access/src", "server/client/src", "server/config/src", "server/forges/src", "server/ingest/src", "server/jobs/src", "server/lines/src", "server/objects/src", "server/owners/src", "server/formats/src", "server/review/src", "server/store/src", "frontend/src"]
PATH = re.compile(r"\b(crate|super(?:::super)*)::")
TEST = r"#\[cfg\((?:all\()?test\b.*\n"


def main():
    circles = 0
    for root in CRATES:
        imports = read(pathlib.Path(root))
        for circle in find_circles(imports):
            circles += 1
            print(f"{root} imports in a circle: {' -> '.join(circle)}", file=sys.stderr)
            for one, other in zip(circle, circle[1:]):
                print(f"    {one} -> {other}: {', '.join(sorted(imports[one][other])[:3])}", file=sys.stderr)
    sys.exit(circles > 0)


def read(root):
    """Returns the imports of each module by imported module: {"routes": {"store": {"routes/badge.rs: store::Store"}}}."""
    sources, tests = {}, set()
    for file in root.rglob("*.rs"):
        module = file.relative_to(root).with_suffix("").parts
        text = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
        inner = () if module in [("lib",), ("main",)] else module
        tests.update(inner + (name,) for name in re.findall(TEST + r"\s*(?:pub\S* )?mod (\w+);", text))
        sources[module] = re.split(TEST + r"mod \w+ \{", text)[0]
    # A name that the crate's root exports belongs to its module.
    exports = {path[-1]: path[0] for tree in re.findall(r"\buse ([^;]+);", sources.get(("lib",), "")) for path in paths(tree)}
    imports = collections.defaultdict(lambda: collections.defaultdict(set))
    tops = {module[0] for module in sources} - {"lib", "main"}
    for module, text in sources.items():
        if module[0] not in tops or any(module[: len(test)] == test for test in tests):
            continue
        for found in PATH.finditer(text):
            above = 0 if found[1] == "crate" else len(module) - found[1].count("super")
            if above > 0:
                continue
            for path in paths(text[found.end() :]):
                top = path[0] if path[0] in tops else exports.get(path[0])
                if top in tops and top != module[0]:
                    imports[module[0]][top].add(f"{'/'.join(module)}.rs: {'::'.join(path)}")
    return imports


def paths(tree):
    """Returns the paths at the start of a text: `a::{b, c::{d, e}}` is a::b, a::c::d and a::c::e."""
    found, outer, path = [], [], ()
    for token in re.findall(r"\w+|::|\S|\s+", tree):
        if token == "{":
            outer.append(path)
        elif token in ("}", ",") and outer:
            found.append(path)
            path = outer[-1] if token == "," else ()
            if token == "}":
                outer.pop()
        elif token.isidentifier():
            path += (token,)
        elif token != "::" and not (outer and token.isspace()):
            break
    return [each for each in found + [path] if each]


def find_circles(imports):
    """Returns the shortest circle through each module, each circle once."""
    found = {}
    for start in sorted(imports):
        waiting, seen = collections.deque([[start]]), set()
        while waiting:
            way = waiting.popleft()
            for other in sorted(imports.get(way[-1], {})):
                if other == start:
                    found.setdefault(frozenset(way), way + [start])
                    waiting.clear()
                    break
                if other not in seen:
                    seen.add(other)
                    waiting.append(way + [other])
    return found.values()


main()
