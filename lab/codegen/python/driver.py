"""The driver of a generated client: it runs one task of `rollcall examine`. A row's program says how, with its code."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True)
class Query:
    limit: int | None = None
    after: str | None = None
    before: str | None = None
    status: str | None = None


@dataclass(frozen=True)
class Page:
    has_more: bool
    ids: Sequence[str]


class Failed(Exception):
    """An error as the driver prints it. Status 0: nothing was received, or the client does not tell."""

    def __init__(self, status: int, name: str) -> None:
        super().__init__(f"error {status} {name}")


class Client(Protocol):
    def automations(self, query: Query) -> Page: ...

    def contact_properties(self, query: Query) -> Page: ...

    def contact_imports(self, query: Query) -> Page: ...

    def contact_import(self, id: str) -> dict[str, object]:
        """As it was received."""

    def fallback_values(self) -> Sequence[str | float | None]:
        """Of a page of contact properties: the one value of the contract that has several types."""


def drive(
    connect: Callable[[str, str], Client],
    failure_of: Callable[[Exception], Failed | None],
) -> None:
    """
    Runs the task of the command line.
    `connect` makes a client of an address and a key. `failure_of` says what an error of the client means; with None the
    program crashes with the error.
    """
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        run(connect(os.environ["ROLLCALL_BASE_URL"], os.environ["ROLLCALL_API_KEY"]))
    except Exception as error:
        failed = error if isinstance(error, Failed) else failure_of(error)
        if failed is None:
            raise
        print(failed)
        sys.exit(10)


def run(client: Client) -> None:
    parser = ArgumentParser()
    parser.add_argument("task")
    parser.add_argument("what", nargs="?", default="")
    parser.add_argument("--limit", type=int)
    for name in ("--status", "--after", "--before"):
        parser.add_argument(name)
    given = parser.parse_args()
    query = Query(given.limit, given.after, given.before, given.status)
    lists = {
        "automations": client.automations,
        "contact-properties": client.contact_properties,
        "contact-imports": client.contact_imports,
    }
    if given.task == "list" and given.what in lists:
        show(lists[given.what](query).ids)
    elif given.task == "list-all" and given.what in lists:
        list_all(lists[given.what], query)
    elif given.task == "get":
        print(json.dumps(client.contact_import(given.what), ensure_ascii=False))
    elif given.task == "fallback-values":  # A task of the matrix.
        show([json.dumps(it, ensure_ascii=False) for it in client.fallback_values()])
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


def show(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)
