/** What `audit` reports of a list that is served: of a fault, a sound list or a shape. */
import { audit } from '../../../audit/lists/audit.ts';
import type { AuditOptions } from '../../../audit/lists/audit.ts';
import type { Profile } from '../../../audit/lists/profile.ts';
import { Said } from '../../../audit/rules/text.ts';
import { show } from '../../support/text.ts';

export interface Reported {
  /** The rules, in their order. */
  readonly failed: readonly string[];
  readonly noted: readonly string[];
  /** The first failure, for people; empty if there is none. */
  readonly finding: string;
  /** Why nothing was audited. */
  readonly refused: string | undefined;
  /** As it was found. */
  readonly profile: Profile | undefined;
  readonly sent: number;
}

/** @param server whose own errors, which no fault causes, are thrown. */
export async function reportOf(
  server: { readonly errors: readonly unknown[] },
  options: AuditOptions,
): Promise<Reported> {
  let profile: Profile | undefined;
  const run = audit({ ...options, inferred: (found) => void ({ profile } = found) });
  const reported = { failed: new Array<string>(), noted: new Array<string>() };
  let finding = '';
  let refused: string | undefined;
  try {
    for await (const it of run) {
      if (it.outcome !== 'failed' && it.outcome !== 'noted') continue;
      reported[it.outcome].push(it.rule);
      const [{ request, expected, actual }] = it.findings;
      if (it.outcome === 'failed' && finding === '') finding = `${request}: expected ${expected}, actual ${actual}`;
    }
  } catch (error) {
    refused = error instanceof Said ? show(error.text) : String(error);
  }
  if (server.errors.length > 0) throw new Error(`the server failed: ${server.errors.map(String).join(', ')}`);
  return { ...reported, finding, refused, profile, sent: run.sent };
}
