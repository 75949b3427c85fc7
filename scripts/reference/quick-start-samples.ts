/** The code of the quick start that no single request of an operation has: a loop over all pages, and an error that is handled. */
import { curl, KEY_VARIABLE, literal, targetOf, typescriptWith } from '../../server/pages/assets/reference/samples.ts';
import type { Call, Samples, Sent } from '../../server/pages/assets/reference/samples.ts';
import { ORIGIN } from './markup.ts';

interface Iteration {
  readonly url: string;
  readonly path: string;
  readonly collection: string;
  /** The name of the parameter for the cursor. */
  readonly cursor: string;
  /** The id of the last item of the example page. */
  readonly last: string;
  readonly limit: Sent | undefined;
}

/** @returns code that prints each item of a list as a line of JSON. In curl, it is the request for one page. */
export function iterationSamples({ url, path, collection, cursor, last, limit }: Iteration): Samples {
  const sent = limit === undefined ? [] : [limit];
  const next = targetOf({ path, pathValues: [], query: [...sent, [cursor, last]] });
  const options = sent.map(([name, value]) => `{ ${name}: ${literal(value)} }`).join('');
  const first = sent.map(([name, value]) => `"${name}": ${String(value)}`).join('');
  const firstInGo = sent.map(([name, value]) => `"${name}": {"${String(value)}"}`).join('');
  return {
    curl: `# ${cursor} is the id of the last item of the previous page.\n${curl(ORIGIN + next)}`,
    TypeScript: typescriptWith(ORIGIN, [
      '// Requests further pages when they are needed.',
      `for await (const item of client.${collection}.list(${options})) {`,
      '  console.log(item);',
      '}',
    ]),
    Python: `import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

key = os.environ["${KEY_VARIABLE}"]
query = {${first}}
has_more = True
while has_more:
    request = Request(
        f"${url}?{urlencode(query)}",
        headers={"Authorization": f"Bearer {key}"},
    )
    with urlopen(request, timeout=10) as response:
        page = json.load(response)
    for item in page["data"]:
        print(json.dumps(item))
        query["${cursor}"] = item["id"]
    has_more = page["has_more"]`,
    Go: `package main

import (
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
)

type list struct {
	HasMore bool             \`json:"has_more"\`
	Data    []map[string]any \`json:"data"\`
}

func get(query url.Values) (page list, err error) {
	request, err := http.NewRequest("GET", "${url}?"+query.Encode(), nil)
	if err != nil {
		return page, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${KEY_VARIABLE}"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return page, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	err = json.NewDecoder(response.Body).Decode(&page)
	return page, err
}

func main() {
	query := url.Values{${firstInGo}}
	output := json.NewEncoder(os.Stdout)
	for hasMore := true; hasMore; {
		page, err := get(query)
		if err != nil {
			log.Fatal(err)
		}
		for _, item := range page.Data {
			output.Encode(item)
			query.Set("${cursor}", item["id"].(string))
		}
		hasMore = page.HasMore
	}
}`,
  };
}

/** @param call a request of a list that the server rejects. @returns code that prints the status and the body of the error. */
export function errorSamples(call: Call): Samples {
  const url = call.origin + targetOf(call);
  const options = call.query.map(([name, value]) => `${name}: ${literal(value)}`).join(', ');
  return {
    curl: curl(url),
    TypeScript: typescriptWith(
      call.origin,
      [
        'try {',
        `  await client.${call.client.collection ?? ''}.list({ ${options} });`,
        '} catch (error) {',
        '  if (!(error instanceof ApiError)) throw error;',
        '  console.log(error.problem);',
        '}',
      ],
      ['ApiError'],
    ),
    Python: `import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

key = os.environ["${KEY_VARIABLE}"]
request = Request(
    "${url}",
    headers={"Authorization": f"Bearer {key}"},
)
try:
    with urlopen(request, timeout=10) as response:
        page = json.load(response)
except HTTPError as error:
    problem = json.load(error)
    print(json.dumps(problem, indent=2))`,
    Go: `package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
)

type problem struct {
	StatusCode int    \`json:"statusCode"\`
	Name       string \`json:"name"\`
	Message    string \`json:"message"\`
}

func main() {
	request, err := http.NewRequest("GET", "${url}", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${KEY_VARIABLE}"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	if response.StatusCode != http.StatusOK {
		var body problem
		err := json.NewDecoder(response.Body).Decode(&body)
		if err != nil {
			log.Fatal(err)
		}
		json.NewEncoder(os.Stdout).Encode(body)
	}
}`,
  };
}
