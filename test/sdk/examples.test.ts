/** Every example runs against a real server; each asserts for itself and ends non-zero when it is wrong. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FIRST_INSTALL_MS, pythonInterpreter } from '../python/run-python.js';
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

  it.each(examples)('%s', { timeout: FIRST_INSTALL_MS }, async (example) => {
    const python = example.includes('python') ? await pythonInterpreter() : undefined;
    const env = { ...process.env, HANDOVER_ADDRESS: server.address(), ...(python && { PYTHON: python }) };
    const args = ['--import', 'tsx', folder + example];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    if (stdout.startsWith('skipped')) console.warn(`${example}: ${stdout.trim()}`);
    expect(stdout.trim()).not.toBe('');
  });
});
