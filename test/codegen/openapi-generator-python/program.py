from typing import Literal
from uuid import UUID

from generated import ApiClient, ApiException, AutomationsApi, Configuration, ContactImportsApi, ContactPropertiesApi
from generated.models import AutomationList, AutomationStatus, Problem, ProblemName
from six_things import Failure, Page, check, do_six_things


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
                after=UUID(after) if after else None,
                status=AutomationStatus(status) if status else None,
            )
        )

    def contact_import(self, id: str) -> tuple[int, str | None]:
        properties = self.contact_properties_api.list_contact_properties().data
        values = {it.fallback_value and it.fallback_value.actual_instance for it in properties}
        check("fallback values", values, {"friend", 12.5, None})
        found = self.contact_imports_api.get_contact_import(UUID(id))
        return found.counts.created, found.completed_at

    def failure(self, id: str) -> Failure[ProblemName]:
        try:
            found = self.contact_imports_api.get_contact_import(UUID(id))
        except ApiException as error:
            assert isinstance(error.data, Problem), error
            assert error.status is not None
            return Failure(error.status, error.data.status_code, error.data.name)
        raise AssertionError(found)


def page_of(found: AutomationList) -> Page:
    return Page(found.has_more, [str(it.id) for it in found.data])


do_six_things(Client, ProblemName.NOT_FOUND, ProblemName.INVALID_API_KEY)
