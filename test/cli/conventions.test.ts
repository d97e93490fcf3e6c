/** What scripts may rely on, with the command as it is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { handover, serve } from '../kit/handover-command.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const BIN = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));
const COUNTER = fileURLToPath(new URL('../kit/count-modules/register.mjs', import.meta.url));

/** The files of ours and of others that a command line loads; those of Node itself do not count. */
function loaded(...args: readonly string[]): readonly string[] {
  const list = join(temporaryFolder(), 'loaded');
  execFileSync(process.execPath, ['--import', COUNTER, BIN, ...args], {
    env: { ...process.env, LOADED_MODULES: list },
  });
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:') && !url.includes('count-modules'));
}

describe('the command', () => {
  it('console:L1 loads five files to say its version, and one command to explain one', () => {
    expect(loaded('--version').map((url) => url.split('/').at(-1))).toEqual([
      ...['handover.js', 'main.js', 'version.js', 'nobody-reads.js', 'package-root.js'],
    ]);
    const help = loaded('inbox', '--help').filter((url) => url.includes('/dist/cli/'));
    expect(help.some((url) => url.endsWith('/inbox.js'))).toBe(true);
    for (const other of ['serve', 'mcp', 'verify', 'receipt', 'export', 'webhooks'])
      expect(
        help.some((url) => url.endsWith(`/${other}.js`)),
        other,
      ).toBe(false);
  });

  it.each([
    [['nonsense'], 2, "unknown command 'nonsense'"],
    [['verfy'], 2, 'Did you mean verify?'],
    [['inbox', '--agnt', 'x'], 2, 'Did you mean --agent?'],
    [['verify', '--da', 'x'], 2, 'Did you mean --data-dir?'],
    [['inbox', '--timeout', '0', '--agent', 'x'], 2, 'a whole number of seconds from 1 to 86400. "handover'],
    [['inbox'], 2, '--agent NAME'],
    [['inbox', '--agent', 'a\nb'], 2, "the agent's name must be"],
    [['inbox', '--agent', 'x'], 3, 'no Handover data in'],
    [['verify'], 3, 'no Handover data in'],
    [['md', 'export', 'x'], 3, 'no Handover data in'],
    [['receipt', 'x'], 3, 'no Handover data in'],
    [['take', 'x', '--to', 'y'], 3, 'no Handover data in'],
    [['cancel', 'x'], 3, 'no Handover data in'],
    [['stop'], 5, '[NO_SERVER]'],
    [['verify', '/does/not/exist'], 3, '[NOT_FOUND]'],
    [['export'], 2, 'missing required argument'],
    [['help', 'exitcodes'], 2, 'Did you mean exit-codes?'],
    [['mcp', '--nonsense'], 1, 'unknown option'],
    [['serve', '--http-port', 'abc', '--dev', '--memory-only'], 2, 'MCP_HTTP_PORT'],
    [[], 2, 'Usage: handover'],
  ])('console:L5 console:L6 %j ends with %i and says what to do', async (args, code, said) => {
    const ended = handover(args);
    expect(await ended.exited).toBe(code);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).toMatch(/handover: .* {3}\[[A-Z_]+\]\n/);
    expect(ended.stdout).toBe('');
  });

  it('console:L4 says a failure in JSON, on stderr alone, where JSON was asked for', async () => {
    const ended = handover(['inbox', '--agent', 'x', '--json']);
    expect(await ended.exited).toBe(3);
    expect(ended.stdout).toBe('');
    expect(JSON.parse(ended.stderr)).toEqual({
      error: {
        code: 'NOT_FOUND',
        message: expect.stringContaining('no Handover data in'),
        fix: 'The first call of an assistant makes it; --data-dir names another folder',
        exit: 3,
      },
    });
  });

  it('console:L3 takes the data folder as -d, --data-dir and, with a note, --data', async () => {
    const folder = temporaryFolder();
    const server = serve(['--dev', '-d', folder]);
    await server.ready();
    for (const flag of ['-d', '--data-dir', '--data']) {
      const inbox = handover(['inbox', '--as', 'ann', flag, folder]);
      expect(await inbox.exited, flag).toBe(0);
      expect(inbox.stdout).toBe('Nobody called ann was ever here.\nNothing waits.\n');
      expect(inbox.stderr).toBe(flag === '--data' ? 'handover: --data is called --data-dir now\n' : '');
    }
    await server.stop();
  });

  it('console:L5 explains its exit codes', async () => {
    const help = handover(['help', 'exit-codes']);
    expect(await help.exited).toBe(0);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 130])
      expect(help.stdout).toMatch(new RegExp(`\n {2}${code} `));
  });

  it('console:L4 ends as interrupted, at once, when it is', () => {
    const folder = temporaryFolder();
    const shell = `"${process.execPath}" "${BIN}" mcp -d "${folder}" & child=$!; sleep 0.2; kill -INT $child; wait $child`;
    const { status } = spawnSync('bash', ['-m', '-c', shell], { stdio: ['pipe', 'ignore', 'ignore'] });
    expect(status).toBe(130);
  });
});
