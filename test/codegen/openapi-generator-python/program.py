from driver import Failed, Page, Query, drive
from generated import ApiClient, ApiException, AutomationsApi, Configuration, ContactImportsApi, ContactPropertiesApi
from generated.models import AutomationStatus, ContactImportStatus, ContactPropertyList, Problem, ProblemName
from urllib3.exceptions import HTTPError


class Client:
    def __init__(self, url: str, key: str) -> None:
        api = ApiClient(Configuration(host=url, access_token=key))
        self.automations_api = AutomationsApi(api)
        self.contact_imports_api = ContactImportsApi(api)
        self.contact_properties_api = ContactPropertiesApi(api)

    def automations(self, query: Query) -> Page:
        status = None if query.status is None else AutomationStatus(query.status)
        found = self.automations_api.list_automations(
            limit=query.limit, after=query.after, before=query.before, status=status
        )
        return Page(found.has_more, [it.id for it in found.data])

    def contact_properties(self, query: Query) -> Page:
        found = self.properties(query)
        return Page(found.has_more, [it.id for it in found.data])

    def contact_imports(self, query: Query) -> Page:
        status = None if query.status is None else ContactImportStatus(query.status)
        found = self.contact_imports_api.list_contact_imports(
            limit=query.limit, after=query.after, before=query.before, status=status
        )
        return Page(found.has_more, [it.id for it in found.data])

    def contact_import(self, id: str) -> dict[str, object]:
        return self.contact_imports_api.get_contact_import(id).to_dict()

    def fallback_values(self) -> list[str | float | None]:
        values = [it.fallback_value for it in self.properties(Query()).data]
        return [None if it is None or isinstance(it.actual_instance, dict) else it.actual_instance for it in values]

    def properties(self, query: Query) -> ContactPropertyList:
        return self.contact_properties_api.list_contact_properties(
            limit=query.limit, after=query.after, before=query.before
        )


def failure_of(error: Exception) -> Failed | None:
    if isinstance(error, ApiException):
        status, problem = error.status or 0, error.data
        if isinstance(problem, Problem) and problem.status_code == status:
            return Failed(status, problem.name.value)
        return Failed(status, "unreadable")
    if isinstance(error, HTTPError):
        return Failed(0, "network")
    # What parsing a body raises; pydantic's errors are of this type too.
    return Failed(0, "unreadable") if isinstance(error, ValueError) else None


_ = (ProblemName.NOT_FOUND, ProblemName.INVALID_API_KEY)  # The type checker compares them with the contract.
drive(Client, failure_of)
