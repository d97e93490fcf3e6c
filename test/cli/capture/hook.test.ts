/** `handover hook` and `handover capture` as clients and people run them. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putInSpool } from '../../../packages/server/src/cli/capture/spool.js';
import { BINARY, cleanEnv, HandoverProcess } from '../../kit/handover-process.js';
import { connectStdio } from '../../kit/mcp-clients.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { until } from '../../kit/until.js';
import { run, serversOn } from '../../stdio/support.js';

const COUNTER = fileURLToPath(new URL('../../kit/count-modules/register.mjs', import.meta.url));
const ONLY_TIMER = new URL('../../kit/only-timer.mjs', import.meta.url).href;
const SESSION = '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01';

let home: string;
let data: string;
let transcript: string;
beforeEach(() => {
  home = temporaryFolder();
  data = join(home, 'data');
  const projects = join(home, '.claude', 'projects', '-shop');
  mkdirSync(projects, { recursive: true });
  mkdirSync(join(home, 'shop'));
  mkdirSync(data, { mode: 0o700 });
  transcript = join(projects, `${SESSION}.jsonl`);
  const said = (text: string) => JSON.stringify({ type: 'user', message: { content: text } });
  writeFileSync(transcript, `${said('Make it faster.')}\n${said('password: canary-hunter2')}\n`);
});
afterEach(async () => {
  for (const pid of serversOn(data)) process.kill(pid, 'SIGTERM');
  await until(() => serversOn(data).length === 0);
});

const env = () => ({ HOME: home, HANDOVER_DATA_DIR: data });
const payload = (more: Record<string, unknown> = {}) =>
  JSON.stringify({ session_id: SESSION, transcript_path: transcript, cwd: join(home, 'shop'), ...more });
const hook = (args: readonly string[], input: string, openMs?: number) =>
  run(['hook', ...args], { env: env(), input, ...(openMs !== undefined && { openMs }) });

const SILENT = { code: 0, stdout: '', stderr: '' };

describe('a hook', () => {
  it('loads eighteen small files, and nothing of the server', () => {
    const list = join(home, 'loaded');
    execFileSync(process.execPath, ['--import', COUNTER, BINARY, 'hook', 'stop', '--client', 'claude'], {
      env: cleanEnv({ ...env(), LOADED_MODULES: list }),
      // Nothing follows, so that what is counted is the hook alone.
      input: payload({ cursor_version: '1' }),
    });
    const loaded = readFileSync(list, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:') && !url.includes('count-modules'))
      .map((url) => url.split('/').at(-1));
    expect(loaded).toEqual([
      ...['handover.js', 'main.js', 'version.js', 'nobody-reads.js', 'package-root.js', 'run-hook.js'],
      ...[
        'data-path.js',
        'own-folder.js',
        'clients.js',
        'hook-payload.js',
        'hooks-log.js',
        'read-stdin.js',
        'spool.js',
      ],
      'start-capture.js',
      ...['whose.js', 'make-folder.js', 'plain-file.js', 'spool-limits.js'],
    ]);
  });

  it.each([
    ['Cursor', { cursor_version: '1.7' }],
    ['Cursor', { conversation_id: 'x' }],
    ['VS Code', { hookEventName: 'Stop' }],
    ['VS Code', { sessionId: 'x' }],
  ])('assistants:X1 that %s runs does nothing (%j)', async (_who, more) => {
    expect(await hook(['Stop', '--client', 'claude'], payload(more))).toMatchObject(SILENT);
    expect(readdirSync(data)).toEqual(['hooks.log']);
  });

  it.each([
    ['stop', '800'],
    ['session-start', '2000'],
  ])('assistants:X5 %s ends by its own timer of %s ms when nothing else ends', async (event, ms) => {
    const timers = join(home, 'timers');
    const child = new HandoverProcess(['hook', event, '--client', 'claude'], {
      env: { ...env(), ONLY_TIMER: ms, TIMERS: timers },
      execArgv: ['--import', ONLY_TIMER],
      input: payload({ source: 'startup' }),
      // It stays open, and the timer of whoever reads it never ends.
      openUntil: /never/,
    });
    expect([await child.exited, child.stdout, child.stderr]).toEqual([0, '', '']);
    // It is the first thing that the hook asks for, so nothing comes before it.
    expect(readFileSync(timers, 'utf8').split('\n')).toEqual([ms, '400', '']);
  });

  it('that cannot be understood ends well, prints nothing, and leaves one line', async () => {
    const wrong: readonly (readonly [readonly string[], string, string])[] = [
      [['nonsense', '--client', 'claude'], payload(), 'unknown event nonsense'],
      [['stop', '--client', 'emacs'], payload(), 'unknown client emacs'],
      [['stop', '--client'], payload(), 'unknown client (none)'],
      [[], '', 'unknown event (none)'],
      [['stop', '--client', 'claude', '--what', 'x'], '{', 'stdin was no JSON object'],
      [['stop', '--client', 'claude'], '[]', 'stdin was no JSON object'],
      [['stop', '--client', 'claude'], payload({ session_id: '../x' }), 'the payload names no session'],
      [['stop', '--client', 'claude'], 'x'.repeat(1_048_577), 'was too long'],
    ];
    for (const [args, input, line] of wrong) {
      expect(await hook(args, input), line).toMatchObject(SILENT);
      expect(readFileSync(join(data, 'hooks.log'), 'utf8').split('\n').at(-2)).toContain(line);
    }
    expect(readFileSync(join(data, 'hooks.log'), 'utf8').split('\n')).toHaveLength(wrong.length + 1);
    expect(statSync(join(data, 'hooks.log')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(data, 'spool'))).toBe(false);
  });

  it('tells a person at a terminal what is wrong with the call, and ends well', () => {
    const line = [process.execPath, BINARY, 'hook', 'session-strt', '--client', 'claude'];
    const command = `${line.map((word) => `'${word}'`).join(' ')} </dev/null`;
    const said = execFileSync('script', ['-qec', command, '/dev/null'], { env: cleanEnv(env()) });
    expect(said.toString().replaceAll('\r', '')).toBe(
      'handover: unknown event session-strt; events are session-start, pre-compact, stop, stop-failure, session-end\n',
    );
  });

  it('does not wait for a client that keeps stdin open, nor for a folder that cannot be made', async () => {
    const open = spawn(process.execPath, [BINARY, 'hook', 'stop', '--client', 'claude'], {
      env: cleanEnv(env()),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const code = await new Promise((resolve) => open.once('exit', resolve));
    open.stdin.destroy();
    expect(code).toBe(0);
    const args = ['stop', '--client', 'claude', '--data-dir', '/proc/nowhere'];
    expect(await hook(args, payload())).toMatchObject(SILENT);
  });

  it('assistants:X4 assistants:X3 twice, through two configurations, is one entry that its own server keeps', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => hook(['session-end', '--client', 'claude'], payload())),
    );
    expect([one, two]).toEqual([expect.objectContaining(SILENT), expect.objectContaining(SILENT)]);
    await until(
      () => existsSync(join(data, 'captures.json')) && readdirSync(join(data, 'spool')).length === 0,
    );
    const taken = readFileSync(join(data, 'captures.json'), 'utf8');
    expect(taken).toContain('"sessionKey":"shop-claude-6f1c2b3a"');
    expect(taken).not.toContain('canary');
    const again = await run(
      [
        'capture',
        '--client',
        'claude',
        '--transcript',
        transcript,
        '--json',
        '--project',
        join(home, 'shop'),
      ],
      {
        env: env(),
      },
    );
    expect(JSON.parse(again.stdout)).toMatchObject({
      ...{ stored: true, sessionKey: 'shop-claude-6f1c2b3a', sequenceNumber: 2, parked: false },
    });
  });
});

describe('what waits in the spool', () => {
  const isSent = () =>
    existsSync(join(data, 'captures.json')) && readdirSync(join(data, 'spool')).length === 0;
  /** As an earlier hook left it, whose process was killed, or whose server was away. */
  function leave(): void {
    const told = { client: 'claude', event: 'session-end', at: Date.now(), session: SESSION } as const;
    putInSpool(data, { v: 1, ...told, transcript, cwd: join(home, 'shop'), parks: true });
  }

  it('is sent at the start of the next conversation', async () => {
    leave();
    expect(await hook(['session-start', '--client', 'claude'], payload())).toMatchObject(SILENT);
    await until(isSent);
  });

  it('is sent when an assistant starts its server', async () => {
    leave();
    const client = await connectStdio(data, { name: 'codex', env: env() });
    await until(isSent);
    await client.close();
  });
});

describe('capture by hand', () => {
  const capture = (...args: readonly string[]) =>
    run(['capture', '--client', 'claude', '--project', join(home, 'shop'), ...args], { env: env() });

  it('with --dry-run prints what would be stored, and stores nothing', async () => {
    const { code, stdout } = await capture('--dry-run', '--transcript', transcript);
    expect(code).toBe(0);
    expect(stdout).toBe(
      '## First asked\n- Make it faster.\n## Last asked\n- password: [redacted:assignment]\n',
    );
    const json = await capture('--dry-run', '--json', '--transcript', transcript);
    expect(JSON.parse(json.stdout)).toMatchObject({
      stored: false,
      entry: { metadata: { capture: { client: 'claude', event: 'manual', redacted: { assignment: 1 } } } },
    });
    expect(readdirSync(data)).toEqual([]);
  });

  it('assistants:X6 refuses what is not the client’s own transcript, and says so', async () => {
    const other = join(home, 'other.jsonl');
    writeFileSync(other, readFileSync(transcript));
    expect(await capture('--transcript', other)).toMatchObject({
      ...{ code: 1, stdout: '', stderr: expect.stringContaining('it is not below') },
    });
    expect(await run(['capture'], { env: env() })).toMatchObject({ code: 2 });
    expect(await run(['capture', '--client', 'emacs'], { env: env() })).toMatchObject({ code: 2 });
    expect(readdirSync(data)).toEqual([]);
  });
});
