/** What is to be done once a test has ended. */
const pending: (() => unknown)[] = [];

/** Has something done when the test has ended; what was asked for last comes first. */
export function afterTest(work: () => unknown): void {
  pending.push(work);
}

/** Does it all, even if some of it fails. @throws AggregateError of what has failed. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = [];
  for (const work of pending.splice(0).reverse()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'A test could not be cleaned up after.');
}
