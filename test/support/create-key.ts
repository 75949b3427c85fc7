/** Keys, created as people do. */
import { expect } from '@jest/globals';
import { folder } from './own-database.ts';

/** Creates a key of account `acme`. @param argv more of its command. */
export async function create(...argv: string[]): Promise<{ id: string; key: string }> {
  const { code, stdout, stderr } = await folder.call(['keys', 'create', '--account', 'acme', ...argv]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^rollcall_[0-9a-f]{40}\n$/);
  const [, id = ''] =
    /^Created key ([0-9a-f]{16}) for account "acme"\. The key is not shown again\.\n/.exec(stderr) ?? [];
  return { id, key: stdout.trim() };
}
