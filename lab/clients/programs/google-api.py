import os

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build

options = {"api_endpoint": os.environ["ROLLCALL_BASE_URL"] + "/drive/v3/"}
files = build("drive", "v3", credentials=Credentials(os.environ["ROLLCALL_API_KEY"]), client_options=options).files()
request = files.list(pageSize=5)
while request is not None:
    page = request.execute()
    print(*(file["id"] for file in page.get("files", [])), sep="\n")
    request = files.list_next(request, page)
