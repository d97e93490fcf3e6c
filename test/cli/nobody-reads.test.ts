/** A reader that leaves early (`| head`) is no error: no trace of a stack, and the exit code that the command has anyway. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BINARY, cleanEnv } from '../kit/handover-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

/** `true` has left long before the command writes. */
function unread(...args: readonly string[]) {
  const script = 'set -o pipefail; "$@" | true';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, BINARY, ...args], {
    env: cleanEnv({ HOME: temporaryFolder() }),
    encoding: 'utf8',
  });
  return { status, stderr };
}

it.each([[['serve', '--help']], [['webhooks', 'dead']], [['--version']]])('%j ends quietly', (args) => {
  expect(unread(...args)).toEqual({ status: 0, stderr: '' });
});

it('a flaw is still told by the exit code', () => {
  const path = join(temporaryFolder(), 'not-an-export.json');
  writeFileSync(path, '{"format":"x"}');
  expect(unread('verify', path)).toEqual({ status: 1, stderr: '' });
});
