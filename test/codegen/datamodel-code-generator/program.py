from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from driver import Failed, Page, Query, drive
from generated import AutomationList, ContactImport, ContactImportList, ContactPropertyList, Problem, ProblemName
from pydantic import ValidationError


class Client:
    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {key}"}

    def get(self, path: str, query: Query = Query()) -> bytes:
        given = urlencode({name: value for name, value in vars(query).items() if value is not None})
        with urlopen(Request(f"{self.url}{path}?{given}", headers=self.headers)) as response:
            body: bytes = response.read()
            return body

    def automations(self, query: Query) -> Page:
        found = AutomationList.model_validate_json(self.get("/automations", query))
        return Page(found.has_more, [it.id for it in found.data])

    def contact_properties(self, query: Query) -> Page:
        found = ContactPropertyList.model_validate_json(self.get("/contact-properties", query))
        return Page(found.has_more, [it.id for it in found.data])

    def contact_imports(self, query: Query) -> Page:
        found = ContactImportList.model_validate_json(self.get("/contacts/imports", query))
        return Page(found.has_more, [it.id for it in found.data])

    def contact_import(self, id: str) -> dict[str, object]:
        found = ContactImport.model_validate_json(self.get(f"/contacts/imports/{quote(id, safe='')}"))
        return found.model_dump(mode="json")

    def fallback_values(self) -> list[str | float | None]:
        found = ContactPropertyList.model_validate_json(self.get("/contact-properties"))
        return [None if it.fallback_value is None else it.fallback_value.root for it in found.data]


def failure_of(error: Exception) -> Failed | None:
    if isinstance(error, HTTPError):
        try:
            problem = Problem.model_validate_json(error.read())
        except (ValidationError, HTTPException):
            return Failed(error.code, "unreadable")
        return Failed(error.code, problem.name.value if problem.statusCode == error.code else "unreadable")
    if isinstance(error, (URLError, HTTPException, OSError)):
        return Failed(0, "network")
    # `urlopen` raises for every status but 2xx.
    return Failed(200, "unreadable") if isinstance(error, ValidationError) else None


_ = (ProblemName.not_found, ProblemName.invalid_api_key)  # The type checker compares them with the contract.
drive(Client, failure_of)
