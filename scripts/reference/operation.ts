/** An operation: its parameters and responses, alongside an example request and a form that sends it. */
import type { Contract, Example, Operation, Parameter, Response } from './contract.ts';
import { clientCall, exampleSamples } from './examples.ts';
import { anchors, fold, h, heading, jsonCode, languageTabs, selfLink, tabs, term } from './markup.ts';
import type { Markup, Prose } from './markup.ts';
import { foldedProperties } from './properties.ts';
import { boundsOf, carriersOf, facts, typeOf } from './types.ts';

export function operationSection(contract: Contract, prose: Prose, operation: Operation): Markup {
  const { id, summary, description, method, path } = operation;
  return h(
    'section',
    { class: 'pair operation', 'aria-labelledby': id },
    h(
      'div',
      { class: 'words' },
      heading(3, anchors.operation(id), summary, { kind: `${method} ${path}`, alias: id }),
      h('p', { class: 'route' }, h('span', { class: 'method' }, method), ' ', h('code', null, path)),
      prose.block(description),
      parametersOf(contract, prose, operation),
      responsesOf(contract, prose, operation),
    ),
    h(
      'div',
      { class: 'example' },
      callsOf(contract, operation),
      tryIt(contract, operation),
      bodiesOf(contract, prose, operation),
    ),
  );
}

/** The parameters of an operation. Parameters in headers, which all operations share, are folded. */
function parametersOf(contract: Contract, prose: Prose, { id, parameters, summary }: Operation): Markup | undefined {
  const [headers, others] = [true, false].map((is) =>
    parameters.filter((parameter) => (parameter.in === 'header') === is),
  );
  const list = (shown: readonly Parameter[]): Markup =>
    h(
      'dl',
      { class: 'terms' },
      shown.flatMap((parameter) => parameterTerm(contract, prose, { id, summary }, parameter)),
    );
  if (parameters.length === 0) return undefined;
  return h(
    'div',
    null,
    h('h4', null, 'Parameters'),
    others === undefined || others.length === 0 ? undefined : list(others),
    headers === undefined || headers.length === 0
      ? undefined
      : fold(['Request headers: ', commas(headers.map(({ name }) => h('code', null, name)))], list(headers)),
  );
}

function parameterTerm(
  contract: Contract,
  prose: Prose,
  { id, summary }: Pick<Operation, 'id' | 'summary'>,
  { name, description = '', required = false, schema, in: location }: Parameter,
): Markup[] {
  const isPlain = !('$ref' in schema);
  const line = facts(
    typeOf(contract, schema),
    ...(isPlain ? boundsOf(schema) : []),
    location === 'query' ? undefined : `in the ${location}`,
    required ? 'required' : undefined,
  );
  return [
    term(anchors.parameter(id, name), name, { kind: `parameter of ${summary}` }, line),
    h('dd', null, prose.inline(description)),
  ];
}

function responsesOf(contract: Contract, prose: Prose, { id, responses }: Operation): Markup {
  const [first, ...others] = responses;
  const headers = [...new Set(responses.flatMap((response) => response.headers))];
  const list = (shown: readonly Response[]): Markup =>
    h(
      'dl',
      { class: 'terms' },
      shown.flatMap((response) => responseTerm(contract, prose, id, response)),
    );
  return h(
    'div',
    null,
    h('h4', null, 'Responses'),
    first === undefined ? undefined : list([first]),
    fold(['Other responses: ', others.map(({ status }) => status).join(', ')], list(others)),
    fold(
      'Response headers',
      h(
        'ul',
        { class: 'rows' },
        headers.map((name) =>
          h(
            'li',
            null,
            h('a', { href: `#${anchors.header(name)}` }, h('code', null, name)),
            ' ',
            h('span', null, carriersOf(name, responses)),
          ),
        ),
      ),
    ),
  );
}

function responseTerm(
  contract: Contract,
  prose: Prose,
  id: string,
  { status, description, schema, problems }: Response,
): Markup[] {
  const anchor = anchors.response(id, status);
  const names = problems.map((problem) => h('a', { href: `#${anchors.error(problem)}` }, h('code', null, problem)));
  const body = schema === undefined || problems.length > 0 ? undefined : typeOf(contract, schema);
  return [
    h('dt', { id: anchor }, selfLink(anchor, h('code', null, status)), ' ', facts(body, ...names)),
    h(
      'dd',
      null,
      prose.inline(description),
      body === undefined || schema === undefined ? undefined : foldedProperties(contract, prose, schema),
    ),
  ];
}

function callsOf(contract: Contract, operation: Operation): Markup {
  return languageTabs(`${operation.id}-call`, operation.summary, exampleSamples(contract, operation));
}

/** The example responses by status. */
function bodiesOf(contract: Contract, prose: Prose, operation: Operation): Markup {
  const panels = operation.responses.map((response) => {
    const examples = examplesOf(contract, operation, response);
    const shown = examples.map(({ summary, value }, at) =>
      // Of a success, the first example shows what is usual; the others can be long.
      summary !== undefined && at > 0 && response.problems.length === 0
        ? fold(prose.inline(summary), jsonCode(value))
        : [summary === undefined ? undefined : h('p', { class: 'caption' }, prose.inline(summary)), jsonCode(value)],
    );
    const words = h('p', { class: 'caption' }, prose.inline(response.description));
    return { label: response.status, content: examples.length === 0 ? words : shown };
  });
  return tabs(`${operation.id}-response`, 'statuses', `Example response of ${operation.summary}, status`, panels);
}

/**
 * All operations share the examples of an error, but some examples name a parameter that not all operations have.
 * @returns the examples without parameters, or values of parameters, that only other operations have.
 */
function examplesOf(contract: Contract, operation: Operation, response: Response): readonly Example[] {
  const own = namesOf(contract, operation);
  const foreign = new Set(
    contract.operations.flatMap((other) => [...namesOf(contract, other)]).filter((name) => !own.has(name)),
  );
  const isOwn = ({ value }: Example): boolean =>
    [...JSON.stringify(value).matchAll(/`([^`]+)`/g)].every(([, name = '']) => !foreign.has(name));
  return response.problems.length === 0 ? response.examples : response.examples.filter(isOwn);
}

/** The names of the parameters of an operation, and the values of their enums. */
function namesOf(contract: Contract, { parameters }: Operation): ReadonlySet<unknown> {
  return new Set(parameters.flatMap(({ name, schema }) => [name, ...(contract.schemaOf(schema).enum ?? [])]));
}

/** The form to call an operation with: a field for each parameter. Without the script of the page it is hidden. */
function tryIt(contract: Contract, operation: Operation): Markup {
  const { id, method, path, parameters, summary } = operation;
  return h(
    'details',
    { class: 'try', hidden: true },
    h('summary', null, 'Try it'),
    h(
      'form',
      {
        novalidate: true,
        'data-operation': id,
        'data-method': method,
        'data-path': path,
        'data-client': JSON.stringify(clientCall(contract, operation)),
        'aria-label': `Try it: ${summary}`,
      },
      parameters.map((parameter) => field(contract, id, parameter)),
      h('p', { class: 'send' }, h('button', { type: 'submit', class: 'primary' }, 'Send'), h('span', { class: 'as' })),
    ),
    h('div', { class: 'result', 'aria-live': 'polite' }),
  );
}

/** A field of the form. An empty field is not sent: the parameter then has its default, which is the placeholder. */
function field(
  contract: Contract,
  operation: string,
  { name, in: location, required = false, schema, example }: Parameter,
): Markup {
  const { enum: values, type, minimum, maximum, default: initial } = contract.schemaOf(schema);
  const id = `${operation}-try-${name}`;
  const common = { id, name, required, 'data-in': location };
  const input =
    values === undefined
      ? h('input', {
          ...common,
          type: type === 'integer' ? 'number' : 'text',
          ...(type === 'integer' && { step: 1, min: minimum, max: maximum }),
          value: location === 'path' ? String(example) : undefined,
          placeholder: initial === undefined ? undefined : String(initial),
          autocomplete: 'off',
          spellcheck: false,
        })
      : h(
          'select',
          common,
          h('option', { value: '' }, 'Any'),
          values.map((value) => h('option', null, String(value))),
        );
  return h('p', { class: 'field' }, h('label', { for: id }, h('code', null, name)), ' ', input);
}

const commas = (parts: readonly Markup[]): Markup[] => parts.flatMap((part, at) => (at === 0 ? [part] : [', ', part]));
