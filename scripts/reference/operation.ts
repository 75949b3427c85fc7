/** An operation: what it takes and answers, beside an example of it. */
import { anchors } from './anchors.ts';
import { carriersOf, examplesOf } from './answers.ts';
import { code, jsonCode } from './code.ts';
import type { Answer, Contract, Operation, Parameter } from './contract.ts';
import { exampleCalls } from './examples.ts';
import type { Prose } from './markdown.ts';
import { fold, heading, selfLink, tabs, term } from './parts.ts';
import { tryIt } from './try-it.ts';
import { boundsOf, facts, typeOf } from './types.ts';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';

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
      answersOf(contract, prose, operation),
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

/** Those that every operation takes alike, in a header, are folded. */
function parametersOf(contract: Contract, prose: Prose, { id, parameters, summary }: Operation): Markup | undefined {
  const [headers, others] = [true, false].map((is) => parameters.filter((it) => (it.in === 'header') === is));
  const list = (of: readonly Parameter[]): Markup =>
    h(
      'dl',
      { class: 'terms' },
      of.flatMap((it) => parameterTerm(contract, prose, { id, summary }, it)),
    );
  if (parameters.length === 0) return undefined;
  return h(
    'div',
    null,
    h('h4', null, 'Parameters'),
    others === undefined || others.length === 0 ? undefined : list(others),
    headers === undefined || headers.length === 0
      ? undefined
      : fold(['Headers: ', commas(headers.map((it) => h('code', null, it.name)))], list(headers)),
  );
}

function parameterTerm(
  contract: Contract,
  prose: Prose,
  { id, summary }: Pick<Operation, 'id' | 'summary'>,
  { name, description = '', required = false, schema, in: place }: Parameter,
): Markup[] {
  const isPlain = !('$ref' in schema);
  const line = facts(
    typeOf(contract, schema),
    ...(isPlain ? boundsOf(schema) : []),
    place === 'query' ? undefined : `in the ${place}`,
    required ? 'required' : undefined,
  );
  return [
    term(anchors.parameter(id, name), name, { kind: `parameter of ${summary}` }, line),
    h('dd', null, prose.inline(description)),
  ];
}

function answersOf(contract: Contract, prose: Prose, { id, answers }: Operation): Markup {
  const [first, ...others] = answers;
  const headers = [...new Set(answers.flatMap((it) => it.headers))];
  const list = (of: readonly Answer[]): Markup =>
    h(
      'dl',
      { class: 'terms' },
      of.flatMap((it) => answerTerm(contract, prose, id, it)),
    );
  return h(
    'div',
    null,
    h('h4', null, 'Answers'),
    first === undefined ? undefined : list([first]),
    fold(['Other answers: ', others.map((it) => it.status).join(', ')], list(others)),
    fold(
      'Headers of the answers',
      h(
        'ul',
        { class: 'rows' },
        headers.map((it) =>
          h(
            'li',
            null,
            h('a', { href: `#${anchors.header(it)}` }, h('code', null, it)),
            ' ',
            h('span', null, carriersOf(it, answers)),
          ),
        ),
      ),
    ),
  );
}

function answerTerm(
  contract: Contract,
  prose: Prose,
  id: string,
  { status, description, schema, problems }: Answer,
): Markup[] {
  const anchor = anchors.answer(id, status);
  const names = problems.map((it) => h('a', { href: `#${anchors.error(it)}` }, h('code', null, it)));
  const body = schema === undefined || problems.length > 0 ? undefined : typeOf(contract, schema);
  return [
    h('dt', { id: anchor }, selfLink(anchor, h('code', null, status)), ' ', facts(body, ...names)),
    h('dd', null, prose.inline(description)),
  ];
}

function callsOf(contract: Contract, operation: Operation): Markup {
  const panels = exampleCalls(contract, operation).map(({ label, language, text }) => ({
    label,
    content: code(text, language),
  }));
  return tabs(`${operation.id}-call`, 'languages', `Example call of ${operation.summary}, in`, panels);
}

/** The example answers by status. */
function bodiesOf(contract: Contract, prose: Prose, operation: Operation): Markup {
  const panels = operation.answers.map((answer) => {
    const examples = examplesOf(contract, operation, answer);
    const shown = examples.map(({ summary, value }) => [
      summary === undefined ? undefined : h('p', { class: 'caption' }, prose.inline(summary)),
      jsonCode(value),
    ]);
    const words = h('p', { class: 'caption' }, prose.inline(answer.description));
    return { label: answer.status, content: examples.length === 0 ? words : shown };
  });
  return tabs(`${operation.id}-answer`, 'statuses', `Example answer of ${operation.summary}, of status`, panels);
}

const commas = (of: readonly Markup[]): Markup[] => of.flatMap((it, at) => (at === 0 ? [it] : [', ', it]));
