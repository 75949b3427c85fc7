"""The driver of the generated client: it runs one task of `rollcall examine`."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from json import JSONDecodeError
from typing import TypeVar

from generated import AuthenticatedClient
from generated.api.automations import list_automations
from generated.api.contact_imports import get_contact_import, list_contact_imports
from generated.api.contact_properties import list_contact_properties
from generated.models import (
    Automation,
    AutomationList,
    AutomationStatus,
    ContactImport,
    ContactImportList,
    ContactImportStatus,
    ContactProperty,
    ContactPropertyList,
    Problem,
)
from generated.types import UNSET, Response, Unset
from httpx import TransportError

T = TypeVar("T")


@dataclass(frozen=True)
class Query:
    limit: int | Unset
    after: str | Unset
    before: str | Unset
    status: str | Unset


@dataclass(frozen=True)
class Page:
    has_more: bool
    items: Sequence[Automation | ContactProperty | ContactImport]

    @property
    def ids(self) -> Sequence[str]:
        return [item.id for item in self.items]


class Failed(Exception):
    """An error as the driver prints it. Status 0: nothing was received, or the client does not tell."""

    def __init__(self, status: int, name: str) -> None:
        super().__init__(f"error {status} {name}")


def result(response: Response[object], kind: type[T]) -> T:
    """What a response was parsed to. Nothing, if its status is not in the contract."""
    status, found = response.status_code, response.parsed
    if isinstance(found, Problem):
        raise Failed(status, found.name.value if found.status_code == status else "unreadable")
    if status != 200:
        raise Failed(status, "unreadable")
    assert isinstance(found, kind), found
    return found


def automations(client: AuthenticatedClient, query: Query) -> Page:
    status = UNSET if isinstance(query.status, Unset) else AutomationStatus(query.status)
    response = list_automations.sync_detailed(
        client=client, limit=query.limit, after=query.after, before=query.before, status=status
    )
    found = result(response, AutomationList)
    return Page(found.has_more, found.data)


def contact_imports(client: AuthenticatedClient, query: Query) -> Page:
    status = UNSET if isinstance(query.status, Unset) else ContactImportStatus(query.status)
    response = list_contact_imports.sync_detailed(
        client=client, limit=query.limit, after=query.after, before=query.before, status=status
    )
    found = result(response, ContactImportList)
    return Page(found.has_more, found.data)


def contact_properties(client: AuthenticatedClient, query: Query) -> Page:
    response = list_contact_properties.sync_detailed(
        client=client, limit=query.limit, after=query.after, before=query.before
    )
    found = result(response, ContactPropertyList)
    return Page(found.has_more, found.data)


LISTS: dict[str, Callable[[AuthenticatedClient, Query], Page]] = {
    "automations": automations,
    "contact-properties": contact_properties,
    "contact-imports": contact_imports,
}


def run(client: AuthenticatedClient) -> None:
    parser = ArgumentParser()
    parser.add_argument("task")
    parser.add_argument("what", nargs="?", default="")
    parser.add_argument("--limit", type=int, default=UNSET)
    for name in ("--status", "--after", "--before"):
        parser.add_argument(name, default=UNSET)
    given = parser.parse_args()
    query = Query(given.limit, given.after, given.before, given.status)
    if given.task == "list":
        show(LISTS[given.what](client, query).ids)
    elif given.task == "list-all":
        list_all(lambda query: LISTS[given.what](client, query), query)
    elif given.task == "get":
        found = result(get_contact_import.sync_detailed(given.what, client=client), ContactImport)
        show([record(found)])
    elif given.task == "records":
        show([record(item) for item in LISTS[given.what](client, query).items])
    else:
        print("unsupported")


def list_all(list_page: Callable[[Query], Page], query: Query) -> None:
    while True:
        page = list_page(query)
        show(page.ids)
        if not page.has_more:
            return
        cursor = query.before or query.after
        following = (page.ids[0] if query.before else page.ids[-1]) if page.ids else cursor
        if following == cursor:  # A server that does not move on must not keep the program for ever.
            raise Failed(200, "unreadable")
        query = replace(query, before=following) if query.before else replace(query, after=following)


def record(item: Automation | ContactProperty | ContactImport) -> str:
    return json.dumps(item.to_dict(), ensure_ascii=False)


def show(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)


def failure_of(error: Exception) -> Failed | None:
    if isinstance(error, Failed):
        return error
    if isinstance(error, TransportError):
        return Failed(0, "network")
    # What parsing a body raises.
    if isinstance(error, (JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError, AttributeError)):
        return Failed(0, "unreadable")
    return None


sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
try:
    run(AuthenticatedClient(base_url=os.environ["ROLLCALL_BASE_URL"], token=os.environ["ROLLCALL_API_KEY"]))
except Exception as error:
    failed = failure_of(error)
    if failed is None:
        raise
    print(failed)
    sys.exit(10)
