/** What is to be done once a test, or all tests of a file, have ended. */
type Work = () => unknown;
export type After = (work: Work) => void;

const pending: Record<'test' | 'file', Work[]> = { test: [], file: [] };

/** Has something done when the test has ended; what was asked for last comes first. */
export const afterTest: After = (work) => pending.test.push(work);
/** Has something done when the last test of the file has ended. */
export const afterFile: After = (work) => pending.file.push(work);

/** Does it all, even if some of it fails. @throws AggregateError of what has failed. */
export async function cleanUp(what: keyof typeof pending): Promise<void> {
  const errors: unknown[] = [];
  for (const work of pending[what].splice(0).reverse()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `A ${what} could not be cleaned up after.`);
}
