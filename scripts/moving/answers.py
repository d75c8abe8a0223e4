"""Simulates the services whose history is moved: answers the requests of the scripts with scripts/moving/fixtures.

answers.py FILE: serves on a free port of 127.0.0.1, writes the port to the file, and prints a line for each request.
"""

import pathlib
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

FIXTURES = pathlib.Path(__file__).parent / "fixtures"

# Path and query of a page, the Authorization header that it needs, and the name of its fixtures.
LISTINGS = [
    (re.compile(r"/api/v2/github/acme/repos/payments/commits/\?page=(\d+)&page_size=100"), "bearer good-token", "codecov"),
    (re.compile(r"/api/v2/gitlab/acme:platform/repos/payments/commits/\?page=(\d+)&page_size=100"), None, "codecov"),
    (re.compile(r"/github/acme/payments\.json\?page=(\d+)"), "token good-token", "coveralls"),
    (re.compile(r"/coverages-api\?full=true&p=(\d+)"), None, "listing"),
    # A service whose first page has the number 1; page 0 is the same page.
    (re.compile(r"/from-one/coverages-api\?full=true&p=(\d+)"), "good-token", "listing"),
]
busy_once = set()


class Answers(BaseHTTPRequestHandler):
    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if "/busy" in self.path:
            return self.answer(429, b'{"detail":"Request was throttled."}', Retry_After=3600)
        if "/moved" in self.path:
            return self.answer(302, b"", Location="/api/v2/github/acme/repos/payments/commits/?page=1&page_size=100")
        if "/page-of-a-proxy" in self.path:
            return self.answer(200, b"<!doctype html><title>Log in</title>")
        for pattern, authorization, name in LISTINGS:
            match = pattern.fullmatch(self.path)
            if not match:
                continue
            if authorization and self.headers["Authorization"] != authorization:
                return self.answer(401, b'{"detail":"Invalid token."}')
            page = int(match[1])
            # The second page of each listing is refused once.
            if self.path not in busy_once and page == (1 if name == "listing" else 2):
                busy_once.add(self.path)
                return self.answer(429, b'{"detail":"Request was throttled."}', Retry_After=1)
            file = FIXTURES / f"{name}-{max(page - 1, 0) if self.path.startswith('/from-one') else page}.json"
            if file.exists():
                return self.answer(200, file.read_bytes())
        return self.answer(404, b'{"detail":"Not found."}')

    def log_message(self, format, *arguments):
        print(format % arguments, flush=True)


server = HTTPServer(("127.0.0.1", 0), Answers)
port = pathlib.Path(sys.argv[1])
port.with_suffix(".new").write_text(str(server.server_port))
port.with_suffix(".new").rename(port)
server.serve_forever()
