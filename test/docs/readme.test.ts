/** The README's walk-through, run as written, against the server that it starts. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DEFAULT, startServerProcess } from '../kit/server-process.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => text ?? '',
);
const blockWith = (words: string) => blocks.find((block) => block.includes(words)) ?? '';
const tools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

// The walk-through is for people who have curl; the server itself does not need it.
it.runIf(tools || process.env.CI)('the README hands over, makes a receipt and verifies it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'handover-readme-'));
  const folder = mkdtempSync(join(tmpdir(), 'handover-readme-out-'));
  // Where dev mode keeps its data, and the README looks for it, unless told.
  const server = await startServerProcess({ dataDir: DEFAULT, env: { HOME: home } });
  const script = [blockWith('say()'), blockWith('handover receipt')]
    .join('\n')
    .replaceAll('http://127.0.0.1:3100', server.http)
    .replaceAll('npx handover', `"${process.execPath}" "${join(root, 'packages/server/bin/handover.js')}"`);
  const { HANDOVER_DATA_DIR: _, XDG_DATA_HOME: __, ...rest } = process.env;
  const env = { ...rest, HOME: home };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env });
  await server.stop('SIGTERM');
  const lines = stdout.trim().split('\n');
  const acks = lines.slice(0, 4).map((line) => JSON.parse(line) as { ok: boolean; session_state: string });
  expect(acks.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(acks.at(-1)?.session_state).toBe('SESSION_STATE_RESOLVED');
  expect(JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8'))).toMatchObject({ holder: 'bob' });
  expect(lines.slice(4).join('\n')).toMatch(/valid|ok|whole/i);
  rmSync(home, { recursive: true });
  rmSync(folder, { recursive: true });
});

it('the README connects every assistant, as written', async () => {
  const home = mkdtempSync(join(tmpdir(), 'handover-readme-home-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  // Stand-ins for the two programs that keep their own configuration.
  for (const name of ['claude', 'code']) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
  const lines = blockWith('handover install').trim().split('\n');
  const { CLIENTS } = await import('../../packages/server/src/cli/install/clients.js');
  expect(lines).toEqual(CLIENTS.map(({ name }) => `npx handover install ${name}`));
  for (const line of lines) {
    const [, , ...args] = line.split(' ');
    const env = { HOME: home, PATH: bin };
    const binary = join(root, 'packages/server/bin/handover.js');
    const { stdout } = await promisify(execFile)(process.execPath, [binary, ...args], { cwd: home, env });
    expect(stdout).toContain('added      MCP entry');
  }
  rmSync(home, { recursive: true });
}, 30_000);

it('the README names both commands and points only to pages that exist', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  expect(text).toContain('npm start');
  expect(text).toContain('npm test');
  for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g))
    expect(() => readFileSync(join(root, target ?? ''))).not.toThrow();
});
