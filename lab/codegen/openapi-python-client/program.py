from json import JSONDecodeError
from typing import TypeVar

from driver import Failed, Page, Query, drive
from generated import AuthenticatedClient
from generated.api.automations import list_automations
from generated.api.contact_imports import get_contact_import, list_contact_imports
from generated.api.contact_properties import list_contact_properties
from generated.models import (
    AutomationList,
    AutomationStatus,
    ContactImport,
    ContactImportList,
    ContactImportStatus,
    ContactPropertyList,
    Problem,
    ProblemName,
)
from generated.types import UNSET, Response, Unset
from httpx import TransportError

T = TypeVar("T")


class Client:
    def __init__(self, url: str, key: str) -> None:
        self.client = AuthenticatedClient(base_url=url, token=key)

    def automations(self, query: Query) -> Page:
        response = list_automations.sync_detailed(
            client=self.client,
            limit=given(query.limit),
            after=given(query.after),
            before=given(query.before),
            status=UNSET if query.status is None else AutomationStatus(query.status),
        )
        found = result(response)
        assert isinstance(found, AutomationList), found
        return Page(found.has_more, [it.id for it in found.data])

    def contact_properties(self, query: Query) -> Page:
        found = self.properties(query)
        return Page(found.has_more, [it.id for it in found.data])

    def contact_imports(self, query: Query) -> Page:
        response = list_contact_imports.sync_detailed(
            client=self.client,
            limit=given(query.limit),
            after=given(query.after),
            before=given(query.before),
            status=UNSET if query.status is None else ContactImportStatus(query.status),
        )
        found = result(response)
        assert isinstance(found, ContactImportList), found
        return Page(found.has_more, [it.id for it in found.data])

    def contact_import(self, id: str) -> dict[str, object]:
        found = result(get_contact_import.sync_detailed(id, client=self.client))
        assert isinstance(found, ContactImport), found
        return found.to_dict()

    def fallback_values(self) -> list[str | float | None]:
        return [it.fallback_value for it in self.properties(Query()).data]

    def properties(self, query: Query) -> ContactPropertyList:
        response = list_contact_properties.sync_detailed(
            client=self.client, limit=given(query.limit), after=given(query.after), before=given(query.before)
        )
        found = result(response)
        assert isinstance(found, ContactPropertyList), found
        return found


def given(value: T | None) -> T | Unset:
    return UNSET if value is None else value


def result(response: Response[object]) -> object:
    """What a response was parsed to. Nothing, if its status is not in the contract."""
    if isinstance(response.parsed, Problem):
        raise failed(response.status_code, response.parsed.status_code, response.parsed.name)
    if response.status_code != 200:
        raise Failed(response.status_code, "unreadable")
    return response.parsed


def failed(status: int, status_in_body: int, name: ProblemName) -> Failed:
    return Failed(status, name.value if status == status_in_body else "unreadable")


def failure_of(error: Exception) -> Failed | None:
    if isinstance(error, TransportError):
        return Failed(0, "network")
    # What parsing a body raises.
    if isinstance(error, (JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError, AttributeError)):
        return Failed(0, "unreadable")
    return None


_ = (ProblemName.NOT_FOUND, ProblemName.INVALID_API_KEY)  # The type checker compares them with the contract.
drive(Client, failure_of)
