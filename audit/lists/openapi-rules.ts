/** Rules of an OpenAPI document: every response that an audit sees has a status and a schema that the document promises. */
import { Failure, NotChecked, Noted } from '../rules/rule.ts';
import type { Rule } from './audited.ts';

const DESCRIBED: Rule['on'] = {
  by: '`--openapi`',
  isDeclaredIn: (_, { responses }) => responses !== undefined,
};

const status: Rule = {
  id: 'openapi.status',
  title: 'every status is in the OpenAPI document',
  on: DESCRIBED,
  why: 'Generated clients throw for a status that they do not know, or take its body for another one.',
  change: 'Add the status to the document, or return one that it has.',
  notes: 'A status from 400 on is a note: most documents leave some out.',
  check: async (audited) => {
    await audited.walks();
    const [success, errors] = [(it: number) => it < 400, (it: number) => it >= 400].map((is) =>
      (audited.responses?.statuses ?? []).flatMap(([code, finding]) => (is(code) ? [finding] : [])),
    );
    const [first, ...others] = success ?? [];
    if (first !== undefined) throw new Failure(first, ...others);
    const [note, ...more] = errors ?? [];
    if (note !== undefined) throw new Noted(note, ...more);
  },
};

const schema: Rule = {
  id: 'openapi.schema',
  title: 'every response has the schema of the OpenAPI document',
  on: DESCRIBED,
  why: 'Generated clients fail on such a response, or show a value that is not there.',
  change: 'Change the response, or the document if the response is right.',
  check: async (audited) => {
    await audited.walks();
    const { violations = [], checked = 0, unusable = new Set<string>() } = audited.responses ?? {};
    const [first, ...others] = violations;
    if (first !== undefined) throw new Failure(first, ...others);
    const [reason] = unusable;
    if (reason !== undefined) throw new NotChecked(`a schema of the document cannot be used: ${reason}`);
    if (checked === 0) throw new NotChecked('the document has no schema for the media type of the responses');
  },
};

export const OPENAPI_RULES: readonly Rule[] = [status, schema];
