/** Values that the contract rejects and that parsers of implementations accept by mistake; and what it ignores. */

/** A key that no account has. */
export const UNKNOWN_KEY = 'rollcall_0000000000000000000000000000000000000000';

/** An id that no record has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Ids that no record has and that match the UUID pattern of the contract: of other versions and variants, and of none. */
export const UNKNOWN_IDS: readonly string[] = [
  UNKNOWN_ID,
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '5f1e6a52-1c9b-11ee-be56-0242ac120002',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  'C0FFEE00-1234-5678-0000-000000000000',
];

/** @returns ids that are not UUIDs, among them wildcards of SQL. Each operation rejects all of them. */
export const malformedIds = (id: string): readonly string[] => [
  ...['x', id.slice(1), `${id}0`, id.replaceAll('-', ''), '%', `${id.slice(0, -1)}_`, `${id}\n`],
];

/** @returns writings of an id that UUID parsers and trimming accept. Operations of a kind reject them in turn. */
export const oddIds = (id: string): readonly string[] => [
  ...[`{${id}}`, `urn:uuid:${id}`, `${id} `, ` ${id}`, `${id}\0`, `\t${id}`, `g${id.slice(1)}`, `"${id}"`],
  ...[`${id},${id}`, id.replaceAll('-', '_'), `${id.slice(0, 9)}${id.slice(8, -1)}`, `${id.slice(0, -1)}\uff10`],
  ...[`${id}'`, `${id}${'0'.repeat(300)}`, 'null', '1', `+${id}`, `(${id})`, `[${id}]`, id.replaceAll('-', '\u2010')],
  ...[id.slice(0, -1), id.replace('-', '%2D'), id.replaceAll('-', '').replace(/(?=.{28}$)/, '-')],
];

/** Limits that are not plain digits: the last one is Arabic. Each list rejects all of them. */
export const INVALID_LIMITS: readonly string[] = ['1.5', '', '+5', '5 ', 'x', '0x10', '\u0665'];
/** Limits in queries that are decoded twice, or in part. Lists reject them in turn. */
export const ODD_LIMIT_QUERIES: readonly string[] = ['limit', 'limit=5%ff', 'limit=%2535'];

/** Limits that number parsers accept: of C, JavaScript, Python, PHP, Java and Go. Lists reject them in turn. */
export const ODD_LIMITS: readonly string[] = [
  // A full-width digit; 5 in 32 and in 64 bits.
  ...['-1', '05', ' 5', '1e1', '5\n', '1_0', '10.0', '5abc', '\uff15', '4294967301', '18446744073709551621'],
  // A superscript digit, and one of Devanagari.
  ...['-4294967291', '9'.repeat(400), 'null', '-0', '5\0', '5.', '\u00b2', '\u096b', '5\u00a0', '\t5', '0005', '5l'],
  ...['1000', '5\r', '\v5\f', '\ufeff5', 'max'],
  ...['5f', 'true', 'NaN', 'Infinity', '0b101', '0o5', '1,0', '[5]', '"5"'],
];

/** @returns a text in full-width characters. */
const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

/** @returns writings of a filter's value that trimming, lists and patterns accept. */
export const oddFilterValues = (value: string): readonly string[] => [
  ...[` ${value}`, `${value}\n`, `${value}\0`, 'all', 'null', '0', '1', ' ', "' OR 1=1 --", '*'],
  ...[`${value},`, `"${value}"`],
  // The first letter is a full-width one.
  ...[`-${value}`, `!${value}`, `${value}|${value}`, `x${value}`, `${wide(value.slice(0, 1))}${value.slice(1)}`],
  `${value}\u{1f600}`,
];

/** @returns writings of a filter's value that patterns of SQL and comparisons of a prefix accept. Each list rejects all of them. */
export const wildFilterValues = (value: string): readonly string[] => ['%', `_${value.slice(1)}`, `${value}x`];

/** Headers that change the response of a framework, a static file server or a proxy. The contract has none of them. */
export const IGNORED_HEADERS = {
  range: 'bytes=0-9',
  'if-modified-since': 'Fri, 31 Dec 2100 23:59:59 GMT',
  'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'if-match': '"other"',
  'x-forwarded-prefix': '/nonsense',
  'x-forwarded-host': 'conform.example',
  'x-forwarded-for': '192.0.2.1',
  'x-original-url': '/nonsense',
  'x-rewrite-url': '/nonsense',
  'x-requested-with': 'XMLHttpRequest',
  'x-api-version': '0',
  'accept-version': '0',
  prefer: 'return=minimal, timezone=Asia/Kolkata',
  'time-zone': 'Asia/Kolkata',
  'accept-language': 'de',
  origin: 'https://conform.example',
  'accept-charset': 'utf-16',
  'sec-fetch-site': 'cross-site',
  'x-forwarded-proto': 'http',
  upgrade: 'nonsense',
  'user-agent': '', // None.
};

/** A body that a framework merges into the parameters. */
export const IGNORED_BODY = '{"limit":1,"status":"nonsense","after":"x"}';
