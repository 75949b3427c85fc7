/** The rules of GitHub for issue forms, https://docs.github.com/communities, as far as a file shows whether it obeys them. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The attributes of each type of element: those that it must have, and those that it may have. */
const ATTRIBUTES: Readonly<Record<string, readonly [required: readonly string[], optional: readonly string[]]>> = {
  markdown: [['value'], []],
  input: [['label'], ['description', 'placeholder', 'value']],
  textarea: [['label'], ['description', 'placeholder', 'value', 'render']],
  dropdown: [
    ['label', 'options'],
    ['description', 'multiple', 'default'],
  ],
  checkboxes: [['label', 'options'], ['description']],
};
const TOP_LEVEL = new Set(['name', 'description', 'body', 'assignees', 'labels', 'title', 'type', 'projects']);
const ELEMENT = new Set(['type', 'id', 'attributes', 'validations']);

const repeated = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

/** @returns what is wrong with the choices of an element. */
function optionProblems(type: string, options: unknown): readonly string[] {
  if (!Array.isArray(options) || options.length === 0) return ['has no options'];
  const labels: readonly unknown[] =
    type === 'dropdown' ? options : options.map((it: unknown) => (isFields(it) ? it['label'] : it));
  if (!labels.every(isText)) return ['has an option without text'];
  if (repeated(labels)) return ['has an option twice'];
  // GitHub adds this choice to a dropdown that is not required.
  return labels.some((it) => it.toLowerCase() === 'none') ? ['has the reserved option None'] : [];
}

function elementProblems(element: unknown): readonly string[] {
  if (!isFields(element)) return ['is not an object'];
  const { type, id, attributes, validations = {} } = element;
  const known = isText(type) ? ATTRIBUTES[type] : undefined;
  if (!isText(type) || known === undefined) return [`has the unknown type ${String(type)}`];
  if (!isFields(attributes)) return ['has no attributes'];
  const [required, optional] = known;
  return [
    ...Object.keys(element)
      .filter((it) => !ELEMENT.has(it))
      .map((it) => `has the unknown key ${it}`),
    ...Object.keys(attributes)
      .filter((it) => ![...required, ...optional].includes(it))
      .map((it) => `has the unknown attribute ${it}`),
    ...required.filter((it) => it !== 'options' && !isText(attributes[it])).map((it) => `has no ${it}`),
    ...(required.includes('options') ? optionProblems(type, attributes['options']) : []),
    ...(id === undefined || (isText(id) && /^[\w-]+$/.test(id))
      ? []
      : ['has an id with other characters than letters, digits, - and _']),
    ...(isDeepStrictEqual(validations, {}) ||
    isDeepStrictEqual(validations, { required: true }) ||
    isDeepStrictEqual(validations, { required: false })
      ? []
      : ['has unknown validations']),
    ...(type === 'markdown' && id !== undefined ? ['is text, and has an id'] : []),
  ];
}

/** @returns what is wrong with an issue form. */
export function formProblems(text: string): readonly string[] {
  const form: unknown = parse(text);
  if (!isFields(form)) return ['The form is not an object'];
  const { body, labels = [] } = form;
  const elements: readonly unknown[] = Array.isArray(body) ? body : [];
  const fields = elements.filter(isFields);
  const values = (name: string): readonly unknown[] =>
    fields
      .map((it) => (isFields(it['attributes']) && name === 'label' ? it['attributes'][name] : it[name]))
      .filter((it) => it !== undefined);
  return [
    ...['name', 'description'].filter((it) => !isText(form[it])).map((it) => `The form has no ${it}`),
    ...Object.keys(form)
      .filter((it) => !TOP_LEVEL.has(it))
      .map((it) => `The form has the unknown key ${it}`),
    ...(Array.isArray(labels) && labels.every(isText) ? [] : ['The labels are not a list of texts']),
    ...(fields.some((it) => it['type'] !== 'markdown') ? [] : ['The form has no field']),
    ...elements.flatMap((it, at) => elementProblems(it).map((problem) => `Element ${String(at + 1)} ${problem}`)),
    ...(repeated(values('id')) ? ['Two elements have one id'] : []),
    ...(repeated(values('label')) ? ['Two elements have one label'] : []),
  ];
}

/** @returns what is wrong with `config.yml`. */
export function chooserProblems(text: string): readonly string[] {
  const chooser: unknown = parse(text);
  if (!isFields(chooser)) return ['The file is not an object'];
  const links: readonly unknown[] = Array.isArray(chooser['contact_links']) ? chooser['contact_links'] : [];
  const isLink = (it: unknown): boolean =>
    isFields(it) &&
    isDeepStrictEqual(Object.keys(it).toSorted(), ['about', 'name', 'url']) &&
    Object.values(it).every(isText);
  return [
    ...Object.keys(chooser)
      .filter((it) => !['blank_issues_enabled', 'contact_links'].includes(it))
      .map((it) => `has the unknown key ${it}`),
    ...(typeof chooser['blank_issues_enabled'] === 'boolean' ? [] : ['does not say whether blank issues are enabled']),
    ...links.filter((it) => !isLink(it)).map((it) => `has a link without name, url or about: ${JSON.stringify(it)}`),
  ];
}
