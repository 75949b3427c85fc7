/** Rules of an OpenAPI document: every response that an audit sees has a status and a schema that the document promises. */
import { DoesNotApply, NotChecked, Noted } from '../rules/rule.ts';
import type { Finding } from '../rules/rule.ts';
import { LONG, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Rule } from './list-rule.ts';
import { throwAny } from './finding.ts';

const DESCRIBED: Rule['on'] = {
  by: '`--openapi`',
  isDeclaredIn: (_, { responses }) => responses !== undefined,
};

const status: Rule = {
  id: 'openapi.status',
  title: 'every status is in the OpenAPI document',
  on: DESCRIBED,
  why: 'Generated clients throw on a status that they do not know, or read its body as another one.',
  change: 'Add the status to the document, or return one that it contains.',
  notes: 'An undocumented status of 400 or above is a note: most documents leave some out.',
  check: async (audited) => {
    await audited.walks();
    const statuses = [...(audited.responses?.statuses ?? [])];
    const findings = (isError: boolean): readonly Finding<Text>[] =>
      statuses.flatMap(([code, finding]) => (code >= 400 === isError ? [finding] : []));
    throwAny(findings(false));
    throwAny(findings(true), Noted);
  },
};

const schema: Rule = {
  id: 'openapi.schema',
  title: 'every response has the schema of the OpenAPI document',
  on: DESCRIBED,
  why: 'Generated clients fail on such a response, or show a missing value.',
  change: 'Change the response, or the document if the response is right.',
  check: async (audited) => {
    await audited.walks();
    const { violations = [], checked = 0, unusable = new Set<string>() } = audited.responses ?? {};
    throwAny(violations);
    const [reason] = unusable;
    if (reason !== undefined)
      throw new NotChecked(say`a schema of the document cannot be used: ${quote(reason, LONG)}`);
    if (checked === 0) throw new DoesNotApply(say`the document has no schema for the media type of the responses`);
  },
};

export const OPENAPI_RULES: readonly Rule[] = [status, schema];
