# Reads the list of docs/examine.md, with curl and jq: `rollcall examine orders.yaml -- sh read-orders.sh`
cursor=''
while :; do
  page=$(curl -fsS -G -H "Authorization: Bearer $ROLLCALL_API_KEY" "$ROLLCALL_URL" -d limit=5 ${cursor:+--data-urlencode "cursor=$cursor"}) || exit 1
  [ "$(printf '%s' "$page" | jq -r '.orders | type')" = array ] || exit 1 # An empty body, or the page of a proxy.
  printf '%s' "$page" | jq -r '.orders[].id'
  cursor=$(printf '%s' "$page" | jq -r '.next_cursor // ""')
  [ -n "$cursor" ] || exit 0
done
