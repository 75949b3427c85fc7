"""A Rollcall server for a test suite, with the standard library alone."""

import json
import os
import subprocess
import threading
import urllib.request
from urllib.error import HTTPError

START_SECONDS = 60
ANSWER_SECONDS = 10


class Rollcall:
    """Starts `rollcall demo`, and stops it at the end of a `with`."""

    def __init__(self, seed, key):
        command = [os.environ["ROLLCALL"], "demo", "--seed", seed, "--key", key, "--port", "0", "--faults", "--json"]
        # It stops when its standard input ends: the system closes the pipe when this process is gone, however that ends.
        command.append("--exit-with-parent")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        late = threading.Timer(START_SECONDS, self._process.kill)
        late.start()
        line = self._process.stdout.readline()  # One line of JSON, once it listens.
        late.cancel()
        if line == "":
            raise RuntimeError(f"rollcall ended with {self._process.wait()}")
        started = json.loads(line)
        self.url, self.key, self._faults = started["url"], started["key"], started["faults"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def get(self, target):
        """Returns the status, the headers and the body of an answer."""
        return self._send("GET", self.url + target)

    def fail(self, **fault):
        """The next requests meet with a fault, such as `status=503, times=2`."""
        return self._send("POST", self._faults, json.dumps(fault).encode())

    def no_faults(self):
        return self._send("DELETE", self._faults)

    def stop(self):
        """Returns the exit code."""
        self._process.terminate()
        code = self._process.wait(ANSWER_SECONDS)
        self._process.stdout.close()
        self._process.stdin.close()
        return code

    def _send(self, method, url, body=None):
        request = urllib.request.Request(url, body, {"Authorization": f"Bearer {self.key}"}, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=ANSWER_SECONDS)
        except HTTPError as error:
            answer = error
        with answer:
            text = answer.read()
            return answer.status, answer.headers, json.loads(text) if text else None
