import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["ROLLCALL_BASE_URL"] + "/v1", api_key=os.environ["ROLLCALL_API_KEY"])
for store in client.vector_stores.list(limit=5):
    print(store.id)
