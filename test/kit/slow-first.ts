/**
 * The order in which files are tested: first those that take longest, so that no worker ends the run alone with one of them.
 * A fresh clone has no times of its own, and Vitest would begin with the largest files, which are seldom the slowest.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Half a minute and more each on two cores, the slowest first. */
export const SLOW = [
  'test/python/python.test.ts',
  'test/model/modes/modes.test.ts',
  'test/e2e/attacks.test.ts',
  'test/conformance/wire-fixtures-http.test.ts',
  'test/conformance/wire-fixtures-binding.test.ts',
  'test/sdk/rate-limit.test.ts',
  'test/conformance/wire-fixtures.test.ts',
  'test/faults/crash.test.ts',
  'test/e2e/flows.test.ts',
  'test/bridges/bridges.test.ts',
  'test/e2e/outbox.test.ts',
  'test/stdio/stdio.test.ts',
  'test/macp-client/client.test.ts',
  'test/e2e/accessibility.test.ts',
  'test/cli/capture/hostile-files.test.ts',
  'test/stdio/remote.test.ts',
  'test/packages/installed.test.ts',
  'test/stdio/inbox.test.ts',
];

const place = ({ moduleId }: TestSpecification): number => {
  const at = SLOW.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at < 0 ? SLOW.length : at;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
