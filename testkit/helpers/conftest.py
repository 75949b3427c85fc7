"""Rollcall for pytest: a server that starts with the first test that needs it, and accounts for each test.

Copy this file. It needs pytest, and Rollcall's command: `rollcall`, or the executable that the variable ROLLCALL names.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from datetime import datetime, timedelta
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

SECONDS = 60  # For the start, and for a response: a machine may be busy.
OPENER = build_opener(ProxyHandler({}))  # Without the proxy of the environment: the server is on this machine.
NEWEST = datetime(2026, 4, 16, 8)
__tracebackhide__ = True  # A traceback of pytest ends at the line of the test, not in this file.


class Rollcall:
    """Builds records, and creates accounts with them. Each record is a second older than the one before, so the first is listed first.

    Its id is smaller too, so records that get the same time stay in this order.
    """

    def __init__(self, server):
        self._server, self._built, self.accounts = server, 0, []

    def account(self, **records):
        """Creates an account, such as `account(automations=[...], contactImports=[...])`. It is deleted after the test."""
        self.accounts.append(Account(self._server, records))
        return self.accounts[-1]

    def automation(self, **properties):
        id, at = self._next()
        usual = {"name": f"Automation {self._built}", "status": "enabled", "created_at": at, "updated_at": at}
        return {"id": id, **usual, **properties}

    def contact_property(self, type="string", **properties):
        id, at = self._next()
        usual = {"key": f"property_{self._built}", "type": type, "fallback_value": "none" if type == "string" else None}
        return {"id": id, **usual, "created_at": at, **properties}

    def contact_import(self, status="completed", **properties):
        id, at = self._next()
        done = {"queued": 0, "completed": 100}.get(status, 50)
        counts = {"total": 0 if status == "queued" else 100, "created": done, "updated": 0, "skipped": 0, "failed": 0}
        ended = at if status in ("completed", "failed") else None
        usual = {"status": status, "created_at": at, "completed_at": ended, "counts": counts}
        return {"object": "contact_import", "id": id, **usual, **properties}

    def _next(self):
        self._built += 1
        return f"00000000-0000-4000-8000-{10**12 - self._built}", f"{NEWEST - timedelta(seconds=self._built)}+00"


class Account:
    """An account of the server. The client that is tested gets `url` and `key`. Faults and cues are those of control.yaml."""

    def __init__(self, server, records):
        self.url, self._control = server["url"], server["control"]
        created = self._send("POST", "/accounts", {"records": records})
        self.key, self._path = created["apiKey"], f"/accounts/{created['name']}"

    def fail(self, *, times=1, always=False, **fault):
        """Makes requests fail, such as `fail(status=503, retryAfter=1, times=2)`, or all of them: `fail(status=503, always=True)`."""
        self.post("faults", fault=fault, **({"always": True} if always else {"times": times}))

    def cue(self, when, then, **options):
        """Changes the records when a request arrives, such as `cue({"nth": 2}, [{"revokeKey": True}])`."""
        return Cue(self, self.post("cues", when=when, then=then, **options))

    def scenario(self, name, **options):
        """Adds the cue of a scenario, such as `scenario("cursor-removed", limit=2)`."""
        return Cue(self, self.post("scenarios", name=name, **options))

    def requests(self, query=""):
        """Returns the requests of the account, or some, such as `requests("status=429")`."""
        return self._send("GET", f"{self._path}/requests?{query}")["data"]

    def post(self, path, **body):
        """Everything else that control.yaml has for an account, such as `post("put", collection="automations", records=[...])`."""
        return self._send("POST", f"{self._path}/{path}", body)

    def cues(self):
        return self._send("GET", f"{self._path}/cues")["data"]

    def delete(self):
        self._send("DELETE", self._path)

    def _send(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self._control['key']}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with OPENER.open(Request(self._control["url"] + path, data, headers, method=method), timeout=SECONDS) as response:
                return json.loads(response.read() or "null")
        except HTTPError as error:
            with error:
                raise AssertionError(json.loads(error.read())["message"]) from None


class Cue:
    """A cue of an account."""

    def __init__(self, account, created):
        self._account, self._created = account, created

    def __repr__(self):
        return f"Cue({self._created['number']}, when={self._created['when']}, then={self._created['then']})"

    @property
    def fired(self):
        """How often it has fired. A cue with 0 has changed nothing. Fails if one of its actions has failed."""
        now = self._now()
        if now["errors"]:
            raise AssertionError(f"{self} has fired, but its actions failed: {' '.join(now['errors'])}")
        return now["fired"]

    @property
    def errors(self):
        """The messages of its actions that failed."""
        return self._now()["errors"]

    def _now(self):
        return next(it for it in self._account.cues() if it["number"] == self._created["number"])


@pytest.fixture
def rollcall(rollcall_server):
    """Builds records, and creates accounts, which are deleted after the test."""
    created = Rollcall(rollcall_server)
    yield created
    for account in created.accounts:
        account.delete()


@pytest.fixture(scope="session")
def rollcall_server():
    """The server. With pytest-xdist, each worker has its own."""
    __tracebackhide__ = False  # The messages of this fixture have no traceback.
    command = os.environ.get("ROLLCALL", "rollcall")
    options = ["demo", "--control", "--json", "--exit-with-parent", "--port", "0", "--key", "demo"]
    with tempfile.TemporaryFile("w+") as messages:
        # The server stops when its standard input ends, which the system closes when this process is gone, however that ends.
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": messages, "text": True}
        try:
            server = subprocess.Popen([command, *options], **pipes)
        except OSError as error:
            hint = "Install Rollcall: see its docs/install.md. Or set the variable ROLLCALL to the path of its executable, without arguments."
            raise pytest.fail.Exception(f"{command} does not start: {error.strerror}. {hint}", pytrace=False) from None
        late = threading.Timer(SECONDS, server.kill)
        late.start()
        line = server.stdout.readline()  # One line of JSON, when it listens.
        late.cancel()
        if line == "":
            server.communicate(timeout=SECONDS)
            messages.seek(0)
            pytest.fail(f"{command} demo has ended with {server.returncode} before it listened: {messages.read()}", pytrace=False)
        yield json.loads(line)
        server.communicate(timeout=SECONDS)  # Closes its standard input.
        messages.seek(0)
        sys.stderr.write(messages.read())
