import { defineConfig } from 'tsdown';

export default defineConfig([
  // What is published: for `import` and `require`, the generated types folded into one declaration file.
  {
    entry: 'index.ts',
    format: ['esm', 'cjs'],
    dts: true,
    platform: 'neutral',
    target: 'es2022',
    fixedExtension: false,
  },
  // What a browser loads, openapi-fetch included: to be measured and tried, not published.
  {
    entry: { 'rollcall-client.min': 'index.ts' },
    outDir: 'bundle',
    format: 'esm',
    dts: false,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    deps: { alwaysBundle: ['openapi-fetch'] },
  },
]);
