/** The form to call an operation with: a field for each parameter. Without the script of the page it is hidden. */
import type { Contract, Operation, Parameter } from './contract.ts';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';

export function tryIt(contract: Contract, operation: Operation): Markup {
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
        'aria-label': `Try: ${summary}`,
      },
      parameters.map((it) => field(contract, id, it)),
      h('p', { class: 'send' }, h('button', { type: 'submit', class: 'primary' }, 'Send'), h('span', { class: 'as' })),
    ),
    h('div', { class: 'result', 'aria-live': 'polite' }),
  );
}

/** Empty is not sent. What is not sent has its default, which stands where a value would. */
function field(
  contract: Contract,
  operation: string,
  { name, in: place, required = false, schema, example }: Parameter,
): Markup {
  const { enum: values, type, minimum, maximum, default: usual } = contract.schemaOf(schema);
  const id = `${operation}-try-${name}`;
  const common = { id, name, required, 'data-in': place };
  const input =
    values === undefined
      ? h('input', {
          ...common,
          type: type === 'integer' ? 'number' : 'text',
          ...(type === 'integer' && { step: 1, min: minimum, max: maximum }),
          value: place === 'path' ? String(example) : undefined,
          placeholder: usual === undefined ? undefined : String(usual),
          autocomplete: 'off',
          spellcheck: false,
        })
      : h(
          'select',
          common,
          h('option', { value: '' }, 'any'),
          values.map((it) => h('option', null, String(it))),
        );
  return h('p', { class: 'field' }, h('label', { for: id }, h('code', null, name)), ' ', input);
}
