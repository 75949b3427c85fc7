"""Prints each item of the list that the command line names, with the generated client. An error ends it with a code that is not 0."""

import json
import os
import sys
from urllib.parse import parse_qs

from generated import AuthenticatedClient
from generated.api.automations import list_automations
from generated.api.contact_imports import list_contact_imports
from generated.api.contact_properties import list_contact_properties
from generated.models import (
    AutomationList,
    AutomationStatus,
    ContactImportList,
    ContactImportStatus,
    ContactPropertyList,
)
from generated.types import UNSET, Unset

LIMIT = 7
client = AuthenticatedClient(base_url=os.environ["ROLLCALL_BASE_URL"], token=os.environ["ROLLCALL_API_KEY"])
params = parse_qs(os.environ.get("ROLLCALL_PARAMS", ""))
status: str | Unset = params["status"][0] if "status" in params else UNSET


def read(name: str, after: str | Unset) -> AutomationList | ContactImportList | ContactPropertyList:
    response: object
    if name == "automations":
        wanted = UNSET if isinstance(status, Unset) else AutomationStatus(status)
        response = list_automations.sync(client=client, limit=LIMIT, after=after, status=wanted)
    elif name == "contact-imports":
        chosen = UNSET if isinstance(status, Unset) else ContactImportStatus(status)
        response = list_contact_imports.sync(client=client, limit=LIMIT, after=after, status=chosen)
    else:
        response = list_contact_properties.sync(client=client, limit=LIMIT, after=after)
    # An error of the API, or nothing, if the status is not in the contract.
    if not isinstance(response, AutomationList | ContactImportList | ContactPropertyList):
        raise RuntimeError(response)
    return response


sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
after: str | Unset = UNSET
while True:
    page = read(sys.argv[1], after)
    for item in page.data:
        print(json.dumps(item.to_dict(), ensure_ascii=False))
    if not page.has_more:
        break
    if not page.data or page.data[-1].id == after:  # Instead of a loop without an end.
        raise RuntimeError("the list does not go on")
    after = page.data[-1].id
