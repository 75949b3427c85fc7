import { defineConfig } from 'tsdown';

// For `import` and `require` alike, the generated types folded into one declaration file.
const published = {
  entry: { index: 'index.ts', 'tanstack-query': 'tanstack-query.ts' },
  hash: false,
  dts: true,
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
} as const;

export default defineConfig([
  { ...published, format: 'esm' },
  // openapi-fetch goes in: its own build for `require` hides its default export from ours.
  { ...published, format: 'cjs', deps: { alwaysBundle: ['openapi-fetch'], onlyBundle: false } },
  // What a browser loads: to be measured and tried, not published.
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
