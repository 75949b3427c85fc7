export default {
  rollcall: {
    input: process.env.OPENAPI_31,
    output: { target: 'generated/rollcall.ts', client: 'fetch', baseUrl: process.env.ROLLCALL_URL },
  },
};
