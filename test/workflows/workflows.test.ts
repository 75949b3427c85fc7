/** The workflows, the action and the forms for GitHub. `npm run test:e2e -- workflows` also runs actionlint and shellcheck. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { textOf } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';
import { chooserProblems, formProblems } from './forms.ts';
import { WORKFLOWS, containerProblems, jobProblems, nameProblems, pinProblems, workflowOf } from './rules.ts';

const workflows = WORKFLOWS.map((file) => [file, workflowOf(textOf(file))] as const);
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly bugs?: { readonly url: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

test('there are workflows for pull requests, every night and releases', () => {
  expect(WORKFLOWS.map((it) => it.split('/').at(-1)).toSorted()).toEqual([
    'nightly.yml',
    'pull-request.yml',
    'release.yml',
  ]);
});

describe('actions', () => {
  const DIGEST = 'a'.repeat(40);

  test('are pinned', () => {
    const texts = Object.fromEntries([...WORKFLOWS, 'action.yml'].map((it) => [it, textOf(it)]));
    expect(pinProblems(texts)).toEqual([]);
    expect(
      Object.values(texts)
        .join('')
        .match(/uses: actions\//g)?.length,
    ).toBeGreaterThan(10);
  });

  test.each([
    ['uses: actions/checkout@v7', 'actions/checkout@v7 is not pinned by a digest with a version'],
    [`uses: actions/checkout@${DIGEST}`, `actions/checkout@${DIGEST} is not pinned by a digest with a version`],
    ['- uses: docker://alpine:3', 'docker://alpine:3 is not pinned by a digest with a version'],
    [
      'uses: actions/checkout@3d3c42e # v7.0.1',
      'actions/checkout@3d3c42e # v7.0.1 is not pinned by a digest with a version',
    ],
  ])('not pinned: %s', (line, problem) => {
    expect(pinProblems({ 'a.yml': `    ${line}\n` })).toEqual([`a.yml: ${problem}`]);
  });

  test('images of containers are pinned', () => {
    expect(workflows.flatMap(([file, it]) => containerProblems(file, it))).toEqual([]);
    const digest = `sha256:${'c'.repeat(64)}`;
    const jobs = {
      a: { container: 'debian:12', services: { b: { image: `postgres@${digest}` } } },
      c: { container: { image: `debian:12@${digest}` } },
      d: {},
    };
    expect(containerProblems('x.yml', { on: 'push', jobs })).toEqual([
      'x.yml: the image debian:12 of a is not pinned by a tag and a digest',
      `x.yml: the image postgres@${digest} of a is not pinned by a tag and a digest`,
    ]);
  });

  test('pinned in two ways', () => {
    const uses = (digest: string): string => `  - uses: actions/checkout@${digest} # v1.0.0\n`;
    const other = 'b'.repeat(40);
    expect(pinProblems({ 'a.yml': uses(DIGEST), 'b.yml': uses(other) + uses(DIGEST) })).toEqual([
      `b.yml: actions/checkout@${other} # v1.0.0 is pinned elsewhere as actions/checkout@${DIGEST} # v1.0.0`,
    ]);
    expect(pinProblems({ 'a.yml': '  - uses: ./\n' })).toEqual([]);
  });
});

describe('jobs', () => {
  test.each(workflows)('%s has least permissions, limits and no credentials', (file, workflow) => {
    expect(jobProblems(file, workflow)).toEqual([]);
  });

  test('mistakes are found', () => {
    const steps = [{ uses: `actions/checkout@${'a'.repeat(40)}` }, { run: 'echo "${{ github.head_ref }}"' }];
    const jobs = {
      a: { 'runs-on': 'ubuntu-latest', steps },
      b: { permissions: 'write-all', 'timeout-minutes': 11 },
      c: { permissions: { contents: 'write', packages: 'read' }, 'timeout-minutes': 5 },
    };
    expect(
      jobProblems('x.yml', { on: { pull_request_target: null }, permissions: { contents: 'read' }, jobs }),
    ).toEqual([
      'x.yml: permissions of the workflow are not {}',
      'x.yml: has no concurrency',
      'x.yml: runs on pull_request_target',
      'x.yml: a does not list its permissions',
      'x.yml: a has no timeout-minutes',
      'x.yml: a runs on a system that changes',
      'x.yml: a checks out with credentials',
      'x.yml: a has an expression in a script: echo "${{ github.head_ref }}"',
      'x.yml: b does not list its permissions',
      'x.yml: b may take more than ten minutes',
      'x.yml: c may write contents',
    ]);
    const release = { permissions: {}, concurrency: {}, on: 'push', jobs: { c: jobs.c } };
    expect(jobProblems('release.yml', release)).toEqual([]);
  });
});

describe('scripts', () => {
  const NPM = 'npm run'; // In two parts: test/docs/links.test.ts checks the names in sources.

  test.each(workflows)('%s names scripts, tasks and files that exist', (file, workflow) => {
    expect(nameProblems(file, workflow)).toEqual([]);
  });

  test('wrong names are found, also those of a matrix', () => {
    const run = (script: string, tasks: readonly string[] = []): readonly string[] => {
      const strategy = { matrix: { include: tasks.map((task) => ({ task })) } };
      return nameProblems('x.yml', { on: 'push', jobs: { a: { steps: [{ run: script }], strategy } } });
    };
    expect(run(`npm ci\n${NPM} chek -- types`)).toEqual([`x.yml: ${NPM} chek -- types names no script`]);
    expect(run(`${NPM} check -- tipes`)).toEqual([`x.yml: ${NPM} check -- tipes names no task`]);
    expect(run(`${NPM} test:e2e -- "$TASK"`, ['disk', 'disc'])).toEqual([
      `x.yml: ${NPM} test:e2e -- disc names no task`,
    ]);
    expect(run('node scripts/no.ts && .ci/run')).toEqual(['x.yml: scripts/no.ts does not exist']);
  });

  test('pull requests run every check, and only the nightly run everything', () => {
    const scripts = workflows.map(
      ([file, { jobs }]) => [file, Object.values(jobs).flatMap((it) => it.steps ?? [])] as const,
    );
    const commands = new Map(
      scripts.map(([file, steps]) => [file.split('/').at(-1), steps.map((it) => it.run ?? '').join('\n')]),
    );
    for (const it of ['drift', 'contract', 'change', 'types', 'lint', 'format', 'tests']) {
      expect(commands.get('pull-request.yml')).toContain(`npm run check -- ${it}\n`);
    }
    expect(commands.get('nightly.yml')).toContain('.ci/run nightly');
    // What .ci/run leaves to another job is in that job.
    const elsewhere = [...textOf('.ci/run').matchAll(/if has_debian_suites; then step (npm run .+?); fi/g)];
    expect(elsewhere).toHaveLength(2);
    for (const [, command] of elsewhere) expect(commands.get('nightly.yml')).toContain(`${command ?? ''}\n`);
    expect(commands.get('release.yml')).toContain('npm run release -- --dry-run');
  });
});

describe('forms', () => {
  const FORMS = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT });

  test('are valid', () => {
    expect(FORMS.map((it) => it.split('/').at(-1)).toSorted()).toEqual(['bug.yml', 'config.yml', 'feature.yml']);
    for (const file of FORMS) {
      const text = textOf(file);
      expect([file, ...(file.endsWith('config.yml') ? chooserProblems(text) : formProblems(text))]).toEqual([file]);
    }
    const { contact_links: links } = parse(textOf('.github/ISSUE_TEMPLATE/config.yml')) as {
      contact_links: { url: string }[];
    };
    expect(links.map((it) => it.url)).toEqual([MANIFEST.bugs?.url.replace(/issues$/, 'security/advisories/new')]);
  });

  test.each([
    ['name: A\nbody: []', 'The form has no description,The form has no field'],
    ['name: A\ndescription: B\nbody: [{ type: markdown, attributes: { value: C } }]', 'The form has no field'],
    [
      'name: A\ndescription: B\nbody: [{ type: text, attributes: { label: C } }]',
      'Element 1 has the unknown type text',
    ],
    ['name: A\ndescription: B\nbody: [{ type: input, attributes: { value: C } }]', 'Element 1 has no label'],
    [
      'name: A\ndescription: B\nbody: [{ type: dropdown, attributes: { label: C, options: [a, a] } }]',
      'Element 1 has an option twice',
    ],
    [
      'name: A\ndescription: B\nbody: [{ type: dropdown, attributes: { label: C, options: [None] } }]',
      'Element 1 has the reserved option None',
    ],
    ['name: A\ndescription: B\nbody: [{ type: checkboxes, attributes: { label: C } }]', 'Element 1 has no options'],
    [
      'name: A\ndescription: B\nbody: [{ type: input, id: a b, attributes: { label: C } }]',
      'Element 1 has an id with other characters than letters, digits, - and _',
    ],
    [
      'name: A\ndescription: B\nbody: [{ type: input, attributes: { label: C }, validations: { requird: true } }]',
      'Element 1 has unknown validations',
    ],
    [
      'name: A\ndescription: B\nlabel: x\nbody: [{ type: input, id: a, attributes: { label: C } }, { type: input, id: a, attributes: { label: D } }]',
      'The form has the unknown key label,Two elements have one id',
    ],
  ])('not valid: %j', (text, problems) => {
    expect(formProblems(text).join()).toBe(problems);
  });

  test('an invalid config.yml is found', () => {
    expect(chooserProblems('blank_issues: false\ncontact_links: [{ name: a, url: b }]')).toEqual([
      'has the unknown key blank_issues',
      'does not say whether blank issues are enabled',
      'has a link without name, url or about: {"name":"a","url":"b"}',
    ]);
  });
});

test('Dependabot updates both ecosystems in groups, and ignores packages that exist', () => {
  const { version, updates } = parse(textOf('.github/dependabot.yml')) as {
    version: number;
    updates: {
      'package-ecosystem': string;
      directory: string;
      groups: object;
      ignore?: { 'dependency-name': string }[];
    }[];
  };
  expect([version, updates.map((it) => it['package-ecosystem'])]).toEqual([2, ['npm', 'github-actions']]);
  for (const it of updates) expect([it.directory, Object.keys(it.groups).length > 0]).toEqual(['/', true]);
  const ignored = updates.flatMap((it) => it.ignore ?? []).map((it) => it['dependency-name']);
  expect(ignored.filter((it) => !(it in MANIFEST.devDependencies) && !(it in MANIFEST.dependencies))).toEqual([]);
});

test('.nvmrc is the major version of the Node that scripts use', () => {
  expect(textOf('.nvmrc')).toBe(`${MANIFEST.devDependencies['node']?.split('.')[0] ?? ''}\n`);
});
