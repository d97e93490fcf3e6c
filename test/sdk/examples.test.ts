/** Every example runs against a real server; each asserts for itself and ends non-zero when it is wrong. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useServer } from './support/server.js';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const examples = readdirSync(folder).filter((file) => file.endsWith('.ts'));

describe('examples', () => {
  const server = useServer();

  it('are all here', () => {
    expect(examples).toEqual([
      'authority-delegation.ts',
      'decline-and-reoffer.ts',
      'escalating-agent.ts',
      'handoff-smoke.ts',
      'on-call-rotation.ts',
      'typescript-owner-python-target.ts',
    ]);
  });

  it.each(examples)('%s', async (example) => {
    const env = { ...process.env, HANDOVER_ADDRESS: server.address(), MACP_LOG_LEVEL: 'warn' };
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', folder + example], { env });
    const { stdout } = await run;
    if (stdout.startsWith('skipped')) console.warn(`${example}: ${stdout.trim()}`);
    expect(stdout.trim()).not.toBe('');
  });
});
