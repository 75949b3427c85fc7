import os

from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.auth import BearerTokenAuth
from dlt.sources.helpers.rest_client.paginators import HeaderLinkPaginator

auth = BearerTokenAuth(os.environ["ROLLCALL_API_KEY"])
client = RESTClient(os.environ["ROLLCALL_BASE_URL"], auth=auth, paginator=HeaderLinkPaginator())
for page in client.paginate("/user/repos", params={"per_page": 5}):
    for repository in page:
        print(repository["id"])
