"""A suite of a team that writes Python. What it tests is `read_all`, which stands for the team's own client."""

import json
import re
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

OPENER = build_opener(ProxyHandler({}))


def get(account, target):
    """Returns status, headers and body."""
    request = Request(account.url + target, headers={"Authorization": f"Bearer {account.key}"})
    try:
        response = OPENER.open(request, timeout=60)
    except HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, json.loads(response.read())


def read_all(account):
    """Reads the whole list, page by page. Returns the names, and the seconds that it was told to wait."""
    names, waits, page = [], [], []
    while True:
        after = f"&after={page[-1]['id']}" if page else ""
        status, headers, body = get(account, f"/automations?limit=2{after}")
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


def five(rollcall):
    return [rollcall.automation() for _ in range(5)]


def names_of(records):
    return [it["name"] for it in records]


def statuses(account):
    return [it["status"] for it in account.requests()]


@pytest.mark.parametrize("status", ["queued", "in_progress", "completed", "failed"])
def test_the_api_returns_what_was_built(rollcall, status):
    automation = rollcall.automation(status="disabled")
    properties = [rollcall.contact_property(), rollcall.contact_property("number"), rollcall.contact_property("number", fallback_value=3)]
    imported = rollcall.contact_import(status)
    account = rollcall.account(automations=[automation], contactProperties=properties, contactImports=[imported])
    assert get(account, "/automations")[2]["data"] == [automation]
    assert get(account, "/contact-properties")[2]["data"] == properties
    assert get(account, f"/contacts/imports/{imported['id']}")[2] == imported


def test_a_cursor_that_is_removed(rollcall):
    automations = five(rollcall)
    account = rollcall.account(automations=automations)
    cue = account.scenario("cursor-removed", limit=2)
    assert read_all(account) == (names_of(automations), [])
    assert statuses(account) == [200, 404, 200, 200]
    assert cue.fired == 1


def test_a_429_midway(rollcall):
    automations = five(rollcall)
    account = rollcall.account(automations=automations)
    account.cue({"operation": "listAutomations", "nth": 2}, [{"fail": {"status": 429, "retryAfter": 7}}])
    assert read_all(account) == (names_of(automations), ["7"])
    assert statuses(account) == [200, 429, 200, 200]
    assert len(account.requests("status=429")) == 1


def test_a_mistake_is_named(rollcall):
    account = rollcall.account()
    with pytest.raises(AssertionError, match="requires 3 automations"):
        account.scenario("cursor-removed")


def test_an_action_that_fails(rollcall):
    account = rollcall.account()
    id = rollcall.contact_import("queued")["id"]
    cue = account.cue({"nth": 1}, [{"moveImport": {"id": id}}])
    assert cue.fired == 0
    assert repr(cue) == f"Cue(1, when={{'nth': 1}}, then=[{{'moveImport': {{'id': '{id}'}}}}])"
    assert read_all(account) == ([], [])
    error = f"There is no contact import {id}."
    assert cue.errors == [error]
    with pytest.raises(AssertionError, match=re.escape(f"{cue} has fired, but its actions failed: {error}")):
        cue.fired


def test_an_outage_without_end(rollcall):
    account = rollcall.account()
    account.fail(status=503, always=True)
    assert [get(account, "/automations")[0] for _ in range(3)] == [503, 503, 503]


@pytest.mark.parametrize("number", range(1, 21))
def test_in_parallel(rollcall, number):
    first, second = rollcall.automation(name=f"First of {number}"), rollcall.automation(name=f"Second of {number}")
    account = rollcall.account(automations=[first])
    account.fail(error="rate_limit_exceeded", retryAfter=number)
    remove = {"collection": "automations", "ids": [first["id"]]}
    cue = account.cue({"operation": "listAutomations", "nth": 3}, [{"remove": remove}])
    assert read_all(account) == ([first["name"]], [str(number)])
    account.post("put", collection="automations", records=[second])
    assert read_all(account) == ([second["name"]], [])
    assert statuses(account) == [429, 200, 200]
    assert cue.fired == 1
