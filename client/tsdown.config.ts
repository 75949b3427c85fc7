import { defineConfig } from 'tsdown';

// The published builds, for `import` and `require`. The declaration files include the generated types.
const published = {
  entry: { index: 'index.ts' },
  dts: true,
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
} as const;

export default defineConfig([
  { ...published, format: 'esm' },
  // Bundles openapi-fetch, because its own build for `require` hides its default export from this bundle.
  { ...published, format: 'cjs', deps: { alwaysBundle: ['openapi-fetch'], onlyBundle: false } },
  // A bundle for browsers, for measurements and tests. It is not published.
  {
    entry: { 'rollcall-client.min': 'index.ts' },
    outDir: 'bundle',
    format: 'esm',
    dts: false,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    deps: { alwaysBundle: ['openapi-fetch'], onlyBundle: false },
  },
]);
