"""The seven things that every generated client has to do. A row's program says how, with its generated code."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, Protocol, TypeVar

Name = TypeVar("Name")
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class Page:
    has_more: bool
    ids: list[str]


@dataclass(frozen=True)
class Failure(Generic[Name]):
    status: int
    status_in_body: int
    name: Name


class Client(Protocol[Name]):
    def automations(self, limit: int, after: str | None, status: Literal["enabled"] | None) -> Page: ...

    def first_page(self) -> Page: ...

    def contact_import(self, id: str) -> tuple[int, str | None]:
        """How many it created, and when it was completed."""

    def fallback_values(self) -> list[str | float | None]:
        """Of all contact properties, in their order."""

    def failure(self, id: str) -> Failure[Name]:
        """How looking up a contact import fails. Raises if it does not."""


def check(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"{what}: found {found!r}, expected {expected!r}")


def walk(client: Client[Name], status: Literal["enabled"] | None) -> list[str]:
    ids: list[str] = []
    more = True
    while more:
        page = client.automations(100, ids[-1] if ids else None, status)
        ids += page.ids
        more = page.has_more
    check("items answered twice", len(ids) - len(set(ids)), 0)
    return ids


def do_things(connect: Callable[[str, str], Client[Name]], not_found: Name, invalid_api_key: Name) -> None:
    """Does them with clients that `connect` makes of an address and a key."""
    url, key = os.environ["ROLLCALL_URL"], os.environ["ROLLCALL_API_KEY"]
    expected = json.loads(Path(os.environ["EXPECTED"]).read_text())
    client = connect(url, key)
    check("first automation", client.first_page().ids[0], expected["firstAutomationId"])
    check("automations", len(walk(client, None)), expected["automations"])
    check("enabled automations", len(walk(client, "enabled")), expected["enabled"])
    check("contact import", client.contact_import(expected["importId"]), (expected["importCreated"], None))
    check("fallback values", client.fallback_values(), expected["fallbackValues"])
    check("unknown import", client.failure(UNKNOWN_ID), Failure(404, 404, not_found))
    check("wrong key", connect(url, key + "x").failure(UNKNOWN_ID), Failure(401, 401, invalid_api_key))
