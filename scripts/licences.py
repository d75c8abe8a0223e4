#!/usr/bin/env python3
"""Lists the crates in the release and the texts of their licences.

    scripts/licences.py PACKAGE:TARGET… >LICENSES.txt

For a musl target, ZIG_FILES is the folder of zig, which links its C library. It lists the crates that are linked into these packages of the workspace, from the sources that cargo has fetched. For a crate
without a licence file it prints the licence of its manifest. The same sources give the same bytes.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

NAMES = ("licen", "copying", "copyright", "notice", "unlicense", "patents")
# Source files whose names begin with one of NAMES.
CODE = {".rs", ".py", ".sh", ".c", ".h", ".toml", ".json", ".yml", ".html"}
RULE = "=" * 80
# What zig links into a static binary, with the file of its licence.
OF_ZIG = (
    ("musl", "MIT", "lib/libc/musl/COPYRIGHT"),
    ("libunwind", "Apache-2.0 WITH LLVM-exception", "lib/libunwind/LICENSE.TXT"),
    ("compiler-rt", "MIT", "LICENSE"),
)


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
    others = of_zig(sys.argv[1:])
    for name, _, file in others:
        texts.setdefault(file.read_text(encoding="utf-8").strip(), []).append(f"{name} ({file.name})")
    print("Coverage dashboard contains these crates, each under the licence after its name.")
    print("It also contains the Rust standard library, under MIT OR Apache-2.0. The texts of the licences are below.\n")
    for key in sorted(crates):
        crate = crates[key]
        print(f"{crate['name']} {crate['version']}: {crate['license'] or 'see its file'} {crate['repository'] or ''}".rstrip())
    if others:
        print("\nIts binary also contains, in the versions that zig has:\n")
        for name, licence, _ in others:
            print(f"{name}: {licence}")
    if bare:
        print("\nThese crates have no licence file. Their licences are named above; the texts below are from other crates.\n")
        for crate in bare:
            print(f"{crate['name']} {crate['version']}, by {', '.join(crate['authors']) or 'its contributors'}")
    for text, users in texts.items():
        print(f"\n{RULE}\n{chr(10).join(users)}\n{RULE}\n\n{text}")
    print(f"{len(crates)} crates, {len(bare)} without a licence file: {' '.join(crate['name'] for crate in bare)}", file=sys.stderr)


def of_zig(packages_and_targets):
    """Returns name, licence and licence file of the parts of a static binary that are no crates."""
    if not any(argument.endswith("-musl") for argument in packages_and_targets):
        return []
    folder = pathlib.Path(os.environ["ZIG_FILES"])
    return [(name, licence, folder / file) for name, licence, file in OF_ZIG]


def linked(packages_and_targets):
    """Returns the crates that are linked into each PACKAGE:TARGET, without crates that only its build or its tests need. "uses" of
    a crate has the crates that it uses; crates of the project have no "source"."""
    crates = {}
    for argument in packages_and_targets:
        package, target = argument.split(":")
        for key, crate in linked_for(package, target).items():
            crates.setdefault(key, crate)["uses"] |= crate["uses"]
    return crates


def linked_for(package, target):
    output = subprocess.run(
        ["cargo", "metadata", "--locked", "--format-version=1", "--features=server/jemalloc", f"--filter-platform={target}"],
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
    """Returns the licence files of a crate. In a -sys crate, the licences of the C sources are in subfolders."""
    folder = pathlib.Path(crate["manifest_path"]).parent
    found = list(folder.rglob("*") if crate["name"].endswith("-sys") else folder.glob("*"))
    found += (folder / "LICENSES").glob("*")
    return sorted({file for file in found if file.is_file() and is_licence(file)})


def is_licence(file):
    return file.name.lower().startswith(NAMES) and file.suffix.lower() not in CODE or file.parent.name == "LICENSES"


if __name__ == "__main__":
    main()
