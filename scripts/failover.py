#!/usr/bin/env python3
"""Restarts two instances in turn, and promotes a standby of their PostgreSQL, while clients upload and read pages.

    scripts/failover.py BINARY WORK    COVERAGE_TEST_POSTGRES names a server; s3s-fs is in COVERAGE_S3_SERVER if it is installed

A client repeats a request that fails, at the other instance. A forwarder has the address of the database, as a floating address would.
"""

import http.client
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tarfile
import threading
import time

from failover_nodes import Forwarder, Node, free_port, reload, transactions, wait_until

UPLOADERS, READERS = 4, 4
PAUSE = 0.02
BETWEEN_TRIES = 0.1
GIVE_UP = 120
binary, work = sys.argv[1], pathlib.Path(sys.argv[2])


class Instance:
    def __init__(self, number, environment):
        self.port, self.is_ready, self.environment = free_port(), False, environment
        self.log = open(work / f"instance-{number}.log", "w")
        self.start()

    def start(self):
        arguments = ["serve", "--addr", f"127.0.0.1:{self.port}", "--upload-token", "bench", "--shutdown-delay-seconds", "1"]
        arguments += ["--public-url", "http://127.0.0.1", "--connections-per-address", "200", "--site-root", str(work)]
        environment = self.environment | {"RUST_LOG": "warn"}
        self.process = subprocess.Popen([binary, *arguments], stdout=subprocess.DEVNULL, stderr=self.log, env=environment)
        wait_until(lambda: self.asked() == 200)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if status := self.process.wait(60):
            sys.exit(f"an instance ended with {status}")

    def asked(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/coverages-api/ready")
            status = connection.getresponse().status
        except OSError:
            status = 0
        connection.close()
        self.is_ready = status == 200
        return status


def archive(number):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        files = {"index.html": f"<!doctype html><title>{number}</title>", "coverage.info": "SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n"}
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    start = '--x\r\nContent-Disposition: form-data; name="file"; filename="x.tar.gz"\r\n\r\n'
    return start.encode() + data.getvalue() + b"\r\n--x--\r\n"


class Load:
    """Uploads and page views from now on. An answer is its kind, its time, the seconds that it took, and the failed tries before it."""

    def __init__(self, instances):
        self.instances, self.answers, self.acknowledged, self.wrong, self.unseen = instances, [], [], [], 0
        self.is_over = False
        self.threads = [threading.Thread(target=self.balance, daemon=True)]
        self.threads += [threading.Thread(target=self.upload, args=(number,), daemon=True) for number in range(UPLOADERS)]
        self.threads += [threading.Thread(target=self.read, daemon=True) for _ in range(READERS)]
        for thread in self.threads:
            thread.start()

    def balance(self):
        while True:
            for one in self.instances:
                one.asked()
            time.sleep(0.2)

    def ask(self, connections, kind, method, path, body=None, before=None):
        """Asks a ready instance, not the one before, until one answers. Returns the answer and its instance."""
        began, tries = time.monotonic(), 0
        while True:
            ready = [one for one in self.instances if one.is_ready] or self.instances
            one = random.choice([one for one in ready if one is not before] or ready)
            try:
                connection = connections.setdefault((one, one.process), http.client.HTTPConnection("127.0.0.1", one.port, timeout=60))
                headers = {"Authorization": "Bearer bench", "Content-Type": "multipart/form-data; boundary=x"} if body else {}
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                text, status = answer.read(), answer.status
            except (OSError, http.client.HTTPException):
                connection.close()
                text, status = b"", 503
            now = time.monotonic()
            if status in (200, 201):
                self.answers.append((kind, now, now - began, tries))
                return text, one
            if status != 503 or now - began > GIVE_UP:
                self.wrong.append(f"{kind} {path}: {status} after {now - began:.1f} s: {text[:200]}")
                return text, one
            tries, before = tries + 1, one
            time.sleep(BETWEEN_TRIES)

    def upload(self, number):
        connections, commit = {}, 0
        while not self.is_over:
            commit += 1
            repo, name = f"repo-{number}", f"{commit:08x}{number:032x}"
            query = f"org_name=bench&repo_name={repo}&branch_name=main&commit_hash={name}&commit_author=Kim&language=c&coverage_xml_file_name=coverage.info"
            text, one = self.ask(connections, "upload", "POST", f"/coverages-api?{query}", archive(commit))
            record = json.loads(text or "{}").get("coverage", {}).get("id")
            if record:
                self.acknowledged.append((repo, name))
                page, _ = self.ask(connections, "page", "GET", f"/records/{record}", before=one)
                self.unseen += name[:8].encode() not in page
            time.sleep(PAUSE)

    def read(self):
        connections = {}
        while not self.is_over:
            path = random.choice(["/", "/orgs/bench", f"/repos/bench/repo-{random.randrange(UPLOADERS)}", "/coverages-api?org_name=bench"])
            self.ask(connections, "page", "GET", path)
            time.sleep(PAUSE)

    def end(self):
        self.is_over = True
        for thread in self.threads[1:]:
            thread.join()

    def report(self, what, since, until):
        """Prints what happened between two times: the longest time without an answer, and the slowest request with all its tries."""
        for kind in ("upload", "page"):
            some = [(at, took, tries) for of, at, took, tries in self.answers if of == kind and since <= at <= until]
            times = [since, *sorted(at for at, _, _ in some), until]
            gap = max(later - earlier for earlier, later in zip(times, times[1:]))
            slowest = max((took for _, took, _ in some), default=0)
            print(f"{what:<36} {kind + 's':<8} {len(some):>6} {gap:>13.2f} {slowest:>13.2f} {sum(tries for _, _, tries in some):>9}", flush=True)


def lost(node, acknowledged):
    stored = node.query("select repo_name || ' ' || commit_hash from records join repositories p on p.id = repository_id", "coverage").split("\n")
    return len(set(map(" ".join, acknowledged)) - set(stored))


def bucket():
    """Starts the storage of HTML reports, and returns its process and the variables of the instances."""
    program = os.environ.get("COVERAGE_S3_SERVER")
    if not program:
        return None, {"REPORTS_URL": str(work / "reports")}
    (work / "s3/bench").mkdir(parents=True)
    port = free_port()
    keys = ["--access-key", "bench", "--secret-key", "bench"]
    arguments = ["--host", "127.0.0.1", "--port", str(port), *keys, work / "s3"]
    process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    variables = {"REPORTS_URL": "s3://bench/x", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_REGION": "eu-central-1"}
    return process, variables | {"AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench"}


def read_from_the_standby(load, primary, standby):
    for what, sql in [
        ("nothing happens", ""),
        ("the standby replays nothing", "select pg_wal_replay_pause()"),
        ("it replays again", "select pg_wal_replay_resume()"),
    ]:
        standby.query(sql)
        before, since = [transactions(primary), transactions(standby)], time.monotonic()
        time.sleep(5)
        load.report(what, since, time.monotonic())
        print(f"    transactions of the primary, of the standby: {transactions(primary) - before[0]}, {transactions(standby) - before[1]}")


def restart_in_turn(load, instances):
    since = time.monotonic()
    for one in instances:
        one.stop()
        one.start()
        time.sleep(2)
    load.report("each instance restarted in turn", since, time.monotonic())


def promote(load, what, address, reading, primary, standby, is_synchronous, how):
    """Ends the primary, and promotes the standby. Returns the number of acknowledged uploads that the new primary lacks."""
    reload(primary, is_synchronous)
    time.sleep(2)
    since = time.monotonic()
    primary.signal(how)
    address.lead_nowhere(closes=how == signal.SIGKILL)
    before = len(load.acknowledged)
    standby.promote()
    took = time.monotonic() - since
    address.lead_to(standby)
    reading.lead_nowhere(closes=True)
    wait_until(lambda: len(load.acknowledged) > before + 50, GIVE_UP)
    time.sleep(2)
    load.report(f"{what} ({took:.2f} s)", since, time.monotonic())
    missing = lost(standby, load.acknowledged[:])
    load.acknowledged.clear()
    if how == signal.SIGSTOP:
        primary.signal(signal.SIGKILL)
    primary.follow(standby)
    reading.lead_to(primary)
    return missing


def main():
    nodes, instances, losses, storage = [Node("data"), Node("standby")], [], {}, None
    primary, standby = nodes
    try:
        primary.stop()
        primary.start()
        primary.query("create database coverage")
        standby.follow(primary)
        address, reading = Forwarder(), Forwarder()
        address.lead_to(primary)
        reading.lead_to(standby)
        storage, variables = bucket()
        environment = os.environ | variables
        for name, forwarder in [("DATABASE_URL", address), ("DATABASE_READ_URL", reading)]:
            environment[name] = f"postgres://coverage@127.0.0.1:{forwarder.port}/coverage?sslmode=disable"
        instances += [Instance(1, environment)]
        instances += [Instance(2, environment)]
        load = Load(instances)
        time.sleep(3)
        load.wrong.clear()
        print(f"{'':<36} {'':<8} {'answers':>6} {'longest gap s':>13} {'slowest s':>13} {'repeated':>9}")
        read_from_the_standby(load, primary, standby)
        restart_in_turn(load, instances)
        for what, is_synchronous, how in [
            ("primary killed, synchronous", True, signal.SIGKILL),
            ("primary silent, synchronous", True, signal.SIGSTOP),
            ("primary killed, asynchronous", False, signal.SIGKILL),
        ] * int(os.environ.get("ROUNDS", "1")):
            missing = promote(load, what, address, reading, primary, standby, is_synchronous, how)
            losses[what] = losses.get(what, 0) + missing
            primary, standby = standby, primary
        load.end()
        print(f"acknowledged uploads that are lost: {losses}")
        print(f"uploads not seen at the other instance: {load.unseen}; other answers: {load.wrong[:5] or 'none'}")
        subprocess.run([binary, "verify", "--all"], env=environment, check=True)
        for one in instances:
            one.stop()
        if load.unseen or load.wrong or any(count for what, count in losses.items() if "asynchronous" not in what):
            sys.exit("something is lost")
    finally:
        for process in [storage, *(one.process for one in instances)]:
            if process and process.poll() is None:
                process.kill()
        for node in nodes:
            if (node.data / "postmaster.pid").exists():
                node.signal(signal.SIGCONT)
                node.signal(signal.SIGKILL)


signal.signal(signal.SIGTERM, lambda *_: sys.exit("it was ended"))
main()
