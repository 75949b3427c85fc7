const assert = require('node:assert/strict');
const config = require('./config');
const ExpressServer = require('./expressServer');

(async () => {
  const { app } = new ExpressServer(0, config.OPENAPI_YAML);
  // As its launch() does, which says nothing of its port.
  app.use((error, _req, res, _next) => res.status(error.status ?? 500).json({ message: error.message }));
  const server = app.listen(0);
  const ask = async (path) => {
    const headers = { authorization: 'Bearer anything' };
    const { status } = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers });
    return status;
  };
  const id = '7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95';
  for (const path of [
    '/automations?limit=100',
    '/contact-properties',
    '/contacts/imports',
    `/contacts/imports/${id}`,
  ]) {
    assert.deepEqual([path, await ask(path)], [path, 200]);
  }
  for (const path of ['/automations?limit=101', '/contacts/imports/1', '/contacts/imports?status=none']) {
    assert.deepEqual([path, await ask(path)], [path, 400]);
  }
  server.close();
})();
