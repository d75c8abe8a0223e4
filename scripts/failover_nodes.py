"""PostgreSQL servers that can take turns as primary and standby, and an address that leads to one of them; for scripts/failover.py."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

folder = pathlib.Path(urllib.parse.unquote(os.environ["COVERAGE_TEST_POSTGRES"].split("@")[1])).parent
owner = (folder / "data").stat().st_uid


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_until(what, seconds=60):
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            sys.exit("it did not happen in time")
        time.sleep(0.02)


class Node:
    """One PostgreSQL server, which can be the primary or the standby."""

    def __init__(self, name):
        self.data, self.socket = folder / name, folder / f"socket-{name}"
        self.socket.mkdir()
        os.chown(self.socket, owner, owner)

    def run(self, *command):
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        subprocess.run(command, check=True, user=owner, group=owner, extra_groups=[], **quiet)

    def query(self, sql, database="postgres"):
        command = ["psql", "-h", self.socket, "-U", "coverage", "-qXAt", "-c", sql, database]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def start(self):
        settings = ["listen_addresses=", f"unix_socket_directories={self.socket}", "max_connections=500", "hot_standby_feedback=on"]
        # Else a promotion waits up to five seconds, for the lost primary to come back.
        settings.append("wal_retrieve_retry_interval=100ms")
        options = " ".join(f"-c {setting}" for setting in settings)
        self.run("pg_ctl", "--pgdata", self.data, "--log", self.data / "log", "--wait", "--options", options, "start")

    def stop(self):
        self.run("pg_ctl", "--pgdata", self.data, "--mode", "immediate", "stop")

    def set(self, name, value):
        with open(self.data / "postgresql.auto.conf", "a") as settings:
            settings.write(f"{name} = '{value}'\n")

    def follow(self, primary):
        """Becomes a standby of another node, from a new copy. It has no synchronous standby itself: alone, it would wait forever."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run("pg_basebackup", "-h", primary.socket, "-U", "coverage", "-D", self.data, "-R", "-X", "stream", "-c", "fast")
        self.set("synchronous_standby_names", "")
        self.start()
        wait_until(lambda: primary.query("select count(*) from pg_stat_replication where state = 'streaming'") == "1")
        reload(primary, is_synchronous=True)

    def processes(self):
        main = (self.data / "postmaster.pid").read_text().split()[0]
        children = subprocess.run(["pgrep", "-P", main], capture_output=True, text=True).stdout.split()
        return [int(process) for process in [main, *children]]

    def signal(self, which):
        for process in self.processes():
            try:
                os.kill(process, which)
            except ProcessLookupError:
                pass

    def promote(self):
        self.run("pg_ctl", "--pgdata", self.data, "--wait", "promote")


class Forwarder:
    """The address of the database. Without a node, it refuses connections."""

    def __init__(self):
        self.port, self.listener, self.open = free_port(), None, []

    def lead_to(self, node):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        threading.Thread(target=self.accept, args=(self.listener, str(node.socket / ".s.PGSQL.5432")), daemon=True).start()

    def accept(self, listener, path):
        while True:
            try:
                client = listener.accept()[0]
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(path)
            except OSError:
                client.close()
                continue
            self.open += [client, server]
            for ends in [(client, server), (server, client)]:
                threading.Thread(target=pump, args=ends, daemon=True).start()

    def lead_nowhere(self, closes):
        """With `closes`, open connections are closed, as when a process dies. Without, they stay silent, as when a machine does."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for one in self.open if closes else []:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.open = []


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def reload(node, is_synchronous):
    node.set("synchronous_standby_names", "*" if is_synchronous else "")
    node.run("pg_ctl", "--pgdata", node.data, "reload")
    state = "sync" if is_synchronous else "async"
    wait_until(lambda: node.query("select sync_state from pg_stat_replication") == state)


def transactions(node):
    return int(node.query("select xact_commit from pg_stat_database where datname = 'coverage'"))
