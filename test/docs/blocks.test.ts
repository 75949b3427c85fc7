/** Every block of code in the pages is tried by a suite, which names the page, and the heading if there are several; this is the table of which is which. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PAGES, blocksOf } from '../support/docs.ts';
import type { Block } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';

type Row = readonly [page: string, heading: string, language: string, suite: string, count?: number];

const TRIED_BY: readonly Row[] = [
  ['README.md', 'Start', 'sh', 'scripts/package.sh'],
  ['README.md', 'Start', 'console', 'test/docs/readme.test.ts'],
  ['README.md', 'In a clone', 'sh', 'test/docs/recipes.test.ts'],
  ['README.md', 'Prove your implementation', 'sh', 'test/docs/recipes.test.ts'],
  ['CONTRIBUTING.md', 'Set up', 'sh', 'test/docs/recipes.test.ts'],
  ['CONTRIBUTING.md', 'Conventions', 'text', 'test/architecture.test.ts'],
  ['docs/backups.md', 'Schedule with systemd', 'sh', 'test/docs/backups.test.ts'],
  ['docs/backups.md', 'Restore', 'sh', 'test/recipes/backup.ts'],
  ['docs/backups.md', 'PostgreSQL', 'sh', 'test/recipes/postgres.ts', 2],
  ['docs/codegen.md', 'Commands', 'sh', 'test/codegen.test.ts'],
  ['docs/commands.md', 'Commands', 'sh', 'test/docs/recipes.test.ts'],
  ['docs/conform.md', 'Test any implementation of the contract', 'sh', 'test/docs/recipes.test.ts'],
  ['docs/conform.md', 'Known failures', 'sh', 'test/docs/recipes.test.ts'],
  ['docs/conform.md', 'Known failures', 'text', 'test/docs/recipes.test.ts'],
  ['docs/conform.md', 'In CI', 'yaml', 'test/docs/recipes.test.ts'],
  ['docs/github-action.md', 'GitHub action', 'yaml', 'test/action/run.ts'],
  ['docs/container.md', 'Run with Docker', 'sh', 'test/docs/container.test.ts'],
  ['docs/container.md', 'Build without Docker', 'sh', 'test/image/archives.ts'],
  ['docs/container.md', 'Run with PostgreSQL', 'sh', 'test/docs/container.test.ts'],
  ['docs/har.md', 'Check captured traffic', 'console', 'test/docs/har.test.ts'],
  ['docs/design.md', 'Code layout', 'text', 'test/docs/readme.test.ts'],
  ['docs/examine.md', 'Write a driver', 'python', 'test/docs/examine.test.ts'],
  ['docs/examine.md', 'Run it', 'sh', 'test/docs/examine.test.ts'],
  ['docs/examine.md', 'Run it', 'console', 'test/docs/examine.test.ts'],
  ['docs/high-availability.md', 'Configure the servers', 'ini', 'test/failover/recipe.ts'],
  ['docs/high-availability.md', 'Configure the servers', 'yaml', 'test/failover/recipe.ts'],
  ['docs/high-availability.md', 'Configure the servers', 'haproxy', 'test/failover/recipe.ts'],
  ['docs/high-availability.md', 'Create the database', 'sh', 'test/failover/run.ts'],
  ['docs/high-availability.md', 'Switch over for maintenance', 'sh', 'test/failover/run.ts'],
  ['docs/keys.md', 'API keys', 'sh', 'test/docs/operations.test.ts'],
  ['docs/keys.md', 'Rotate a key', 'sh', 'test/docs/operations.test.ts'],
  ['docs/monitoring.md', 'Scrape', 'yaml', 'test/monitoring/run.ts'],
  ['docs/operations.md', 'Back up and restore', 'sh', 'test/cli/backup.test.ts', 2],
  ['docs/operations.md', 'Upgrade and roll back', 'sh', 'test/docs/operations.test.ts', 2],
  ['docs/operations.md', 'Run as a systemd service', 'sh', 'test/docs/operations.test.ts'],
  ['docs/operations.md', 'Replicate with Litestream', 'sh', 'test/docs/operations.test.ts', 2],
  ['docs/postgresql.md', 'Quick start', 'sh', 'test/recipes/postgres.ts'],
  ['docs/postgresql.md', 'Copy between SQLite and PostgreSQL', 'sh', 'test/recipes/postgres.ts'],
  ['docs/proxies.md', 'nginx', 'nginx', 'test/proxies/run.ts'],
  ['docs/proxies.md', 'Caddy', 'caddy', 'test/proxies/run.ts'],
  ['docs/settings.md', 'Settings, logging and metrics', 'json', 'test/docs/recipes.test.ts'],
  ['docs/scenarios.md', 'Scenarios', 'json', 'test/testing/scenarios.test.ts'],
  ['docs/test-kit.md', 'Other languages', 'sh', 'test/docs/recipes.test.ts', 2],
  ['docs/test-kit.md', 'Other languages', 'python', 'test/docs/recipes.test.ts'],
];

// What no suite tries, and why.
const BY_HAND: readonly (readonly [page: string, heading: string, language: string])[] = [
  ['docs/scale.md', 'Estimate for a billion records', 'text'], // A formula.
  ['docs/scale.md', 'Connection pooling with PgBouncer', 'ini'], // PgBouncer: on the day that the page says.
];

const name = ({ page, heading, language }: Omit<Block, 'code'>): string => `${page}, ${heading}: ${language}`;

test('every block is listed, and all that are listed are there', () => {
  // test/docs/code.test.ts runs all blocks of TypeScript, by their language.
  const found = PAGES.flatMap(blocksOf).filter((it) => it.language !== 'ts');
  const listed = [...TRIED_BY, ...BY_HAND].flatMap(([page, heading, language, , count = 1]) =>
    Array.from({ length: count }, () => name({ page, heading, language })),
  );
  expect(found.map(name).toSorted()).toEqual(listed.toSorted());
});

test.each(TRIED_BY)('%s, %s: %s is tried by %s', (page, heading, language, suite) => {
  const text = readFileSync(join(ROOT, suite), 'utf8');
  expect(text.includes(page)).toBe(true);
  const isAlone = new Set(blocksOf(page).flatMap((it) => (it.language === language ? it.heading : []))).size === 1;
  expect(isAlone || text.includes(heading)).toBe(true);
});
