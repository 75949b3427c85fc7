export default {
  rollcall: {
    input: process.env.OPENAPI_31,
    output: {
      target: 'generated/rollcall.ts',
      client: 'fetch',
      baseUrl: { runtime: 'process.env.ROLLCALL_BASE_URL' },
      urlEncodeParameters: true,
    },
  },
};
