import { listAutomations, listContactImports, listContactProperties } from './generated/rollcall';
import { drive } from './driver';

/** A response of a generated function: a union by status. */
type Answer = { readonly status: number; readonly data: unknown };

/** @returns the body of a 200. */
function bodyOf<T extends Answer>(response: T): (T & { status: 200 })['data'] {
  if (response.status !== 200) throw new Error(`status ${String(response.status)}`);
  return response.data;
}

// The generated code finds out the base URL itself: see the configuration of orval.
void drive((_baseUrl, key) => {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  return {
    automations: async (query) => bodyOf(await listAutomations(query, options)),
    'contact-properties': async (query) => bodyOf(await listContactProperties(query, options)),
    'contact-imports': async (query) => bodyOf(await listContactImports(query, options)),
  };
});
