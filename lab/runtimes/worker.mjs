/** For workerd: the address and the key are bindings. */
import { tryClient } from 'program.mjs';

export default {
  async fetch(_request, { baseUrl, apiKey }) {
    try {
      return Response.json(await tryClient({ baseUrl, apiKey }));
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
