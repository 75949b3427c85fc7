from typing import Literal

from generated import AuthenticatedClient
from generated.api.automations import list_automations
from generated.api.contact_imports import get_contact_import
from generated.api.contact_properties import list_contact_properties
from generated.models import (
    AutomationList,
    AutomationStatus,
    ContactImport,
    ContactPropertyList,
    Problem,
    ProblemName,
)
from generated.types import UNSET
from things import Failure, Page, do_things


class Client:
    def __init__(self, url: str, key: str) -> None:
        self.client = AuthenticatedClient(base_url=url, token=key)

    def first_page(self) -> Page:
        return page_of(list_automations.sync(client=self.client))

    def automations(self, limit: int, after: str | None, status: Literal["enabled"] | None) -> Page:
        return page_of(
            list_automations.sync(
                client=self.client,
                limit=limit,
                after=after or UNSET,
                status=AutomationStatus(status) if status else UNSET,
            )
        )

    def contact_import(self, id: str) -> tuple[int, str | None]:
        found = get_contact_import.sync(id, client=self.client)
        assert isinstance(found, ContactImport), found
        return found.counts.created, found.completed_at

    def fallback_values(self) -> list[str | float | None]:
        properties = list_contact_properties.sync(client=self.client)
        assert isinstance(properties, ContactPropertyList), properties
        return [it.fallback_value for it in properties.data]

    def failure(self, id: str) -> Failure[ProblemName]:
        response = get_contact_import.sync_detailed(id, client=self.client)
        assert isinstance(response.parsed, Problem), response
        return Failure(response.status_code, response.parsed.status_code, response.parsed.name)


def page_of(found: object) -> Page:
    assert isinstance(found, AutomationList), found
    return Page(found.has_more, [it.id for it in found.data])


do_things(Client, ProblemName.NOT_FOUND, ProblemName.INVALID_API_KEY)
