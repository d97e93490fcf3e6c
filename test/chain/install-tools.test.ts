import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

function copyOfTools(): string {
  const made = mkdtempSync(join(tmpdir(), 'handover-tools-'));
  mkdirSync(join(made, 'tools'));
  for (const path of ['scripts/install-tools.mjs', 'tools/package.json', 'tools/.npmrc'])
    cpSync(join(ROOT, path), join(made, path));
  return made;
}

const run = (cwd: string, env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['scripts/install-tools.mjs'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

describe('tools for tests', () => {
  it('that are there cost nothing and say nothing', () => {
    run(ROOT);
    const started = performance.now();
    const { status, stdout, stderr } = run(ROOT);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('that cannot be had fail with one line, and leave nothing in the way of the next try', () => {
    folder = copyOfTools();
    // Nothing listens there.
    const { status, stdout, stderr } = run(folder, {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_cache: join(folder, 'cache'),
    });
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^anvil and PostgreSQL could not be installed: /);
    expect(existsSync(join(folder, 'tools/.installing'))).toBe(false);
  });
});
