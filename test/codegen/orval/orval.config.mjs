export default {
  rollcall: {
    input: process.env.OPENAPI,
    output: { target: 'generated/rollcall.ts', client: 'fetch', baseUrl: process.env.ROLLCALL_URL },
  },
};
