/** Ends the PostgreSQL server of a run of Jest. */
import { run } from './postgres-setup.ts';

export default async function teardown(): Promise<void> {
  await run.postgres?.remove();
}
