import os

from slack_sdk import WebClient

client = WebClient(os.environ["ROLLCALL_API_KEY"], base_url=os.environ["ROLLCALL_BASE_URL"] + "/api/")
# `users_list` sends POST, which the server of `examine` does not take.
for page in client.api_call("users.list", http_verb="GET", params={"limit": 5}):
    for member in page["members"]:
        print(member["id"])
