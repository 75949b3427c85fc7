from typing import Literal
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from generated import AutomationList, ContactImport, ContactPropertyList, Problem, ProblemName
from things import Failure, Page, do_things


class Client:
    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {key}"}

    def ask(self, path: str, **query: str | int | None) -> bytes:
        given = urlencode({name: value for name, value in query.items() if value is not None})
        with urlopen(Request(f"{self.url}{path}?{given}", headers=self.headers)) as response:
            body: bytes = response.read()
            return body

    def first_page(self) -> Page:
        return page_of(self.ask("/automations"))

    def automations(self, limit: int, after: str | None, status: Literal["enabled"] | None) -> Page:
        return page_of(self.ask("/automations", limit=limit, after=after, status=status))

    def contact_import(self, id: str) -> tuple[int, str | None]:
        found = ContactImport.model_validate_json(self.ask(f"/contacts/imports/{id}"))
        return found.counts.created, None if found.completed_at is None else found.completed_at.root

    def fallback_values(self) -> list[str | float | None]:
        properties = ContactPropertyList.model_validate_json(self.ask("/contact-properties")).data
        return [None if it.fallback_value is None else it.fallback_value.root for it in properties]

    def failure(self, id: str) -> Failure[ProblemName]:
        try:
            found = self.ask(f"/contacts/imports/{id}")
        except HTTPError as error:
            problem = Problem.model_validate_json(error.read())
            return Failure(error.code, problem.statusCode, problem.name)
        raise AssertionError(found)


def page_of(body: bytes) -> Page:
    found = AutomationList.model_validate_json(body)
    return Page(found.has_more, [it.id for it in found.data])


do_things(Client, ProblemName.not_found, ProblemName.invalid_api_key)
