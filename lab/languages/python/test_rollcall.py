"""A suite of a team that writes Python. What it tests is `read_all` and `poll`, which stand for the team's own client."""

from http.client import IncompleteRead

import pytest

IMPORT = "00000000-0000-4000-9000-000000000001"
NAMES = ["Welcome", "Review request", "Cart left", "Win back", "Birthday"]


def id_of(number):
    return f"00000000-0000-4000-8000-{number:012}"


def automation(number, name):
    """Returns an automation: the larger the number, the newer."""
    at = f"2026-04-{10 + number} 08:00:00+00"
    return {"id": id_of(number), "name": name, "status": "enabled", "created_at": at, "updated_at": at}


def five():
    return [
        automation(1, "Birthday"),
        automation(2, "Win back"),
        automation(3, "Cart left"),
        automation(4, "Review request"),
        automation(5, "Welcome"),
    ]


def read_all(account):
    """Reads the whole list, page by page. Returns the names, and the seconds that it was told to wait."""
    names, waits, page = [], [], []
    while True:
        after = f"&after={page[-1]['id']}" if page else ""
        status, headers, body = account.get(f"/automations?limit=2{after}")
        if status == 429:
            waits.append(headers["Retry-After"])  # Here a client sleeps. Then it repeats the request.
        elif status == 404:
            page.pop()  # The record of the cursor has been removed: go on from its neighbour.
        else:
            assert status == 200
            page = body["data"]
            names += [it["name"] for it in page]
            if not body["has_more"]:
                return names, waits


def poll(account, times):
    """Polls the import until it has ended, or so many times. Returns what it was each time."""
    seen = []
    while len(seen) < times and (not seen or seen[-1]["status"] not in ("completed", "failed")):
        status, _, body = account.get(f"/contacts/imports/{IMPORT}")
        assert status == 200
        seen.append(body)
    return seen


def statuses(account):
    return [it["status"] for it in account.list("requests")]


def test_an_import_that_moves(rollcall):
    counts = {"total": 0, "created": 0, "updated": 0, "skipped": 0, "failed": 0}
    queued = {"object": "contact_import", "id": IMPORT, "status": "queued", "counts": counts}
    account = rollcall(contactImports=[{**queued, "created_at": "2026-04-16 08:00:00+00", "completed_at": None}])
    move = {"id": IMPORT, "total": 100}
    account.post("cues", when={"operation": "getContactImport", "nth": 2}, then=[{"moveImport": move}], times=2)
    seen = poll(account, 5)
    assert [it["status"] for it in seen] == ["queued", "in_progress", "completed"]
    assert [it["counts"]["total"] for it in seen] == [0, 100, 100]
    assert [it["fired"] for it in account.list("cues")] == [2]


def test_a_cursor_that_is_removed(rollcall):
    account = rollcall(automations=five())
    remove = {"collection": "automations", "ids": [id_of(4)]}
    account.post("cues", when={"cursor": id_of(4)}, then=[{"remove": remove}])
    assert read_all(account) == (NAMES, [])
    assert statuses(account) == [200, 404, 200, 200]


def test_a_429_midway(rollcall):
    account = rollcall(automations=five())
    limited = {"status": 429, "retryAfter": 7}
    account.post("cues", when={"operation": "listAutomations", "nth": 2}, then=[{"fail": limited}])
    assert read_all(account) == (NAMES, ["7"])
    assert statuses(account) == [200, 429, 200, 200]


def test_a_truncated_body(rollcall):
    account = rollcall(automations=five())
    account.post("faults", fault={"body": "cut"})
    with pytest.raises(IncompleteRead):
        read_all(account)
    assert read_all(account) == (NAMES, [])


@pytest.mark.parametrize("number", range(1, 21))
def test_in_parallel(rollcall, number):
    account = rollcall(automations=[automation(1, f"First of {number}")])
    account.post("faults", fault={"error": "rate_limit_exceeded", "retryAfter": number})
    remove = {"collection": "automations", "ids": [id_of(1)]}
    account.post("cues", when={"operation": "listAutomations", "nth": 3}, then=[{"remove": remove}])
    assert account.get("/automations")[1]["Retry-After"] == str(number)
    assert read_all(account) == ([f"First of {number}"], [])
    account.post("put", collection="automations", records=[automation(2, f"Second of {number}")])
    assert read_all(account) == ([f"Second of {number}"], [])
    assert statuses(account) == [429, 200, 200]
    assert [it["fired"] for it in account.list("cues")] == [1]
