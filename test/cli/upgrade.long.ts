/** `rollcall db upgrade`: every record is checked against today's contract, and all of them are brought up to date, or none. */
import { describe, expect, test } from '@jest/globals';
import { upgradeRecords } from '../../cli/upgrade.ts';
import type { UpgradeResult } from '../../cli/upgrade.ts';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Contract } from '../../contract/document.ts';
import { schemaHashes } from '../../contract/schema.ts';
import { createChecks } from '../../import/check.ts';
import { automation, contactImport, contactProperty } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';
import { countedOf, countsOf } from '../support/collections.ts';
import { contractWith } from '../support/contract.ts';
import { series } from '../support/series.ts';
import { alter } from '../support/alter.ts';
import { database, folder, held, load as loadOwn } from '../support/own-database.ts';

const load = (it: Contract, collection: Collection, records: readonly object[], account = 'acme'): Promise<void> =>
  loadOwn(collection, records, { contract: it, account });
const upgrade = (to: Contract): Promise<UpgradeResult> => upgradeRecords(database, to);
/** @returns all records, by account and then newest first. @throws StoreError if the contract is not theirs. */
async function served(by: Contract): Promise<unknown[]> {
  await (await database.openStore(schemaHashes(by))).close();
  const texts: string[] = [];
  for (const account of ['acme', 'other']) for (const it of COLLECTIONS) texts.push(...(await held(it, account)));
  return texts.map((it) => JSON.parse(it) as unknown);
}

/** With a required property more, and one more inside of another. */
const filling = contractWith(({ ContactImport, ContactImportCounts }) => {
  ContactImport.properties['source'] = { type: 'string', enum: ['api', 'file'], default: 'api' };
  ContactImport.required.push('source');
  ContactImportCounts.properties['retried'] = { type: 'integer', default: 0 };
  ContactImportCounts.required.push('retried');
});
describe('what the contract has a default for', () => {
  test('is filled in, in every account, and left alone where it is given', async () => {
    const [first, second] = series(2, contactImport);
    const counts = { total: 1, created: 1, updated: 0, skipped: 0, failed: 0, retried: 3 };
    const third = contactImport();
    const given = { ...third, source: 'file', counts };
    await load(contract, 'contactImports', [first ?? {}, second ?? {}]);
    await load(contract, 'contactImports', [third], 'other');
    const other = automation();
    await load(contract, 'automations', [other]);

    const checked = countsOf({ automations: 1, contactImports: 3 });
    expect(await upgrade(filling)).toEqual({ checked, changed: 3, errors: [] });
    const filled = [first, second, third].map((it) => ({ ...it, counts: { ...it?.counts, retried: 0 }, source: 'api' })); // prettier-ignore
    expect(await served(filling)).toEqual([other, ...filled]);

    await load(filling, 'contactImports', [given], 'other');
    expect(await upgrade(filling)).toMatchObject({ changed: 0, errors: [] });
    expect(await served(filling)).toEqual([other, ...filled.slice(0, 2), given]);
  });

  test('is not filled in by a load', () => {
    expect(createChecks(filling).contactImports(contactImport()).violations).toEqual([
      { where: '/source', what: 'is missing' },
      { where: '/counts/retried', what: 'is missing' },
    ]);
  });
});

test('the text and the filter are derived again, for records beyond one batch', async () => {
  const records = series(450, automation);
  const turned = contractWith(({ Automation: it }) => {
    it.properties = Object.fromEntries(Object.entries(it.properties).reverse());
  });
  await load(turned, 'automations', records);
  await alter('UPDATE records SET filter = NULL');
  expect(await upgrade(contract)).toEqual({ checked: countsOf({ automations: 450 }), changed: 450, errors: [] });
  expect(await held('automations')).toEqual(records.map((it) => JSON.stringify(it)));
  const inspector = await database.openInspector();
  const filters = new Set<string | null>();
  for await (const { filter } of inspector.records()) filters.add(filter);
  await inspector.close();
  expect(filters).toEqual(new Set(['enabled']));
});

test('records that cannot be brought up to date leave everything as it was, also what could be', async () => {
  const [bad, good, fine] = [series(1234, contactImport), automation(), contactProperty()];
  await load(contract, 'contactImports', bad);
  await load(contract, 'automations', [good]);
  await load(contract, 'contactProperties', [fine]);
  const both = contractWith(({ Automation, ContactImport }) => {
    Automation.properties['colour'] = { type: 'string', default: 'red' };
    Automation.required.push('colour');
    ContactImport.properties['source'] = { type: 'string' };
    ContactImport.required.push('source');
  });
  expect(await upgrade(both)).toEqual({
    checked: countsOf({ automations: 1, contactProperties: 1, contactImports: 1234 }),
    changed: 0,
    // Named up to the twentieth, and counted to the last.
    errors: [
      ...bad.slice(0, 20).map((it) => `acme: contact-imports: ${it.id}: /source: is missing`),
      '1,234 of 1,236 records are invalid; nothing was changed',
    ],
  });
  expect(await served(contract)).toEqual([good, fine, ...bad]);
  await expect(served(both)).rejects.toThrow(/^The automations and contact imports in /);
});

describe('the command', () => {
  const older = (): Contract =>
    contractWith(({ Id, ContactImport }) => {
      Object.assign(Id, { description: 'as before', maxLength: 40 });
      ContactImport.properties = Object.fromEntries(Object.entries(ContactImport.properties).reverse());
    });

  test('names a record whose text is no JSON, and changes nothing', async () => {
    const record = automation();
    await load(contract, 'automations', [record]);
    await alter('UPDATE records SET json = substr(json, 2)');
    expect(await folder.call(['db', 'upgrade'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        `acme: automations: ${record.id}: record: is not JSON\n` +
        '1 of 1 record is invalid; nothing was changed\nrollcall: Nothing was upgraded. See above.\n',
    });
  });

  test('says what it did, and the store is served again', async () => {
    await load(older(), 'contactImports', series(2, contactImport));
    await load(older(), 'automations', [automation()]);
    expect(await folder.call(['serve', '--port', '0'])).toMatchObject({ code: 1, stdout: '' });
    expect(await folder.call(['db', 'upgrade'])).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(
        new RegExp(
          `^${countedOf({ automations: 1, contactImports: 2 })} checked in \\d+\\.\\d s; 2 records changed\\.\\n$`,
        ),
      ) as unknown,
      stderr: '',
    });
    await served(contract);
  });
});

test('a server that runs meanwhile responds with 503 from then on', async () => {
  await load(contract, 'contactImports', [contactImport()]);
  const key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const { url } = await folder.serve();
  const ask = (): Promise<Response> =>
    fetch(`${url}/contacts/imports`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  await upgrade(filling);
  const response = await ask();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await response.json()).toMatchObject({ statusCode: 503, name: 'service_unavailable' });
});
