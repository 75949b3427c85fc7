#!/usr/bin/env python3
"""A driver in Python, on the standard library: three retries, which obey Retry-After."""

import argparse
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PATHS = {
    "automations": "/automations",
    "contact-properties": "/contact-properties",
    "contact-imports": "/contacts/imports",
}


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """urllib would send the key to wherever a redirect leads."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


class ApiError(Exception):
    def __init__(self, status, name):
        super().__init__(f"error {status} {name}")
        self.status = status


def send(path):
    """Returns status, headers and body; status 0 without a response, and a body of None if it was cut off."""
    request = urllib.request.Request(os.environ["ROLLCALL_BASE_URL"] + path)
    if os.environ.get("ROLLCALL_API_KEY"):
        request.add_header("Authorization", "Bearer " + os.environ["ROLLCALL_API_KEY"])
    try:
        try:
            response = OPENER.open(request, timeout=10)
        except urllib.error.HTTPError as error:
            response = error
    except (OSError, http.client.HTTPException):
        return 0, {}, None
    try:
        with response:
            return response.status, response.headers, response.read()
    except (OSError, http.client.HTTPException):
        return response.status, response.headers, None


def get(path):
    for attempt in range(4):
        status, headers, body = send(path)
        if status not in (0, 429, 500, 502, 503, 504) or attempt == 3:
            break
        try:
            delay = float(headers.get("Retry-After", ""))
        except ValueError:
            delay = 0.05 * 2**attempt
        if delay > 5:
            break
        time.sleep(delay)
    if status == 0:
        raise ApiError(0, "network")
    try:
        value = json.loads(body)
        if status == 200:
            return value
        name = value["name"]
    except (TypeError, ValueError, KeyError):
        raise ApiError(status, "unreadable") from None
    raise ApiError(status, name)


def pages(path, query):
    direction = "before" if "before" in query else "after"
    while True:
        page = get(path + "?" + urllib.parse.urlencode(query))
        yield page["data"]
        if not page["has_more"]:
            return
        cursor = page["data"][0 if direction == "before" else -1]["id"]
        if cursor == query.get(direction):
            raise ApiError(200, "unreadable")  # The server does not move on.
        query[direction] = cursor


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("task")
    parser.add_argument("name")
    for option in ("limit", "status", "after", "before"):
        parser.add_argument("--" + option, default=None)
    options = vars(parser.parse_args())
    task, name = options.pop("task"), options.pop("name")
    query = {key: value for key, value in options.items() if value is not None}
    if task == "get":
        print(json.dumps(get("/contacts/imports/" + urllib.parse.quote(name, safe=""))))
    elif name in PATHS:
        for items in pages(PATHS[name], query):
            for item in items:
                print(json.dumps(item) if task == "records" else item["id"])
            if task != "list-all":
                break
    else:
        print("unsupported")


try:
    main()
except ApiError as error:
    print(error)
    sys.exit(10)
