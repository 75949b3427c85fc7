import process from 'node:process';
import ts from 'typescript-eslint';

export default ts.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'built/',
      'generated/',
      '**/bundle/',
      'test/consumer/',
      'docs/examples/',
      'lab/runtimes/*.mjs',
      'test/web-page/src/',
      'lab/clients/programs/*.mjs',
      'lab/codegen/*/*.{mjs,ts}',
      'lab/extension/*.extension.ts',
      'testkit/helpers/',
    ],
  },
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./server/pages/assets/tsconfig.json', './tsconfig.json'],
        tsconfigRootDir: process.cwd(),
      },
    },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[property.name='pathname'] > NewExpression:has(MetaProperty)",
          message: 'It is percent-encoded: no path in a folder with a space. Use import.meta.dirname or fileURLToPath.',
        },
      ],
      // Imported by name, so that `.dependency-cruiser.js` sees it.
      'no-restricted-globals': ['error', 'process'],
    },
  },
  // The elements of a typed array are typed; the rule does not see it.
  {
    files: [
      'audit/conform/*-rules.ts',
      'test/audit/mutants/*-mutants.ts',
      'test/audit/lists/shapes/*.ts',
      'test/audit/mutants/differences.ts',
    ],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    files: ['server/compose.ts', 'server/http/**/*.ts', 'testkit/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'].map((name) => ({
          name,
          message:
            'Import it from server/real-time.ts: fake timers of a test suite must not stop the server of the test kit.',
        })),
      ],
    },
  },
  {
    files: ['test/**', 'lab/**'],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-properties': [
        'error',
        {
          property: 'waitForFunction',
          message: 'It evaluates again within the page, whose policy forbids that. Use `until` with `page.evaluate`.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.test.ts'],
    ignores: ['test/cache/**'], // It gives each check its seed.
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'Import test/support/fast-check.ts, which has a fixed seed.' },
      ],
    },
  },
  {
    files: ['{contract,server,import,client,audit,command,testkit,cli,test,scripts}/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/lab/**'], message: 'Nothing outside `lab/` imports it.' },
            { group: ['express-openapi-validator/*'], message: 'Import its public entry.' },
          ],
        },
      ],
    },
  },
  {
    files: ['test/types/**'],
    extends: [ts.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    files: ['**/*.js'],
    extends: [ts.configs.disableTypeChecked],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
);
