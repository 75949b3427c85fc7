"""Rollcall for pytest: one server for all tests, also of parallel workers, and an account for each test.

Copy this file. It needs nothing but pytest, and Rollcall's command: `rollcall`, or what the variable ROLLCALL names.
"""

import json
import os
import subprocess
import threading
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

SECONDS = 60  # For the start, and for a response: a machine may be busy.
OPENER = build_opener(ProxyHandler({}))  # Without the proxy of the environment: the server is on this machine.
SERVER = "ROLLCALL_SERVER"  # The variable that tells the workers of pytest-xdist where the server is.


class Account:
    """An account of the server. Paths and bodies of the control API are those of control.yaml."""

    def __init__(self, records):
        self._server = json.loads(os.environ[SERVER])
        created = self._control("POST", "/accounts", {"records": records})
        self.key, self._path = created["apiKey"], f"/accounts/{created['name']}"

    def get(self, target):
        """Sends a request to the API. Returns status, headers and body."""
        return send("GET", self._server["url"] + target, self.key)

    def post(self, path, **body):
        """Such as `post("faults", fault={"status": 503}, times=2)`."""
        return self._control("POST", f"{self._path}/{path}", body)

    def list(self, path):
        """Returns the cues, `list("cues")`, or the requests, `list("requests?status=429")`."""
        return self._control("GET", f"{self._path}/{path}")["data"]

    def delete(self):
        self._control("DELETE", self._path)

    def _control(self, method, path, body=None):
        control = self._server["control"]
        status, _, result = send(method, control["url"] + path, control["key"], body)
        assert status < 400, result["message"]
        return result


def send(method, url, key, body=None):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = Request(url, body and json.dumps(body).encode(), headers, method=method)
    try:
        response = OPENER.open(request, timeout=SECONDS)
    except HTTPError as error:
        response = error
    with response:
        text = response.read()
        return response.status, response.headers, json.loads(text) if text else None


@pytest.fixture
def rollcall():
    """Creates an account with records, such as `rollcall(automations=[...])`. It is deleted after the test."""
    accounts = []

    def create(**records):
        accounts.append(Account(records))
        return accounts[-1]

    yield create
    for account in accounts:
        account.delete()


def pytest_configure(config):
    if hasattr(config, "workerinput"):  # A worker: the process that has started it has the server.
        return
    command = [os.environ.get("ROLLCALL", "rollcall"), "demo", "--control", "--json", "--exit-with-parent"]
    # The server stops when its standard input ends, which the system closes when this process is gone, however that ends.
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    server = subprocess.Popen([*command, "--port", "0", "--key", "demo"], **pipes)
    late = threading.Timer(SECONDS, server.kill)
    late.start()
    os.environ[SERVER] = server.stdout.readline()  # One line of JSON, when it listens.
    late.cancel()
    if os.environ[SERVER] == "":
        raise pytest.UsageError(f"rollcall has ended with {server.wait()}")
    config.add_cleanup(lambda: server.communicate(timeout=SECONDS))  # Closes its standard input.
