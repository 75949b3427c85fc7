/** Lawful ids, bodies and links, and forms of them that are notes. */
import type { LinkForm, Scenario } from '../scenario.ts';

const SEVERAL = { pages: 3.5 };

// prettier-ignore
const IDS: readonly Scenario[] = [
  { name: 'id.case', pack: 'ids', needs: { ids: ['free', 'letters'] }, does: { length: SEVERAL, ids: ['case'] },
    server: 'has ids that differ only in letter case',
    expect: 'all', report: 'items are dropped as duplicates by ids in lower case' },
  { name: 'id.reserved', pack: 'ids', needs: { ids: ['free'] }, does: { length: SEVERAL, ids: ['reserved'] },
    server: 'has ids with +/=&?#% and a space', client: 'it must encode them in URLs',
    expect: 'all', report: 'an id is not encoded: + becomes a space, and & ends it' },
  { name: 'id.digits', pack: 'ids', needs: { ids: ['free', 'digits'] }, does: { length: SEVERAL, ids: ['digits'] },
    server: 'has digits as ids: with leading zeros, or too long for a number',
    client: 'it must not convert them to numbers',
    expect: 'all', report: 'an id such as 007 becomes the number 7' },
  { name: 'id.large', pack: 'ids', needs: { ids: ['number'] }, does: { length: SEVERAL, ids: ['large', 'seven-digits'] },
    server: 'has numbers up to 2^53 - 1 as ids, and 1234567', client: 'it must not print 1.234567e+06',
    expect: 'all', report: 'an id of more than 32 bits is another number' },
  { name: 'id.beyond', pack: 'id.notes', needs: { ids: ['number'] }, does: { length: SEVERAL, ids: ['beyond'] },
    server: 'has numbers beyond 2^53 as ids', client: 'it may round them',
    expect: 'any', report: 'an id beyond 2^53 is rounded' },
  { name: 'id.zero', pack: 'id.notes', needs: { ids: ['number'] }, does: { length: SEVERAL, ids: ['zero'] },
    server: 'has the id 0', client: 'it may treat it as missing',
    expect: 'any', report: 'an id that counts as false is skipped' },
];

// prettier-ignore
const BODIES: readonly Scenario[] = [
  { name: 'body.gzip', pack: 'bodies', does: { length: SEVERAL, body: ['gzip'] },
    server: 'compresses bodies, if the client accepts gzip',
    expect: 'all', report: 'gzip is accepted, and not decompressed' },
  { name: 'body.chunks', pack: 'bodies', does: { length: SEVERAL, body: ['chunks', 'unicode'] },
    server: 'sends bodies in chunks that end inside a character',
    expect: 'all', report: 'chunks are decoded one by one: characters break' },
  { name: 'body.unicode', pack: 'bodies', does: { length: SEVERAL, body: ['unicode'] },
    server: 'has characters of four bytes, escapes and line separators',
    expect: 'all', report: 'a character beyond the first plane breaks the page' },
  { name: 'body.large', pack: 'bodies', does: { length: SEVERAL, body: ['large'] },
    server: 'returns pages above 64 KiB',
    expect: 'all', report: 'the body ends at the size of a buffer' },
  { name: 'body.charset', pack: 'bodies', does: { length: SEVERAL, body: ['charset'] },
    server: 'sends Content-Type: application/json; charset=utf-8',
    expect: 'all', report: 'a Content-Type with a parameter is no JSON for the client' },
  { name: 'body.mark', pack: 'body.notes', does: { length: SEVERAL, body: ['mark'] },
    server: 'begins bodies with a byte order mark',
    expect: 'all-or-error', report: 'a byte order mark is no JSON for the client' },
  { name: 'body.additional', pack: 'body.notes', does: { length: SEVERAL, body: ['additional'] },
    server: 'adds properties that the sample does not have',
    expect: 'all-or-error', report: 'an unknown property is an error' },
];

const link = (form: LinkForm, server: string, report: string): Scenario => ({
  ...{
    name: `link.${form}`,
    pack: 'links',
    needs: { ways: ['link'] },
    does: { length: SEVERAL, links: [form] },
    server,
  },
  ...{ expect: 'all', report },
});
const noted = (form: LinkForm, server: string, report: string): Scenario => ({
  ...link(form, server, report),
  ...{ pack: 'link.notes', client: 'it should read the next page from it', expect: 'any' },
});
const formed = (form: LinkForm, server: string): Scenario => ({
  ...noted(form, server, 'a relative link is joined with the wrong base'),
  ...{ pack: 'link.forms', needs: { ways: ['url', 'link', 'header'] } },
});

const LINK_HEADERS: readonly Scenario[] = [
  link('comma', 'has a comma in the URL of the Link header', 'the header is split at commas'),
  link('others-first', 'has links of other relations before the next one', 'the first link counts as the next page'),
  link('lower-case', 'sends the header as `link`', 'headers are compared by their case'),
  {
    ...link('encoded', 'has percent-encoded cursors in its links', 'a link is decoded, or encoded twice'),
    ...{
      needs: { ways: ['url', 'link', 'header'] },
      client: 'it must not decode or encode them',
    },
  },
  noted('parameters', 'has other parameters before `rel`, and a comma in one', '`rel` is expected right after the URL'),
  noted('unquoted', 'has `rel=next` without quotes', 'quotes are expected'),
  noted('two-relations', 'has two relations in one: `rel="next item"`', 'one relation is expected'),
  noted('capital', 'writes `REL="Next"`', 'names are compared by their case'),
  noted('two-fields', 'sends two Link headers', 'the second header hides the first'),
  formed('path', 'gives links that begin with the path'),
  formed('query', 'gives links that are only a query'),
  formed('relative', 'gives links relative to the last part of the path'),
];

export const VALUES: readonly Scenario[] = [...IDS, ...BODIES, ...LINK_HEADERS];
