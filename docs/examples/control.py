"""A test server without a helper: it starts `rollcall demo`, and lets it add a record between two requests.

It needs only Python's standard library, and `rollcall` in PATH.
"""

import json, subprocess, urllib.request


def send(url, key, body=None):
    request = urllib.request.Request(url, body and json.dumps(body).encode(), {"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


command = "rollcall demo --key k --port 0 --control --json --exit-with-parent".split()
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as demo:  # The server exits when this block ends.
    started = json.loads(demo.stdout.readline())
    api, key = started["control"]["url"], started["control"]["key"]
    send(f"{api}/accounts/demo/scenarios", key, {"name": "insert-at-head-while-paginating"})
    before, after = [send(started["url"] + "/automations", started["key"])["data"] for _ in range(2)]
    assert after[0]["name"] == "New" and after[1] == before[0]
