/**
 * A request as code in each language. `npm run generate` renders the samples of the page with this module, and the page's script
 * renders them again for what was entered in a form. It therefore uses no DOM.
 */

export const LANGUAGES = ['curl', 'TypeScript', 'Python', 'Go'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Samples = Readonly<Record<Language, string>>;

/** The environment variable that the samples and the client read the API key from. */
export const KEY_VARIABLE = 'ROLLCALL_API_KEY';
const PACKAGE = '@rollcall/client';

/** A parameter and its value. A number is written without quotes. */
export type Sent = readonly [name: string, value: string | number];

/** The call of an operation in the client. */
export interface ClientCall {
  /** The name of the collection in the client; without it, the call is `GET`. */
  readonly collection?: string;
  readonly method: 'list' | 'get' | 'GET';
  /** The name of the variable for the result. */
  readonly result: string;
}

/** A request of one operation. */
export interface Call {
  readonly origin: string;
  /** The path of the operation, with names in braces. */
  readonly path: string;
  readonly client: ClientCall;
  readonly pathValues: readonly Sent[];
  readonly query: readonly Sent[];
  /** Headers in addition to the API key. */
  readonly headers: readonly Sent[];
}

export function samplesOf(call: Call): Samples {
  const url = call.origin + targetOf(call);
  return {
    curl: curl(url, call.headers),
    TypeScript: typescript(call),
    Python: python(url, call.headers),
    Go: go(url, call.headers),
  };
}

/** @returns the path and the query of a request. */
export function targetOf({ path, pathValues, query }: Pick<Call, 'path' | 'pathValues' | 'query'>): string {
  const filled = pathValues.reduce(
    (filledPath, [name, value]) => filledPath.replace(`{${name}}`, () => encode(value)),
    path,
  );
  const search = query.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

/** @returns a value for a URL. No character of it has a meaning inside double quotes, in any of the languages. */
const encode = (value: string | number): string =>
  encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @returns a string that TypeScript, Python and Go read alike. */
const doubleQuoted = (value: string | number): string => JSON.stringify(String(value));

export function curl(url: string, headers: readonly Sent[] = []): string {
  const more = headers.map(([name, value]) => `-H '${`${name}: ${String(value)}`.replaceAll("'", "'\\''")}'`);
  return [`curl "${url}"`, `-H "Authorization: Bearer $${KEY_VARIABLE}"`, ...more].join(' \\\n  ');
}

/** @param names the imports in addition to `createClient`. @param lines the code after the client. */
export function typescriptWith(origin: string, lines: readonly string[], names: readonly string[] = []): string {
  return [
    `import { ${[...names, 'createClient'].join(', ')} } from '${PACKAGE}';`,
    '',
    `// The client reads ${KEY_VARIABLE}.`,
    `const client = createClient({ baseUrl: '${origin}' });`,
    '',
    ...lines,
  ].join('\n');
}

function typescript({ origin, path, client, pathValues, query, headers }: Call): string {
  const { collection = '', method, result } = client;
  if (method === 'list') {
    const options = objectOf([...propertiesOf(query), ...inner('headers', headers)]);
    return typescriptWith(origin, [
      `const ${result} = await client.${collection}.list(${options});`,
      `console.log(${result}.data);`,
    ]);
  }
  if (method === 'get') {
    const values = [...pathValues.map(([, value]) => literal(String(value))), objectOf(inner('headers', headers))];
    const call = `client.${collection}.get(${values.filter(Boolean).join(', ')})`;
    return typescriptWith(origin, [`const ${result} = await ${call};`, `console.log(${result});`]);
  }
  const params = inner(
    'params',
    [],
    [...inner('path', pathValues), ...inner('query', query), ...inner('header', headers)],
  );
  const call = `client.GET(${[literal(path), objectOf(params)].filter(Boolean).join(', ')})`;
  return typescriptWith(origin, [`const { data } = await ${call};`, 'console.log(data);']);
}

/** @returns a property whose value is an object; none if the object would be empty. */
function inner(name: string, sent: readonly Sent[], more: readonly string[] = []): readonly string[] {
  const value = objectOf([...propertiesOf(sent), ...more]);
  return value === '' ? [] : [`${name}: ${value}`];
}
const propertiesOf = (sent: readonly Sent[]): readonly string[] =>
  sent.map(([name, value]) => `${/^[a-z]\w*$/i.test(name) ? name : literal(name)}: ${literal(value)}`);
const objectOf = (properties: readonly string[]): string =>
  properties.length === 0 ? '' : `{ ${properties.join(', ')} }`;

/** @returns a value as TypeScript. */
export const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll(/['\\]/g, '\\$&')}'`;

/** Uses only modules of the standard library, so that nothing needs to be installed. */
function python(url: string, headers: readonly Sent[]): string {
  const more = headers.map(([name, value]) => `        ${doubleQuoted(name)}: ${doubleQuoted(value)},\n`);
  return `import json
import os
from urllib.request import Request, urlopen

key = os.environ["${KEY_VARIABLE}"]
request = Request(
    "${url}",
    headers={
        "Authorization": f"Bearer {key}",
${more.join('')}    },
)
with urlopen(request, timeout=10) as response:
    body = json.load(response)

print(json.dumps(body, indent=2))`;
}

/** Uses only packages of the standard library. Its formatting is that of gofmt. */
function go(url: string, headers: readonly Sent[]): string {
  const more = headers.map(([name, value]) => `\n\trequest.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})`);
  return `package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", "${url}", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${KEY_VARIABLE}"))${more.join('')}

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}

	var body map[string]any
	err = json.NewDecoder(response.Body).Decode(&body)
	if err != nil {
		log.Fatal(err)
	}
	output := json.NewEncoder(os.Stdout)
	output.SetIndent("", "  ")
	output.Encode(body)
}`;
}
