/** Rules of the driver protocol: without them, no other rule can be judged. */
import { NotChecked } from '../../audit/rules/rule.ts';
import { say } from '../../audit/rules/text.ts';
import { FAILURES, LIST } from './failures.ts';
import { assertDone, assertThat } from './judge.ts';
import { forEachRun } from './rule.ts';
import type { Rule } from './rule.ts';
import type { Scenario } from './scenario.ts';
import { ERROR_EXIT_CODE, isPrintedId } from './task.ts';
import type { ListTask } from './task.ts';

/** The first run of an examination: one page of a list. */
export const PROBE: Scenario & { readonly task: ListTask } = {
  task: { do: 'list', collection: 'automations', limit: 3 },
  alternative: { do: 'list-all', collection: 'automations', limit: 3 },
  records: LIST.records,
};

const { list, listAll, get } = FAILURES.noKey;
const FAILING = [
  list,
  listAll,
  get,
  FAILURES.wrongKey.later,
  FAILURES.internal.later,
  FAILURES.reset.list,
  FAILURES.unavailable.list,
];

/** The rule that every other rule depends on. */
export const DRIVER_RUNS = 'driver.runs';

export const DRIVER_RULES: readonly Rule[] = [
  {
    id: DRIVER_RUNS,
    title: 'the command lists automations and prints one id per line',
    reason: 'If it fails, no other rule is checked: first make the driver work.',
    check: async ({ run }) => {
      const probe = await run(PROBE);
      const { lines } = probe.printed;
      const expected = 'one id per line, and exit code 0';
      assertDone(probe, expected);
      const stray = lines.find((it) => !isPrintedId(it));
      assertThat(probe, stray === undefined, expected, `a line that is no id: ${String(stray)}`);
      assertThat(probe, lines.length > 0 && probe.requests.length > 0, expected);
    },
  },
  {
    id: 'driver.exit_code',
    title: `the exit code is 0 after a result, and ${String(ERROR_EXIT_CODE)} after the line of an error`,
    reason: 'A script that calls a program sees its exit code first.',
    dependsOn: [DRIVER_RUNS],
    check: (examined) =>
      forEachRun(examined, FAILING, (run) => {
        const { ending, error } = run.printed;
        if (error === undefined || ending.kind !== 'exited') throw new NotChecked(say`the client reports no error`);
        const expected = `exit code ${String(ERROR_EXIT_CODE)} after the line of an error`;
        assertThat(run, ending.code === ERROR_EXIT_CODE, expected, `exit code ${String(ending.code)}`);
      }),
  },
];
