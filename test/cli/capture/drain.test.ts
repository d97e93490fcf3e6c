/** From the spool to the log, with a real server behind its real socket. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StreamKind } from '@handover/core';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CaptureTarget } from '../../../packages/server/src/cli/capture/capture-target.js';
import { drain } from '../../../packages/server/src/cli/capture/drain.js';
import { logHook } from '../../../packages/server/src/cli/capture/hooks-log.js';
import { localTarget } from '../../../packages/server/src/cli/capture/local-target.js';
import { takeTurn } from '../../../packages/server/src/cli/capture/one-at-a-time.js';
import {
  putInSpool,
  type SpooledEvent,
  spoolFolder,
  waiting,
} from '../../../packages/server/src/cli/capture/spool.js';

import { targetOf } from '../../../packages/server/src/cli/capture/target-of.js';
import type { Server } from '../../../packages/server/src/server.js';
import { openSqliteReadOnly } from '../../../packages/server/src/store/sqlite/read-only.js';
import { call, connectHttp } from '../../kit/mcp-clients.js';
import { openServer } from '../../kit/server.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const before = process.env.HOME;
const SESSION = '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01';
const KEY = 'shop-claude-6f1c2b3a';

let home: string;
let data: string;
let shop: string;
let transcript: string;
let server: Server;
const clients: Client[] = [];

beforeEach(() => {
  home = temporaryFolder();
  process.env.HOME = home;
  data = join(home, 'data');
  shop = join(home, 'shop');
  const projects = join(home, '.claude', 'projects', '-shop');
  for (const folder of [data, shop, projects]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  transcript = join(projects, `${SESSION}.jsonl`);
  writeFileSync(transcript, '');
  execFileSync('git', ['init', '-q', '-b', 'nightly'], { cwd: shop });
});
afterEach(() => {
  process.env.HOME = before;
});

const say = (text: string) =>
  appendFileSync(
    transcript,
    `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`,
  );

function work(): void {
  say('The nightly import must finish before 06:00.');
  say('Look at the queue first.');
}

function tell(event: SpooledEvent['event'], more: Partial<SpooledEvent> = {}): boolean {
  const told = { client: 'claude', agent: 'claude', event, at: Date.now(), session: SESSION } as const;
  return putInSpool(data, { v: 1, ...told, transcript, cwd: shop, parks: true, ...more });
}

const drained = (target?: CaptureTarget) => drain(data, (event) => target ?? targetOf(data, event));

async function as(agent: string): Promise<Client> {
  const client = await connectHttp(new URL('/mcp', server.httpUrl), agent);
  clients.push(client);
  return client;
}

async function read(uri: string, agent = 'claude') {
  const client = await as(agent);
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text);
}

/** Codex has the work of the conversation. */
async function givenAway(): Promise<void> {
  const [owner, target] = [await as('claude'), await as('codex')];
  const asked = { sessionKey: KEY, targetAgent: 'codex', requestType: 'full_handoff', autoCommit: true };
  const { handoffId } = await call(owner, 'requestHandoff', asked);
  await call(target, 'acceptHandoff', { handoffId });
}

const entries = async (key = KEY, agent = 'claude') =>
  (await read(`handoff://context/${key}`, agent)).entries as {
    content: string;
    metadata: { capture: never };
  }[];

const sessions = async (agent = 'claude') =>
  ((await read('handoff://sessions', agent)).sessions as { sessionKey: string }[]).map(
    ({ sessionKey }) => sessionKey,
  );

describe('what hooks told', () => {
  beforeEach(async () => {
    server = await openServer({ flags: { dataDir: data } });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await server.close();
  });

  it('assistants:X3 becomes an entry of the conversation’s own session, once there is work in it', async () => {
    say('Hello');
    tell('stop');
    await drained();
    expect(waiting(data)).toEqual([]);
    expect(await sessions()).toEqual([]);
    say('The nightly import must finish before 06:00.');
    tell('stop', { at: Date.now() + 3_000 });
    await drained();
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry?.content).toContain('- The nightly import must finish before 06:00.');
    expect(entry?.metadata.capture).toMatchObject({
      v: 1,
      client: 'claude',
      event: 'Stop',
      clientSession: SESSION,
    });
    expect(JSON.stringify(entry)).toContain('branch nightly');
    const { summary } = await read(`handoff://summary/${KEY}`);
    expect(summary).toMatch(/## Captured\n[\s\S]*Hello[\s\S]*## Git\n[\s\S]*branch nightly/);
  });

  it('assistants:5.1 of work that another has now is told again only when more was done since', async () => {
    work();
    tell('pre-compact');
    await drained();
    await givenAway();
    say('Go on.');
    tell('session-end', { at: Date.now() - 6_000 });
    await drained();
    expect(await sessions()).not.toContain(`${KEY}-2`);
    expect(await entries(KEY, 'codex')).toHaveLength(1);
    // What was not stored counts for the next time.
    say('And the index of the shop.');
    tell('session-end');
    await drained();
    expect(await entries(`${KEY}-2`)).toHaveLength(1);
    const { sessions: listed } = await call(await as('claude'), 'listSessions', { project: '*' });
    expect(listed).toContainEqual(expect.objectContaining({ sessionKey: `${KEY}-2`, parkedFor: '*' }));
  });

  it('of a turn is an entry only if something changed, and once in a minute', async () => {
    work();
    const at = Date.now();
    tell('stop', { at });
    tell('stop', { at: at + 120_000 });
    await drained();
    expect(await entries()).toHaveLength(1);
    say('More.');
    tell('stop', { at: at + 30_000 });
    await drained();
    expect(await entries()).toHaveLength(1);
    tell('stop', { at: at + 90_000 });
    await drained();
    expect(await entries()).toHaveLength(2);
  });

  it('assistants:X4 twice through two configurations is one entry, also across the border of two seconds', async () => {
    work();
    const at = Math.floor(Date.now() / 2_000) * 2_000;
    expect(tell('pre-compact', { at })).toBe(true);
    expect(tell('pre-compact', { at: at + 1_999 })).toBe(false);
    expect(tell('pre-compact', { at: at + 2_000 })).toBe(true);
    await drained();
    expect(await entries()).toHaveLength(1);
  });

  it('is stored once by a process that is killed after the server had it', async () => {
    work();
    tell('pre-compact');
    const target = localTarget(data, 'claude');
    const killed: CaptureTarget = {
      ...target,
      capture: async (...args) => {
        await target.capture(...args);
        throw new Error('killed');
      },
    };
    await drained(killed);
    expect(waiting(data)).toHaveLength(1);
    // What is sent again is what was sent, whatever has happened since.
    say('Something else.');
    await drained();
    expect(waiting(data)).toEqual([]);
    expect(readdirSync(spoolFolder(data))).toEqual([]);
    expect(await entries()).toHaveLength(1);
  });

  it('waits where no server takes it, and is said in the log', async () => {
    work();
    tell('session-end');
    const away: CaptureTarget = {
      ...localTarget(data, 'claude'),
      capture: () => Promise.reject(new Error('no server')),
    };
    await drained(away);
    expect(waiting(data)).toHaveLength(1);
    expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toMatch(
      /session-end of claude: waits: no server\n$/,
    );
    await drained();
    expect(await entries()).toHaveLength(1);
  });

  it('goes when the server refuses it, or after seven days', async () => {
    work();
    tell('pre-compact', { session: 'x', agent: 'claude', at: Date.now() - 8 * 86_400_000 });
    tell('pre-compact', { session: `s${'x'.repeat(200)}` });
    await drained();
    expect(waiting(data)).toEqual([]);
    expect(await sessions()).toEqual([]);
    const log = readFileSync(join(data, 'hooks.log'), 'utf8');
    expect(log).toContain('refused: clientSession');
    expect(log).toContain('pre-compact of claude: dropped: nobody took it for seven days');
  });

  it('goes on behind files that are no events: each is set aside and named once', async () => {
    work();
    tell('session-end');
    const sound = {
      v: 1,
      client: 'claude',
      event: 'stop',
      session: 's',
      at: Date.now() - 1_000,
      parks: true,
    };
    // Each of them is older than the event, and is looked at first.
    const odd = [
      ...['no JSON', 'null', '[]', `{"v":1,"at":${sound.at}}`, 'x'.repeat(70_000)],
      ...[{ client: 'emacs' }, { event: 'nonsense' }, { session: 7 }, { at: 1e300 }, { cwd: 7 }].map(
        (wrong) => JSON.stringify({ ...sound, ...wrong }),
      ),
    ];
    const name = (n: number) => `${String(n).repeat(64)}.json`;
    odd.forEach((text, n) => {
      writeFileSync(join(spoolFolder(data), name(n)), text);
    });
    await drained();
    expect(await entries()).toHaveLength(1);
    await drained();
    expect(readdirSync(spoolFolder(data)).sort()).toEqual(odd.map((_, n) => `${name(n)}.set-aside`));
    const lines = readFileSync(join(data, 'hooks.log'), 'utf8').split('\n');
    for (const n of odd.keys()) expect(lines.filter((line) => line.includes(name(n)))).toHaveLength(1);
  });

  it('goes on behind an event that fails before a server is asked', async () => {
    work();
    tell('session-end');
    tell('pre-compact', { session: 'other', at: Date.now() - 1_000 });
    const [first = ''] = waiting(data).filter((name) =>
      readFileSync(join(spoolFolder(data), name), 'utf8').includes('"other"'),
    );
    mkdirSync(join(spoolFolder(data), `${first}.prepared`));
    await drained();
    expect(waiting(data)).toEqual([first]);
    expect(await entries()).toHaveLength(1);
  });

  it('assistants:X5 goes on behind an event that no process survived: it goes last, and is set aside after the second time', async () => {
    work();
    tell('session-end');
    tell('pre-compact', { session: 'deadly', at: Date.now() - 1_000 });
    const [deadly = ''] = waiting(data).filter((name) =>
      readFileSync(join(spoolFolder(data), name), 'utf8').includes('"deadly"'),
    );
    const begun = join(spoolFolder(data), `${deadly}.begun`);
    const seen: string[] = [];
    const target: CaptureTarget = {
      capture: async ({ clientSession }) => {
        seen.push(clientSession);
        throw new Error('away');
      },
      beat: async () => undefined,
    };
    writeFileSync(begun, '.');
    await drained(target);
    expect(seen).toEqual([SESSION]);
    expect(existsSync(begun)).toBe(true);
    writeFileSync(begun, '..');
    await drained();
    expect(await entries()).toHaveLength(1);
    expect(readdirSync(spoolFolder(data))).toEqual([`${deadly}.set-aside`]);
    expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toContain(
      `pre-compact of claude: no process survived it, and set aside: ${join(spoolFolder(data), deadly)}`,
    );
  });

  it('assistants:X5 is captured though what is known of others is damaged; that is dropped, and the rest is kept', async () => {
    work();
    tell('session-end');
    const known = { at: Date.now(), event: 'Stop', digest: 'x', sessionKey: 'kept' };
    const mark = { path: transcript, offset: 0, conversation: { asks: 1 } };
    const damaged = [
      null,
      7,
      [],
      {},
      { ...known, at: 'x' },
      { ...known, sessionKey: {} },
      { ...known, mark },
    ];
    const rows = damaged.map((row, n) => [`claude damaged-${n}`, row]);
    const sessions = { ...Object.fromEntries(rows), [`claude ${SESSION}`]: null, 'claude kept': known };
    writeFileSync(join(data, 'captures.json'), JSON.stringify({ v: 1, sessions }));
    await drained();
    expect(await entries()).toHaveLength(1);
    const after = JSON.parse(readFileSync(join(data, 'captures.json'), 'utf8'));
    expect(Object.keys(after.sessions).sort()).toEqual([`claude ${SESSION}`, 'claude kept']);
    for (const text of ['null', '[]', '{"v":1}', '{"v":1,"sessions":null}', '{"v":1,"sessions":[null]}']) {
      writeFileSync(join(data, 'captures.json'), text);
      say(`After ${text}`);
      tell('session-end', { at: Date.now() + 60_000 + text.length * 10_000 });
      await drained();
      expect(waiting(data)).toEqual([]);
    }
  });

  it('assistants:X5 has left when it was captured and only that cannot be remembered', async () => {
    work();
    tell('session-end');
    mkdirSync(join(data, 'captures.json'));
    await drained();
    expect(await entries()).toHaveLength(1);
    expect(waiting(data)).toEqual([]);
    expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toContain('captured, but not remembered');
  });

  it('goes on where what was prepared of it is damaged', async () => {
    work();
    tell('session-end');
    const [name = ''] = waiting(data);
    writeFileSync(join(spoolFolder(data), `${name}.prepared`), '{"request":7}');
    await drained();
    expect(await entries()).toHaveLength(1);
  });

  it('goes into the only session that the agent has open, but never into that of another conversation', async () => {
    const client = await as('claude');
    await call(client, 'registerSession', { sessionKey: 'mine', agentFrom: 'claude' });
    work();
    tell('pre-compact');
    await drained();
    expect(await entries('mine')).toHaveLength(1);
    await call(client, 'registerSession', { sessionKey: 'second', agentFrom: 'claude' });
    // It stays where it was captured before.
    // Its end says nothing that its last turn did not say.
    tell('session-end', { parks: false, at: Date.now() + 10_000 });
    await drained();
    expect(await entries('mine')).toHaveLength(1);
    say('And the replica, too.');
    tell('session-end', { parks: false, at: Date.now() + 20_000 });
    await drained();
    expect(await entries('mine')).toHaveLength(2);
    tell('pre-compact', { session: '11111111-2222', transcript });
    await drained();
    expect(await entries('shop-claude-11111111')).toHaveLength(1);
  });

  it('assistants:X2 leaves the work for others when the conversation cannot go on', async () => {
    work();
    tell('stop-failure', { error: 'rate_limit' });
    await drained();
    const [entry] = await entries();
    expect(entry?.content).toMatch(/^## Stopped\n- rate_limit\n/);
    expect(await logged('WorklogParked')).toEqual([
      expect.objectContaining({
        takers: ['*'],
        by: 'hook',
        event: 'StopFailure',
        request_type: 'full_handoff',
      }),
    ]);
  });

  it('leaves it for others at the end of a conversation, and at no other event', async () => {
    const told = async (nth: number, event: SpooledEvent['event'], more: Partial<SpooledEvent> = {}) => {
      tell(event, { session: `${nth}0000000-1`, ...more });
      await drained();
      return logged('WorklogParked', `shop-claude-${nth}0000000`);
    };
    work();
    expect(await told(1, 'session-end')).toEqual([expect.objectContaining({ event: 'SessionEnd' })]);
    expect(await told(2, 'session-end', { parks: false })).toEqual([]);
    expect(await told(3, 'stop-failure', { error: 'invalid_request' })).toEqual([]);
    expect(await told(4, 'stop')).toEqual([]);
    expect(await told(5, 'pre-compact')).toEqual([]);
    expect(await sessions()).toHaveLength(5);
  });

  it('opens another session when the first was given away', async () => {
    work();
    tell('pre-compact');
    await drained();
    await givenAway();
    work();
    tell('session-end');
    await drained();
    expect(await entries(`${KEY}-2`)).toHaveLength(1);
    expect(await entries(KEY, 'codex')).toHaveLength(1);
  });

  it('assistants:Z4 holds no secret that has a shape: not in the folder, not in its log', async () => {
    work();
    say(`use ghp_${'c'.repeat(36)} and password: canary-hunter2`);
    tell('stop-failure', { error: 'rate_limit' });
    await drained();
    expect(await entries()).toHaveLength(1);
    await server.close();
    for (const name of readdirSync(data, { recursive: true }) as string[]) {
      const path = join(data, name);
      if (statSync(path).isFile()) expect(readFileSync(path, 'latin1'), name).not.toMatch(/ghp_ccc|canary/);
    }
  });
});

/** Facts of the entries of a type, in the working session of the conversation. */
async function logged(type: string, key = KEY): Promise<readonly unknown[]> {
  const store = await openSqliteReadOnly(data);
  try {
    const entries = await store.load({ tenant: 'default', kind: StreamKind.Worklog, id: key }, 0, 100);
    return entries.filter((entry) => entry.type === type).map(({ facts }) => facts);
  } finally {
    await store.close();
  }
}

describe('the files of hooks', () => {
  it('are drained by one process at a time, and by another when that one is gone', () => {
    const path = join(data, 'turn');
    const turn = takeTurn(path);
    expect(turn).toBeDefined();
    expect(takeTurn(path)).toBeUndefined();
    turn?.end();
    writeFileSync(path, '999999999');
    expect(takeTurn(path)).toBeDefined();
  });

  it('keep twenty of those that were set aside, the newest', async () => {
    mkdirSync(spoolFolder(data));
    const names = Array.from({ length: 25 }, (_, n) => `${String(n).padStart(64, '0')}.json`);
    for (const [n, name] of names.entries()) {
      writeFileSync(join(spoolFolder(data), name), 'no JSON');
      utimesSync(join(spoolFolder(data), name), n + 1, n + 1);
    }
    await drained();
    expect(readdirSync(spoolFolder(data)).sort()).toEqual(names.slice(5).map((name) => `${name}.set-aside`));
  });

  it('have an end: 1 MiB of log, 2,000 events of which the oldest go, and that is said', () => {
    writeFileSync(join(data, 'hooks.log'), 'x'.repeat(1_048_570));
    logHook(data, 'a\nb\u001b[31m');
    expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toMatch(/^\S+ a b \[31m\n$/);
    tell('stop');
    const [own = ''] = waiting(data);
    const past = (days: number) => new Date(Date.now() - days * 86_400_000);
    const put = (n: number, bytes: number, days: number, ending = 'json') => {
      const path = join(spoolFolder(data), `${String(n).padStart(64, '0')}.${ending}`);
      writeFileSync(path, 'x'.repeat(bytes));
      utimesSync(path, past(days), past(days));
    };
    for (let n = 0; n < 2_000; n++) put(n, 0, n === 7 ? 3 : 2);
    expect(tell('pre-compact')).toBe(true);
    expect(waiting(data)).toHaveLength(2_000);
    expect(waiting(data)).toContain(own);
    expect(waiting(data)).not.toContain(`${'7'.padStart(64, '0')}.json`);
    expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toMatch(/dropped from the spool: the 2 oldest/);
  });

  it('assistants:6.7 hold at most 64 MiB, and nothing older than seven days', () => {
    const put = (n: number, bytes: number, days: number, ending: string) => {
      const path = join(spoolFolder(data), `${String(n).repeat(64)}.${ending}`);
      writeFileSync(path, 'x'.repeat(bytes));
      const at = new Date(Date.now() - days * 86_400_000);
      utimesSync(path, at, at);
    };
    tell('stop');
    const [own = ''] = waiting(data);
    for (const n of [1, 2, 3]) {
      put(n, 10, n, 'json');
      // What was prepared goes with its event, however new it is.
      put(n, 30 * 1_048_576, 0, 'json.prepared');
    }
    put(4, 10, 8, 'tmp');
    tell('pre-compact');
    expect(readdirSync(spoolFolder(data)).sort()).toEqual(
      [
        own,
        ...[1, 2].flatMap((n) =>
          ['json', 'json.prepared'].map((ending) => `${String(n).repeat(64)}.${ending}`),
        ),
        ...waiting(data).filter((name) => name !== own && !/^(.)\1{63}/.test(name)),
      ].sort(),
    );
    expect(existsSync(join(data, 'spool'))).toBe(true);
  });
});
