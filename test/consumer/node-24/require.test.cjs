const { startRollcall } = require('rollcall/testing');

test('the kit is loaded by require', async () => {
  const server = await startRollcall();
  expect((await fetch(`${server.url}/automations`)).status).toBe(401);
  await server.close();
}, 30_000);
