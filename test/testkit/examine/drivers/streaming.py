#!/usr/bin/env python3
"""A driver in Python on one connection of http.client. It prints the ids of a page as they arrive, and makes typed records of imports."""

import dataclasses
import datetime
import http.client
import json
import os
import re
import sys
import urllib.parse

PATHS = {
    "automations": "/automations",
    "contact-properties": "/contact-properties",
    "contact-imports": "/contacts/imports",
}


class ApiError(Exception):
    pass


class Connection:
    def __init__(self):
        base = urllib.parse.urlsplit(os.environ["ROLLCALL_BASE_URL"])
        self.prefix = base.path.rstrip("/")
        self.http = http.client.HTTPConnection(base.hostname, base.port, timeout=10)

    def get(self, path, query=()):
        target = self.prefix + path + ("?" + urllib.parse.urlencode(query) if query else "")
        try:
            self.http.request("GET", target, headers={"Authorization": "Bearer " + os.environ["ROLLCALL_API_KEY"]})
            response = self.http.getresponse()
        except (OSError, http.client.HTTPException):
            raise ApiError("error 0 network") from None
        try:
            body = json.loads(response.read())
            if response.status == 200:
                return body
            name = body["name"]
        except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
            name = "unreadable"
        raise ApiError(f"error {response.status} {name}")


def instant(text):
    """Returns a timestamp in UTC, in the format of RFC 3339."""
    if text is None:
        return None
    date, time, fraction, sign, hours, minutes = re.fullmatch(
        r"(\S+) ([\d:]+)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?", text
    ).groups()
    offset = datetime.timedelta(hours=int(hours), minutes=int(minutes or 0))
    local = datetime.datetime.fromisoformat(f"{date} {time}")
    utc = local - offset if sign == "+" else local + offset
    return utc.isoformat() + (f".{fraction}" if fraction else "") + "Z"


@dataclasses.dataclass
class ContactImport:
    id: str
    object: str
    status: str
    counts: dict
    created_at: str
    completed_at: str

    @classmethod
    def parse(cls, body):
        known = {field.name: body[field.name] for field in dataclasses.fields(cls)}
        return cls(**{**known, "created_at": instant(body["created_at"]), "completed_at": instant(body["completed_at"])})


def print_list(connection, path, options, task):
    direction = "before" if "before" in options else "after"
    while True:
        page = connection.get(path, options)
        items = page["data"] if direction == "after" else page["data"][::-1]
        for item in items:
            print(json.dumps(item, ensure_ascii=False) if task == "records" else item["id"], flush=True)
        if task != "list-all" or not page["has_more"]:
            return
        if not items or items[-1]["id"] == options.get(direction):
            raise ApiError("error 200 unreadable")  # The server does not move on.
        options[direction] = items[-1]["id"]


def main(task, name, *flags):
    connection = Connection()
    if task == "get":
        body = connection.get("/contacts/imports/" + urllib.parse.quote(name, safe=""))
        print(json.dumps(dataclasses.asdict(ContactImport.parse(body)), ensure_ascii=False))
    elif name in PATHS:
        options = {flag[2:]: value for flag, value in zip(flags[::2], flags[1::2])}
        print_list(connection, PATHS[name], options, task)
    else:
        print("unsupported")


try:
    main(*sys.argv[1:])
except ApiError as error:
    print(error)
    sys.exit(10)
