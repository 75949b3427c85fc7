import asyncio
import os

from slack_sdk.web.async_client import AsyncWebClient  # The other one sends POST.


async def main() -> None:
    client = AsyncWebClient(os.environ["ROLLCALL_API_KEY"], base_url=os.environ["ROLLCALL_BASE_URL"] + "/api/")
    async for page in await client.api_call("users.list", http_verb="GET", params={"limit": 5}):
        print(*(member["id"] for member in page["members"]), sep="\n")


asyncio.run(main())
