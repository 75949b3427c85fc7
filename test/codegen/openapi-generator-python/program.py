from typing import Literal

from generated import ApiClient, ApiException, AutomationsApi, Configuration, ContactImportsApi, ContactPropertiesApi
from generated.models import AutomationList, AutomationStatus, Problem, ProblemName
from things import Failure, Page, do_things


class Client:
    def __init__(self, url: str, key: str) -> None:
        api = ApiClient(Configuration(host=url, access_token=key))
        self.automations_api = AutomationsApi(api)
        self.contact_imports_api = ContactImportsApi(api)
        self.contact_properties_api = ContactPropertiesApi(api)

    def first_page(self) -> Page:
        return page_of(self.automations_api.list_automations())

    def automations(self, limit: int, after: str | None, status: Literal["enabled"] | None) -> Page:
        return page_of(
            self.automations_api.list_automations(
                limit=limit,
                after=after,
                status=AutomationStatus(status) if status else None,
            )
        )

    def contact_import(self, id: str) -> tuple[int, str | None]:
        found = self.contact_imports_api.get_contact_import(id)
        return found.counts.created, found.completed_at

    def fallback_values(self) -> list[str | float | None]:
        properties = self.contact_properties_api.list_contact_properties().data
        values = [it.fallback_value for it in properties]
        return [None if it is None or isinstance(it.actual_instance, dict) else it.actual_instance for it in values]

    def failure(self, id: str) -> Failure[ProblemName]:
        try:
            found = self.contact_imports_api.get_contact_import(id)
        except ApiException as error:
            assert isinstance(error.data, Problem), error
            assert error.status is not None
            return Failure(error.status, error.data.status_code, error.data.name)
        raise AssertionError(found)


def page_of(found: AutomationList) -> Page:
    return Page(found.has_more, [it.id for it in found.data])


do_things(Client, ProblemName.NOT_FOUND, ProblemName.INVALID_API_KEY)
