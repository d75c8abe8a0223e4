#!/usr/bin/env python3
"""Compares which tests ran each line, as the service answers it, with coverage.py's own JSON, for five packages of PyPI.

  scripts/line-tests.py URL TOKEN [DATABASE]

URL is a running service, TOKEN an upload token, DATABASE its SQLite file, for the stored bytes. Each package is downloaded as source,
tested with pytest-cov and --cov-context=test, and uploaded: measured alone, and measured with its tests, as `pytest --cov` does. Every
pair of a line and a test is compared. Prints the pairs, the stored bytes for each covered line, and the times of answers. Installs the
tools in a temporary virtual environment.
"""

import io
import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse
import urllib.request
import uuid
import venv

# Each with its package and the folder of its tests.
PACKAGES = [
    ("sqlparse==0.5.3", "sqlparse", "tests"),
    ("more-itertools==10.8.0", "more_itertools", "tests"),
    ("cachetools==6.2.0", "cachetools", "tests"),
    ("semver==3.0.4", "semver", "tests"),
    ("itsdangerous==2.2.0", "itsdangerous", "tests"),
]
TOOLS = ["coverage==7.17.3", "pytest==9.2.0", "pytest-cov==7.1.0", "freezegun", "setuptools", "setuptools-scm", "wheel", "flit_core", "hatchling"]


def downloaded(folder: pathlib.Path, tools: pathlib.Path, release: str) -> pathlib.Path:
    """Downloads a release, and returns the folder of its source."""
    folder.mkdir()
    pip = [tools / "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--dest", folder, release], check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def measured(source: pathlib.Path, tools: pathlib.Path, measure: str, tests: str) -> bytes:
    """Runs tests, and returns the JSON of coverage.py about the packages in `measure`."""
    settings = source.parent / "settings"
    settings.write_text(f"[run]\nsource = {measure}\nrelative_files = true\n")
    command = [tools / "python", "-m", "pytest", "-q", "-o", "addopts=", "-p", "no:cacheprovider", tests]
    cov = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
    path = f"{source}:{source / 'src'}"
    subprocess.run([*command, *cov], cwd=source, env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin"}, stdout=subprocess.DEVNULL)
    written = source.parent / "coverage.json"
    report = [tools / "coverage", "json", f"--rcfile={settings}", "--show-contexts", "-q", "-o", written]
    subprocess.run(report, cwd=source, check=True)
    return written.read_bytes()


def upload(url: str, token: str, name: str, text: bytes) -> int:
    """Uploads a coverage file, and returns the id of its record."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        entry = tarfile.TarInfo("coverage.json")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    fields = {
        "org_name": "pypi",
        "repo_name": name,
        "branch_name": "main",
        "commit_hash": uuid.uuid4().hex,
        "commit_author": "Kim",
        "language": "python",
        "coverage_xml_file_name": "coverage.json",
    }
    query = urllib.parse.urlencode(fields)
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="a.tar.gz"\r\n\r\n'.encode()
    body = head + packed.getvalue() + f"\r\n--{edge}--\r\n".encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={edge}"}
    request = urllib.request.Request(f"{url}/coverages-api?{query}", body, headers)
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.load(response)["coverage"]["id"]


def compared(url: str, record: int, report: dict) -> tuple[int, int, list[float]]:
    """Compares all pairs, and returns their number, the number of tests, and the times of the answers in milliseconds."""
    pairs, times, of = 0, [], 0
    for path, file in report["files"].items():
        # Python gives line 0 to code without a line.
        for line, contexts in ((line, of) for line, of in file["contexts"].items() if line != "0"):
            query = urllib.parse.urlencode({"path": path, "line": line})
            began = time.perf_counter()
            with urllib.request.urlopen(f"{url}/coverages-api/records/{record}/tests?{query}") as response:
                found = json.load(response)
            times.append((time.perf_counter() - began) * 1000)
            expected = sorted(filter(None, contexts), key=str.encode)
            assert found["tests"] == expected, f"{path}:{line}: {found['tests']} instead of {expected}"
            pairs, of = pairs + len(expected), found["of"]
    return pairs, of, times


def main() -> None:
    url, token, database = (*sys.argv[1:], None)[:3]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        venv.create(folder / "tools", with_pip=True)
        tools = folder / "tools" / "bin"
        subprocess.run([tools / "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS], check=True)
        for release, package, tests in PACKAGES:
            source = downloaded(folder / package, tools, release)
            for measure in [package, f"{package}, {tests}"]:
                text = measured(source, tools, measure, tests)
                record = upload(url, token, package, text)
                pairs, of, times = compared(url, record, json.loads(text))
                stored = ""
                if database:
                    query = "select length(tests), covered from record_lines where record_id = ?"
                    size, covered = sqlite3.connect(database).execute(query, (record,)).fetchone()
                    stored = f", {size} bytes for {covered} covered lines: {size / covered:.2f} each"
                middle, slow = statistics.median(times), statistics.quantiles(times, n=100)[98]
                speed = f"{middle:.1f} ms, 99 of 100 within {slow:.1f} ms"
                print(f"{release}, measured {measure}: {of} tests, {pairs} pairs equal{stored}; {speed}", flush=True)


if __name__ == "__main__":
    main()
