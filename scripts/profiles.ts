/** The profiles of this contract's lists, for `audit` and `fake`: what a list promises comes from `openapi.yaml`. */
import { stringify } from 'yaml';
import { formatted } from './write-files.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
/** The contract, with its references resolved. */
export interface Dereferenced {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

const POSITIONS = ['limit', 'after', 'before'];
type Item = Readonly<Record<string, unknown>>;

/** Forms that the contract allows besides that of the example, for whatever items have such properties. */
const FORMS: readonly ((item: Item) => Item)[] = [
  (item) => item,
  (item) => ({
    ...item,
    created_at: String(item['created_at']).replace(/(\.\d+)?\+00$/, '.5-03:30'),
    ...queued(item),
  }),
  (item) => ({
    ...item,
    created_at: String(item['created_at']).replace(/(\.\d+)?\+00$/, '+00:00'),
    ...unknown(item),
  }),
];
function queued(item: Item): Item {
  if ('fallback_value' in item) return { type: 'number', fallback_value: 2.5 };
  if (!('counts' in item)) return {};
  const counts = Object.fromEntries(Object.keys(item['counts'] as Item).map((name) => [name, 0])); // An object of numbers.
  return { status: 'queued', completed_at: null, counts };
}
const unknown = (item: Item): Item => ('fallback_value' in item ? { type: 'date', fallback_value: null } : {});

/** @returns the text of each file by its name. */
export async function profilesOf({ paths }: Dereferenced): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const [path, { get }] of Object.entries(paths)) {
    const body = get.responses['200']?.content?.['application/json']?.schema;
    const items = body?.properties?.['data']?.items;
    if (items === undefined) continue;
    const name = `rollcall-${get.operationId
      .replace(/^list/, '')
      .replaceAll(/(?<=.)[A-Z]/g, (it) => `-${it}`)
      .toLowerCase()}`;
    const get1 = Object.keys(paths).find((it) => it === `${path}/{id}`);
    const profile = profileOf(path, get, items, get1);
    const head = `# Rollcall's own API. Generated from openapi.yaml by \`npm run generate\`. Do not edit.\n`;
    const text = Object.entries(profile).map(([key, value]) =>
      stringify({ [key]: value }, { lineWidth: 0, aliasDuplicateObjects: false, ...(key !== 'sample' && FLOW) }),
    );
    files[`audit/profiles/${name}.yaml`] = await formatted(head + text.map(flat).join(''), 'yaml');
  }
  return files;
}
const FLOW = { collectionStyle: 'flow' } as const;
/** @returns a key whose value is in flow style, without the braces of the whole. */
const flat = (text: string): string => (text.startsWith('{') ? `${text.trim().slice(1, -1).trim()}\n` : text);

function profileOf(path: string, { parameters = [] }: Operation, items: Schema, get: string | undefined): Item {
  const query = parameters.filter((it) => it.in === 'query');
  const limit = query.find(({ name }) => name === 'limit')?.schema;
  const filter = query.find(({ name }) => !POSITIONS.includes(name));
  return {
    url: `http://localhost:3000${path}`,
    headers: { Authorization: 'Bearer ${ROLLCALL_API_KEY}' },
    items: 'data',
    id: 'id',
    size: {
      param: 'limit',
      min: limit?.minimum,
      max: limit?.maximum,
      default: limit?.default,
      above: 'reject',
      invalid: 'reject',
    },
    next: { id: 'after', more: 'has_more' },
    previous: { id: 'before', more: 'has_more' },
    order: [
      { by: '-created_at', type: 'time' },
      { by: '-id', type: 'bytes' },
    ],
    ...(filter !== undefined && { filter: { [filter.name]: filter.schema.enum?.[0] } }),
    ...(get !== undefined && { get }),
    sample: { object: 'list', has_more: true, data: FORMS.map((of) => of(items.example as Item)) }, // The linter requires an example.
  };
}
