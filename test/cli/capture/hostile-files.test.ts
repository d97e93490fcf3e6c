/**
 * Files that are not what they should be: pipes, which wait for a writer, and devices, which have no end. Every command has
 * a timer of its own here, so that one that hangs fails its test and nothing else.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putInSpool, spoolFolder, waiting } from '../../../packages/server/src/cli/capture/spool.js';
import { cleanEnv } from '../../kit/handover-process.js';
import { connectStdio } from '../../kit/mcp-clients.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { until } from '../../kit/until.js';
import { run, serversOn } from '../../stdio/support.js';

const SESSION = '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01';
/** As it is run: built. */
const CLI = new URL('../../../packages/server/dist/cli/', import.meta.url);
/** Far more than any of these needs. */
const IN_TIME = ['timeout', '--signal=KILL', '20'];

let home: string;
let data: string;
let shop: string;
beforeEach(() => {
  home = temporaryFolder();
  data = join(home, 'data');
  shop = join(home, 'shop');
  mkdirSync(join(home, '.claude', 'projects', '-shop'), { recursive: true });
  mkdirSync(shop);
  mkdirSync(data, { mode: 0o700 });
});
afterEach(async () => {
  for (const pid of serversOn(data)) process.kill(pid, 'SIGTERM');
  await until(() => serversOn(data).length === 0);
});

const env = () => ({ HOME: home, HANDOVER_DATA_DIR: data });
const hook = (event: string, cwd: string, session = SESSION) =>
  run(['hook', event, '--client', 'claude'], {
    env: env(),
    input: JSON.stringify({ session_id: session, cwd }),
    launcher: IN_TIME,
  });
const captureSpool = () => run(['capture', '--spool'], { env: env(), launcher: IN_TIME });

const KINDS = {
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a device': (path: string) => symlinkSync('/dev/zero', path),
} as const;
type Kind = keyof typeof KINDS;

function put(kind: Kind, path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  KINDS[kind](path);
}

/** A folder whose `.git` has that in the place of one of its files. */
function hostileProject(kind: Kind, file = '.git/config'): string {
  const folder = join(home, 'hostile');
  mkdirSync(folder, { recursive: true });
  if (file !== '.git') {
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
  }
  put(kind, join(folder, file));
  return folder;
}

const GIT_FILES = [
  '.git',
  '.git/config',
  '.git/HEAD',
  '.git/packed-refs',
  '.git/commondir',
  '.git/refs/heads/main',
];
const IN_GIT = GIT_FILES.flatMap((file) =>
  (Object.keys(KINDS) as Kind[]).map((kind) => [kind, file] as const),
);

describe('assistants:X5 a project whose git is hostile', () => {
  it.each(IN_GIT)('with %s for %s: the start of a conversation ends in time', async (kind, file) => {
    const { code, stdout, ms } = await hook('session-start', hostileProject(kind, file));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(ms).toBeLessThan(10_000);
  });

  it.each(Object.keys(KINDS) as Kind[])(
    'with %s: an assistant starts in it',
    async (kind) => {
      const folder = hostileProject(kind);
      const client = await connectStdio(data, { name: 'codex', env: env(), args: ['--project', folder] });
      const { tools } = await client.listTools();
      expect(tools.length).toBeGreaterThan(0);
      await client.close();
    },
    30_000,
  );
});

/** A conversation with work in it. */
function converse(session: string): string {
  const path = join(home, '.claude', 'projects', '-shop', `${session}.jsonl`);
  for (const content of ['Make it faster.', 'Look at the queue first.'])
    appendFileSync(path, `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  return path;
}

function tell(session: string, cwd: string, at = Date.now()): void {
  putInSpool(data, {
    ...{ v: 1, client: 'claude', agent: 'claude', event: 'session-end', session, at, parks: true },
    ...{ transcript: converse(session), cwd },
  });
}

const captured = (): readonly string[] =>
  existsSync(join(data, 'captures.json'))
    ? Object.keys(JSON.parse(readFileSync(join(data, 'captures.json'), 'utf8')).sessions)
    : [];

describe('assistants:X5 the spool', () => {
  it.each(Object.keys(KINDS) as Kind[])(
    'with an event of a project with %s in its git is captured whole',
    async (kind) => {
      tell('hostile', hostileProject(kind), Date.now() - 1_000);
      tell('healthy', shop);
      expect(await captureSpool()).toMatchObject({ code: 0 });
      expect(captured()).toEqual(expect.arrayContaining(['claude healthy', 'claude hostile']));
      expect(readdirSync(spoolFolder(data))).toEqual([]);
    },
  );

  it('goes on behind an event at which its process stands still: that is ended, by a thread of its own', async () => {
    tell('stuck', shop, Date.now() - 1_000);
    tell('healthy', shop);
    const asked = join(home, 'asked');
    const source = (file: string) => JSON.stringify(new URL(`capture/${file}`, CLI).href);
    // No timer of the main thread can fire while it waits like this.
    const script = `
      import { appendFileSync } from 'node:fs';
      import { drain } from ${source('drain.js')};
      import { watchSteps } from ${source('watchdog.js')};
      const capture = async ({ clientSession }) => {
        appendFileSync(${JSON.stringify(asked)}, clientSession + '\\n');
        if (clientSession === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        return { stored: true };
      };
      await drain(${JSON.stringify(data)}, () => ({ capture, beat: async () => undefined }), watchSteps(3_000));
    `;
    const drainOnce = () => {
      const [command = '', ...args] = [...IN_TIME, process.execPath, '--input-type=module', '-e', script];
      writeFileSync(asked, '');
      const { status } = spawnSync(command, args, { env: cleanEnv(env()) });
      return { isDone: status === 0, asked: readFileSync(asked, 'utf8') };
    };
    expect(drainOnce()).toMatchObject({ isDone: false, asked: 'stuck\n' });
    expect(drainOnce()).toMatchObject({ isDone: false, asked: 'healthy\nstuck\n' });
    expect(drainOnce()).toMatchObject({ isDone: true, asked: '' });
    const [name = '', ...others] = readdirSync(spoolFolder(data));
    expect([name.endsWith('.set-aside'), others]).toEqual([true, []]);
  }, 90_000);

  const OURS = ['captures.json', 'hooks.log', 'spool/draining', 'local-token', 'local-server.log'];
  const IN_DATA = OURS.flatMap((file) => (Object.keys(KINDS) as Kind[]).map((kind) => [kind, file] as const));
  it.each(IN_DATA)('with %s for %s: nothing stands still', async (kind, file) => {
    tell('healthy', shop);
    put(kind, join(data, file));
    const { code } = await captureSpool();
    expect(code).not.toBeNull();
    expect(await hook('session-start', shop)).toMatchObject({ code: 0 });
    // Where the server cannot write its token it waits, as it does while no server can be started.
    expect(waiting(data).length).toBeLessThanOrEqual(1);
  });
});
