/** Jest reads TypeScript the way Node does: types are stripped, by Node itself, and nothing moves. */
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
