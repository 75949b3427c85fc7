/**
 * Which folder may import which, and which packages: `depcruise`, as a part of `npm run check:lint`. What is not listed here is rejected, type
 * imports included. No file and no folder imports itself in a circle.
 */
const EDGE = [
  'server/compose.ts',
  'server/http',
  'server/observe',
  'import',
  'server/store/sqlite',
  'server/store',
  'server/runtime.ts',
  'contract',
];
/** The folders that each folder may import, besides itself. A folder counts with all that is below it and has no entry of its own. */
const PRODUCT = {
  'cli/main.ts': ['cli', 'server/runtime.ts'],
  cli: ['testkit', 'command', 'audit/conform', 'audit/report', 'audit/rules', 'server/store/postgres', ...EDGE],
  testkit: [...EDGE, 'server/real-time.ts', 'generated'],
  'audit/main.ts': ['command'],
  'audit/child.ts': [],
  'audit/testing.ts': ['audit/fake'],
  'audit/examine': ['audit/fake', 'audit/lists', 'audit/session', 'audit/rules', 'audit/child.ts', 'contract'],
  'audit/fake': ['audit/lists'],
  command: [
    ...[
      'audit/child.ts',
      'audit/conform',
      'audit/examine',
      'audit/fake',
      'audit/lists',
      'audit/session',
      'audit/report',
      'audit/rules',
      'contract',
    ],
  ],
  'audit/conform': ['audit/lists', 'audit/session', 'audit/rules', 'contract'],
  'audit/lists': ['audit/session', 'audit/rules', 'contract'],
  'audit/session': ['audit/rules', 'contract', 'client/retry-after.ts'],
  'audit/report': ['audit/rules', 'contract'],
  'audit/rules': ['contract'],
  'server/compose.ts': ['server/http', 'server/pages', 'server/handlers.ts', 'server/store', 'contract'],
  'server/http': ['server/pages', 'server/store', 'server/real-time.ts', 'contract'],
  'server/pages/assets/console': ['server/pages/assets/shared', 'client/retry-after.ts'],
  'server/pages/assets/reference': ['server/pages/assets/shared'],
  'server/pages/assets/shared': [],
  'server/pages': ['contract'],
  'server/observe': ['server/http', 'server/store'],
  'server/handlers.ts': ['server/store', 'contract'],
  import: ['server/store', 'contract'],
  'server/store/sqlite': ['server/store', 'server/real-time.ts', 'contract'],
  'server/store/postgres': ['server/store', 'contract'],
  'server/store': ['contract'],
  'server/runtime.ts': [],
  'server/real-time.ts': [],
  contract: ['generated'],
  client: ['client/retry-after.ts', 'generated'],
  'client/retry-after.ts': [],
  generated: [],
};
/** With the folders that are not shipped. These may import every package and every module of Node. */
const FOLDERS = {
  ...PRODUCT,
  scripts: [
    'server/pages/assets/reference',
    'server/pages/assets/shared',
    'audit/conform',
    'audit/lists',
    'audit/rules',
    'audit/fake',
    'cli',
    'contract',
  ],
  test: [...Object.keys(PRODUCT), 'scripts'],
  lab: [...Object.keys(PRODUCT), 'scripts', 'test'],
};
const NOT_SHIPPED = '^(lab|scripts|test)/';
/** The folders that may import each package, and each module of Node. */
const PACKAGES = {
  'openapi-fetch': ['client'],
  ajv: ['contract', 'audit/lists'],
  express: ['server/http', 'testkit'],
  'express-openapi-validator': ['server/http', 'testkit'],
  'lit-html': ['server/pages/assets/console'],
  'lru-cache': ['server/http', 'server/store/postgres'],
  'rate-limiter-flexible': ['server/http'],
  'csv-parse': ['import'],
  'better-sqlite3': ['server/store/sqlite'],
  pg: ['server/store/postgres'],
  'pg-copy-streams': ['server/store/postgres'],
  commander: ['cli', 'audit/main.ts', 'command'],
  'yocto-spinner': ['cli', 'command'],
  yaml: ['audit/lists'],
  'prom-client': ['server/observe'],
};
const NODE = {
  // Commands of users are killed with their process groups.
  process: ['cli/main.ts', 'server/runtime.ts', 'cli', 'audit/main.ts', 'audit/child.ts', 'command'],
  fs: ['audit/examine', 'cli', 'command', 'contract', 'server/pages', 'server/store/sqlite'],
  http: ['server/http', 'server/pages', 'server/observe', 'audit/fake', 'audit/session', 'testkit'],
  net: ['server/http', 'server/pages', 'server/observe', 'audit/fake', 'audit/session'],
};
const WITHOUT_NODE = [
  'server/handlers.ts',
  'client',
  'client/retry-after.ts',
  'generated',
  'server/pages/assets/console',
  'server/pages/assets/reference',
  'server/pages/assets/shared',
];

const names = Object.keys(FOLDERS);
/** @returns the pattern of the files of a folder, without those of entries below it. */
const filesOf = (name) => {
  const inner = names.filter((other) => other.startsWith(`${name}/`)).map((other) => other.slice(name.length + 1));
  if (name.endsWith('.ts')) return `^${name}$`;
  return inner.length === 0 ? `^${name}/` : `^${name}/(?!(${inner.join('|')})(/|$))`;
};
const filesOfAll = (of) => of.map(filesOf);
const error = (name, from, to) => ({ name, severity: 'error', from, to });

export default {
  forbidden: [
    ...Object.entries(FOLDERS).map(([name, others]) =>
      error(
        `${name} imports ${others.join(', ') || 'no other folder'}`,
        { path: filesOf(name) },
        {
          path: '^[^/]+/',
          pathNot: ['node_modules/', ...filesOfAll([name, ...others])],
          dependencyTypesNot: ['core'],
          couldNotResolve: false,
        },
      ),
    ),
    ...Object.entries(PACKAGES).map(([name, folders]) =>
      error(
        `${name} is imported by ${folders.join(', ')}`,
        { pathNot: [NOT_SHIPPED, ...filesOfAll(folders)] },
        { path: `node_modules/(@types/)?${name}/` },
      ),
    ),
    ...Object.entries(NODE).map(([name, folders]) =>
      error(
        `node:${name} is imported by ${folders.join(', ')}`,
        { pathNot: [NOT_SHIPPED, ...filesOfAll(folders)] },
        { path: `^(node:)?${name}(/promises)?$` },
      ),
    ),
    error('no module of Node here', { path: filesOfAll(WITHOUT_NODE) }, { dependencyTypes: ['core'] }),
    error(
      'no other package',
      { pathNot: NOT_SHIPPED },
      { path: 'node_modules/', pathNot: Object.keys(PACKAGES).map((name) => `node_modules/(@types/)?${name}/`) },
    ),
    error('every file is in the table', { pathNot: filesOfAll(names) }, {}),
    error(
      'what runs is in dependencies, visible to audits',
      { pathNot: NOT_SHIPPED },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: 'node_modules/(@types|pg|pg-copy-streams)/',
      },
    ),
    // Suites import what they install or generate; the compiler reads the rest.
    error('what is imported exists', { pathNot: '^(lab|test)/' }, { couldNotResolve: true }),
    error('no circle', {}, { circular: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    exclude: { path: '^testkit/helpers/|^client/tsdown\\.config\\.ts$' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
};
