#!/usr/bin/env python3
"""Writes a software bill of materials of the release, in CycloneDX 1.5 as JSON.

    SOURCE_DATE_EPOCH=… scripts/sbom.py PACKAGE:TARGET… >sbom.cdx.json

It lists the crates of scripts/licences.py, with the checksums of Cargo.lock. The same sources and compiler give the same bytes.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

import licences

LOCK = pathlib.Path(__file__).resolve().parent.parent / "Cargo.lock"
LOCKED = re.compile(r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"')
ROOT = "coverage-dashboard"


def main():
    crates = licences.linked(sys.argv[1:])
    checksums = {(name, version): checksum for name, version, checksum in LOCKED.findall(LOCK.read_text())}
    ours = {key for key, crate in crates.items() if not crate["source"]}
    others = sorted(crates.keys() - ours)
    of_zig = [(f"zig-{name}", name, licence) for name, licence, _ in licences.of_zig(sys.argv[1:])]
    # The crates of the project together are the application.
    of_ours = set().union(*(crates[key]["uses"] for key in ours)) - ours
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": ROOT, "name": ROOT, "version": crates[min(ours)]["version"]},
        },
        "components": [standard_library()] + [library(*each) for each in of_zig] + [component(crates[key], checksums[key]) for key in others],
        "dependencies": [{"ref": ROOT, "dependsOn": sorted(map(purl, of_ours)) + ["rust-std"] + [ref for ref, *_ in of_zig]}]
        + [{"ref": purl(key), "dependsOn": sorted(map(purl, crates[key]["uses"]))} for key in others],
    }
    bom["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom)).urn
    print(json.dumps(bom, indent=1))
    print(f"{len(others)} crates and the standard library", file=sys.stderr)


def component(crate, checksum):
    key = crate["name"], crate["version"]
    found = {
        "type": "library",
        "bom-ref": purl(key),
        "name": crate["name"],
        "version": crate["version"],
        "hashes": [{"alg": "SHA-256", "content": checksum}],
        "purl": purl(key),
    }
    if crate["license"]:
        # Older manifests write "MIT/Apache-2.0".
        found["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", crate["license"])}]
    if crate["repository"]:
        found["externalReferences"] = [{"type": "vcs", "url": crate["repository"]}]
    return found


def standard_library():
    compiler = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    licence = [{"expression": "MIT OR Apache-2.0"}]
    return {"type": "library", "bom-ref": "rust-std", "name": "rust-std", "version": compiler.split()[1], "licenses": licence}


def library(reference, name, licence):
    """The libraries that zig links, with the version of zig."""
    zig = subprocess.run(["python3", "-m", "ziglang", "version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    found = {"type": "library", "bom-ref": reference, "name": name, "licenses": [{"expression": licence}]}
    return found | {"properties": [{"name": "zig", "value": zig}]}


def purl(key):
    return "pkg:cargo/{}@{}".format(*key)


main()
