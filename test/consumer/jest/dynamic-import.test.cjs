test('a CommonJS file loads the kit by import()', async () => {
  const { startRollcall } = await import('rollcall/testing');
  const server = await startRollcall();
  expect((await fetch(`${server.url}/automations`)).status).toBe(401);
  await server.close();
}, 30_000);
