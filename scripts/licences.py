#!/usr/bin/env python3
"""Lists the crates in the release and the texts of their licences.

    scripts/licences.py PACKAGE:TARGET… >LICENSES.txt

It takes the crates that these packages of the workspace are linked from, out of the sources that cargo has fetched. A crate
without such a file is named with what its manifest says. The same sources give the same bytes.
"""

import collections
import json
import pathlib
import subprocess
import sys

NAMES = ("licen", "copying", "copyright", "notice", "unlicense", "patents")
# Words of names that only begin like that.
CODE = {".rs", ".py", ".sh", ".c", ".h", ".toml", ".json", ".yml", ".html"}
RULE = "=" * 80


def main():
    crates = {key: crate for key, crate in linked(sys.argv[1:]).items() if crate["source"]}
    texts, bare = collections.OrderedDict(), []
    for key in sorted(crates):
        crate = crates[key]
        found = files(crate)
        if not found:
            bare.append(crate)
        for file in found:
            text = file.read_text(encoding="utf-8", errors="replace").strip()
            texts.setdefault(text, []).append(f"{crate['name']} {crate['version']} ({file.name})")
    print("Coverage dashboard is made of these crates, each under the licence that stands beside it.")
    print("The Rust standard library, under MIT OR Apache-2.0, is in it as well. The texts follow.\n")
    for key in sorted(crates):
        crate = crates[key]
        print(f"{crate['name']} {crate['version']}: {crate['license'] or 'see its file'} {crate['repository'] or ''}".rstrip())
    if bare:
        print("\nThese come without a licence file; what they are under is said above, and its text stands below, as others have it.\n")
        for crate in bare:
            print(f"{crate['name']} {crate['version']}, by {', '.join(crate['authors']) or 'its contributors'}")
    for text, users in texts.items():
        print(f"\n{RULE}\n{chr(10).join(users)}\n{RULE}\n\n{text}")
    print(f"{len(crates)} crates, {len(bare)} without a licence file: {' '.join(crate['name'] for crate in bare)}", file=sys.stderr)


def linked(packages_and_targets):
    """The crates that end up in what is built of each PACKAGE:TARGET: not what only its build or its tests need. Each one
    has the crates that it uses in "uses"; crates of the project have no "source"."""
    crates = {}
    for argument in packages_and_targets:
        package, target = argument.split(":")
        for key, crate in linked_for(package, target).items():
            crates.setdefault(key, crate)["uses"] |= crate["uses"]
    return crates


def linked_for(package, target):
    output = subprocess.run(
        ["cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={target}"],
        check=True, stdout=subprocess.PIPE,
    ).stdout  # fmt: skip
    metadata = json.loads(output)
    packages = {each["id"]: each for each in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [key for key in metadata["workspace_members"] if packages[key]["name"] == package]
    found = {}
    while waiting:
        key = waiting.pop()
        crate = packages[key]
        if "uses" in crate:
            continue
        used = [each["pkg"] for each in nodes[key]["deps"] if is_linked(each, packages)]
        crate["uses"] = {(packages[each]["name"], packages[each]["version"]) for each in used}
        found[crate["name"], crate["version"]] = crate
        waiting += used
    return found


def is_linked(dependency, packages):
    kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
    return None in kinds and not is_macro(packages[dependency["pkg"]])


def is_macro(crate):
    return any("proc-macro" in target["kind"] for target in crate["targets"])


def files(crate):
    """Its licence files; those of the C sources in a -sys crate lie deeper."""
    folder = pathlib.Path(crate["manifest_path"]).parent
    found = list(folder.rglob("*") if crate["name"].endswith("-sys") else folder.glob("*"))
    found += (folder / "LICENSES").glob("*")
    return sorted({file for file in found if file.is_file() and is_licence(file)})


def is_licence(file):
    return file.name.lower().startswith(NAMES) and file.suffix.lower() not in CODE or file.parent.name == "LICENSES"


if __name__ == "__main__":
    main()
