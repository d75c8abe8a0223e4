"""Tells schemathesis what the OpenAPI document cannot express (for scripts/check-openapi.sh).

Valid uploads get an archive with the named coverage file, paths as git lists them, and changes as it prints them. Most requests for HTML reports are for the one that exists.
"""

import copy
import io
import tarfile

import schemathesis
from schemathesis.core import NotSet
from schemathesis.generation import GenerationMode

# It has lines, so that it can be united with other parts of its commit.
COVERAGE_FILE = b"""<?xml version="1.0"?><coverage lines-covered="1" lines-valid="2" line-rate="0.5"><packages><package><classes>
<class filename="fee.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class></classes></package></packages></coverage>"""

# Limits of names in bytes. JSON Schema can limit characters only.
BYTES = {"org_name": 255, "repo_name": 255, "branch_name": 255, "commit_author": 255, "coverage_xml_file_name": 1024, "reason": 255}


def archive(path):
    """Returns a tar with a coverage file at this path."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        entry = tarfile.TarInfo(path.removeprefix("./"))
        entry.size = len(COVERAGE_FILE)
        tar.addfile(entry, io.BytesIO(COVERAGE_FILE))
    return file.getvalue()


def is_valid(case):
    return case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE


@schemathesis.hook
def filter_case(context, case):
    named = case.query or {}
    # A request that only closes a commit needs no body.
    if case.path == "/coverages-api" and isinstance(case.body, NotSet) and ("finish" in named or "skip" in named):
        return False
    return not is_valid(case) or not any(len(str(named.get(name, "")).encode(errors="replace")) > most for name, most in BYTES.items())


@schemathesis.hook
def before_call(context, case, kwargs):
    if not is_valid(case):
        return
    if case.method == "POST" and case.path == "/coverages-api":
        # schemathesis sends the names of other parts unchanged, even if they are not valid in a header.
        for name in [name for name in case.body if not name.isprintable() or "\\" in name or '"' in name]:
            del case.body[name]
        # Parts may share one value.
        if "paths" in case.body:
            case.body["paths"] = copy.copy(case.body["paths"])
            case.body["paths"].data = b"README.md\0src/fee.py\0"
        if "changes" in case.body:
            case.body["changes"] = copy.copy(case.body["changes"])
            case.body["changes"].data = b"diff --git a/fee.py b/fee.py\n--- a/fee.py\n+++ b/fee.py\n@@ -1 +1,2 @@\n"
        if "settings" in case.body:
            case.body["settings"] = "parts = [\"unit\"]"
        # A request with an archive must name the coverage file, and a skipped part needs a reason.
        if not case.query.get("coverage_xml_file_name"):
            case.query["coverage_xml_file_name"] = "coverage.xml"
        if case.query.get("skip") and not case.query.get("reason"):
            case.query["reason"] = "only documentation has changed"
        case.body["file"].data = archive(str(case.query["coverage_xml_file_name"]))
        # schemathesis treats changed bytes as invalid, because it cannot validate them. It has no public function that marks
        # them as valid.
        case._sync_validated_hashes()
    if case.method == "POST" and case.path == "/mcp":
        # The document does not repeat the Model Context Protocol, which defines the members of a message.
        case.body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "gate", "arguments": {"record": 1, **case.body}}}
    if case.method == "PUT" and case.path == "/coverages-api":
        # The list must contain a branch that has a record.
        case.body.update(org_name="acme", repo_name="listed", active_branches=["main", *case.body["active_branches"]])
    if case.method == "GET" and case.query and case.query.get("since"):
        # A named record, commit or tag must exist.
        case.query["since"] = "90d"
    if case.method == "GET" and case.query and case.query.get("view"):
        # A view must be defined.
        case.query["view"] = "folder:src"
    if case.method == "GET" and case.path == "/coverages-api/records/{id}/tests" and case.query and not (case.query.get("path") and case.query.get("line")):
        # A line needs a file, and a file a line.
        case.query.pop("path", None)
        case.query.pop("line", None)
    if case.method == "GET" and case.path == "/coverages-api/report" and case.query:
        # A report has at most 366 days.
        case.query.pop("from", None)
    if case.method == "GET" and case.path == "/coverages-api/records":
        # One of the two must be named.
        if not case.query.get("commit_hash") and not case.query.get("pull_request"):
            case.query["pull_request"] = "7"
    if "/assets/" in case.path:
        case.path_parameters.update(org_name="acme", repo_name="kept", branch_name="main", path="index.html")
    if case.path.startswith("/reports/") and len(str(case.path_parameters.get("path", ""))) % 3:
        case.path_parameters["id"] = 1
        case.path_parameters["path"] = "index.html"
