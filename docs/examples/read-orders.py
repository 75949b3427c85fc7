# Reads the list of docs/examine.md: `rollcall examine orders.yaml -- python3 read-orders.py`
import json, os, urllib.parse, urllib.request

url, cursor = os.environ["ROLLCALL_URL"], None
params = dict(urllib.parse.parse_qsl(os.environ["ROLLCALL_PARAMS"]))
while True:
    query = urllib.parse.urlencode({**params, "limit": 5, **({"cursor": cursor} if cursor else {})})
    request = urllib.request.Request(f"{url}?{query}")
    request.add_unredirected_header("Authorization", "Bearer " + os.environ["ROLLCALL_API_KEY"])  # A redirect does not get it.
    page = json.load(urllib.request.urlopen(request, timeout=10))
    for item in page["orders"]:
        print(item["id"])
    cursor = page.get("next_cursor")
    if not cursor:
        break
