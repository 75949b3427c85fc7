import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';

export default defineConfig({
  input: { path: process.env.OPENAPI_31 },
  output: { path: 'generated', clean: true, extension: { '.ts': '.js' } },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types' } }),
    pluginZod({ output: { path: 'zod' } }),
    pluginClient({ output: { path: 'client' }, parser: 'zod', bundle: true }),
  ],
});
