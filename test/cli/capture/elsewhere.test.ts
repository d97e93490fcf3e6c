/** Hooks and captures against a server elsewhere: real commands, a real server, and somebody between them who listens. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryStore } from '@handover/engine';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drain } from '../../../packages/server/src/cli/capture/drain.js';
import { putInSpool, type SpooledEvent, waiting } from '../../../packages/server/src/cli/capture/spool.js';
import { targetOf } from '../../../packages/server/src/cli/capture/target-of.js';
import type { Server } from '../../../packages/server/src/server.js';
import { BINARY, cleanEnv } from '../../kit/handover-process.js';
import { call, connectHttp, newClient } from '../../kit/mcp-clients.js';
import { NO_RATE_LIMITS } from '../../kit/no-rate-limits.js';
import { openServer } from '../../kit/server.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { tokensEnv } from '../../kit/tokens.js';
import { until } from '../../kit/until.js';
import { type Heard, json, ScriptedServer } from '../../stdio/remote-support.js';
import { run, serversOn } from '../../stdio/support.js';

const SESSION = '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01';
const KEY = 'shop-claude-6f1c2b3a';
const ANN = 'token-of-ann-1234567890';
const CANARIES = [`ghp_${'c'.repeat(36)}`, 'canary-hunter2', `AKIA${'C'.repeat(16)}`, 'canary-in-env'];

let home: string;
let data: string;
let shop: string;
let transcript: string;
let server: Server;
let store: ReturnType<typeof createMemoryStore>;
let between: ScriptedServer;

beforeEach(async () => {
  home = temporaryFolder();
  data = join(home, '.local', 'share', 'handover');
  shop = join(home, 'shop');
  const projects = join(home, '.claude', 'projects', '-shop');
  for (const folder of [shop, projects, join(home, '.config')]) mkdirSync(folder, { recursive: true });
  transcript = join(projects, `${SESSION}.jsonl`);
  const said = (content: unknown, type = 'user') =>
    JSON.stringify({ type, message: { role: type, content } });
  const wrote = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: join(shop, 'import.sql') } };
  writeFileSync(
    transcript,
    [
      said('The nightly import must finish before 06:00.'),
      said(`use ${CANARIES[0]} and password: ${CANARIES[1]}`),
      said([{ type: 'text', text: 'I write it.' }, wrote], 'assistant'),
      said([{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  token(ANN);
  git('init', '-q', '-b', 'nightly');
  writeFileSync(join(shop, 'import.sql'), 'SELECT 1;\n');
  writeFileSync(join(shop, '.env'), 'A=1\n');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  store = createMemoryStore();
  server = await open();
  between = new ScriptedServer(
    (heard, response) => void forward(heard).then((said) => json(response, ...said)),
  );
  await between.open();
});
afterEach(async () => {
  await between.close();
  await server.close();
});

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: shop });
const token = (text: string, name = 'token') =>
  writeFileSync(join(home, '.config', name), text, { mode: 0o600 });

const open = () =>
  openServer({
    store,
    env: {
      ...NO_RATE_LIMITS,
      HANDOVER_OPEN_PARKING: '1',
      ...tokensEnv({
        [ANN]: { sender: 'ann' },
        'token-of-bob-1234567890': { sender: 'bob' },
        'writes-only-1234567890': { sender: 'writer', scopes: ['handoff:write', 'handoff:read'] },
      }),
    },
  });

/** What was heard, said to the real server. */
async function forward({ url, method, headers, body }: Heard): Promise<readonly [number, unknown]> {
  const { authorization = '' } = headers;
  const response = await fetch(new URL(url, server.httpUrl), {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });
  return [response.status, await response.json()];
}

const flags = (name = 'token') => ['--server', between.url, '--token', `@~/.config/${name}`];

const hook = (event: string, more: Record<string, unknown> = {}, args = flags()) =>
  run(['hook', event, '--client', 'claude', ...args], {
    env: { HOME: home },
    input: JSON.stringify({ session_id: SESSION, transcript_path: transcript, cwd: shop, ...more }),
  });

async function as<T>(bearer: string, use: (client: Awaited<ReturnType<typeof connectHttp>>) => Promise<T>) {
  const project = { 'Handover-Project': 'shop' };
  const client = await connectHttp(new URL('/mcp', server.httpUrl), bearer, 'modern', project);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const entries = (bearer = ANN): Promise<{ content: string; contextType: string }[]> =>
  as(bearer, async (client) => {
    const { contents } = await client.readResource({ uri: `handoff://context/${KEY}` });
    return JSON.parse((contents[0] as { text: string }).text).entries;
  });

/** An assistant on this machine that holds a conversation, at the same server. */
async function window(session: string): Promise<Client> {
  const client = newClient('legacy');
  const flags = ['--server', server.httpUrl, '--token', '@~/.config/token', '--project', shop];
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [BINARY, 'mcp', ...flags], stderr: 'ignore' },
    env: cleanEnv({ HOME: home, CLAUDE_CODE_SESSION_ID: session }),
  });
  await client.connect(transport);
  return client;
}

const SILENT = { code: 0, stdout: '', stderr: '' };

describe('assistants:J5 a conversation on another machine', () => {
  it('that reached its limit is there for others at once; no secret of it left the machine', async () => {
    expect(await hook('stop-failure', { error: 'rate_limit' })).toMatchObject(SILENT);
    await until(() => between.posted.length > 0 && waiting(data).length === 0);
    // assistants:X2, with HANDOVER_OPEN_PARKING=1: another person's assistant goes on.
    token('token-of-bob-1234567890', 'other');
    const told = await until(
      () =>
        run(['hook', 'session-start', '--client', 'codex', ...flags('other')], {
          env: { HOME: home },
          input: JSON.stringify({ session_id: 'b', cwd: shop }),
        }),
      // On a busy machine its 800 ms may be over before the answer is there.
      ({ stdout }) => stdout !== '',
    );
    expect(JSON.parse(told.stdout).hookSpecificOutput.additionalContext).toMatch(
      new RegExp(`^ann left ${KEY} for whoever goes on`),
    );
    const taken = await as('token-of-bob-1234567890', (client) => call(client, 'resume', { accept: true }));
    expect(taken).toMatchObject({ kind: 'parked', sessionKey: KEY });
    const text = JSON.stringify(taken);
    for (const word of ['must finish before 06:00', 'import.sql', 'branch nightly', 'rate_limit'])
      expect(text).toContain(word);

    expect(between.posted.length).toBeGreaterThanOrEqual(2);
    const sent = between.posted.join('\n');
    for (const secret of [...CANARIES, ANN, home]) expect(sent).not.toContain(secret);
    // The folder holds neither the token nor a secret, and nobody started a server on it.
    for (const name of readdirSync(data, { recursive: true }) as string[])
      if (statSync(join(data, name)).isFile())
        expect(readFileSync(join(data, name), 'latin1')).not.toMatch(/token-of-ann|ghp_ccc|canary/);
    expect(serversOn(data)).toEqual([]);
  });

  it('is the same conversation as that of the window beside it', async () => {
    const [own, other] = [await window(SESSION), await window('another-conversation')];
    // Two windows of one agent write: only the conversation says which session the hook means.
    await call(own, 'registerSession', { sessionKey: 'of-this', agentFrom: 'ann' });
    await call(other, 'registerSession', { sessionKey: 'of-another', agentFrom: 'ann' });
    for (const [client, sessionKey] of [
      [own, 'of-this'],
      [other, 'of-another'],
    ] as const)
      await call(client, 'updateContext', { sessionKey, contextType: 'message', content: 'x' });
    expect(await hook('pre-compact')).toMatchObject(SILENT);
    await until(() => between.posted.length > 0 && waiting(data).length === 0);
    const captured = JSON.parse(readFileSync(join(data, 'captures.json'), 'utf8'));
    expect(Object.values(captured.sessions)).toMatchObject([{ sessionKey: 'of-this' }]);
    for (const client of [own, other]) await client.close();
  });

  it('that a hook recorded first is the current session of its window', async () => {
    expect(await hook('pre-compact')).toMatchObject(SILENT);
    await until(() => between.posted.length > 0 && waiting(data).length === 0);
    const client = await window(SESSION);
    expect(await call(client, 'handOff', { goal: 'Faster.' })).toMatchObject({ sessionKey: KEY });
    await client.close();
  });

  it('is silent while the server is away, and is sent later, with the time when it happened', async () => {
    await server.close();
    await between.close();
    expect(await hook('session-start')).toMatchObject(SILENT);
    const began = Date.now();
    expect(await hook('stop')).toMatchObject(SILENT);
    const log = () => readFileSync(join(data, 'hooks.log'), 'utf8');
    await until(() => /stop of claude: waits: http:\S+ does not answer/.test(log()));
    expect(log()).toMatch(/session-start of claude: http:\S+ does not answer/);
    const ended = Date.now();
    expect(waiting(data)).toHaveLength(1);
    server = await open();
    await between.open();
    // assistants:X3: what the last turn left is there, although nothing of the assistant runs any more.
    await drained();
    expect(waiting(data)).toEqual([]);
    expect(await entries()).toMatchObject([{ content: expect.stringContaining('must finish before 06:00') }]);
    const [sign = 0] = Object.values((await store.agents.find('default', 'ann'))?.heartbeats ?? {});
    expect(sign).toBeGreaterThanOrEqual(began);
    expect(sign).toBeLessThanOrEqual(ended);
  });

  it('keeps nothing from a server that is there when another is away; what a new token mends waits', async () => {
    const away = { server: 'http://127.0.0.1:9', agent: 'claude' };
    tell({ ...away, at: Date.now() - 5_000 });
    token('wrong', 'other');
    tell({ server: server.httpUrl, token: `@${home}/.config/other`, session: 'x1', at: Date.now() - 4_000 });
    tell({ server: `${server.httpUrl}/`, token: `@${home}/.config/token`, at: Date.now() - 3_000 });
    await drained();
    expect(await entries()).toHaveLength(1);
    expect(waiting(data)).toHaveLength(2);
    expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toMatch(
      /waits: http:\S+ refuses the token in \S+other; ask its operator for a new one/,
    );
    token(ANN, 'other');
    await drained();
    expect(waiting(data)).toHaveLength(1);
  });

  it('is recorded also by a token that may not leave it for others, and goes when the server refuses it', async () => {
    token('writes-only-1234567890', 'other');
    tell({ server: between.url, token: `@${home}/.config/other`, event: 'session-end', parks: true });
    tell({ server: between.url, token: `@${home}/.config/other`, session: `s${'x'.repeat(200)}` });
    await drained();
    expect(waiting(data)).toEqual([]);
    const bodies = between.posted.map((body) => JSON.parse(body));
    expect(bodies.map(({ park }) => park)).toContain(true);
    expect(await entries('writes-only-1234567890')).toHaveLength(1);
    const log = readFileSync(join(data, 'hooks.log'), 'utf8');
    expect(log).toMatch(/session-end of claude: it is not left for others: .*handoff:offer/);
    expect(log).toMatch(/refused: clientSession/);
  });

  it('writes no token that was given as it is, and reads none for it', async () => {
    const bare = ['--server', between.url, '--token', 'bare-secret-1234567890'];
    expect(await hook('stop', {}, bare)).toMatchObject(SILENT);
    expect(
      await hook('session-start', {}, ['--server', 'http://example.org', '--token', '@~/.config/token']),
    ).toMatchObject(SILENT);
    const log = readFileSync(join(data, 'hooks.log'), 'utf8');
    expect(log).toMatch(/stop of claude: a token is named by its file: --token @FILE\n/);
    expect(log).toMatch(/session-start of claude: http:\/\/example.org is beyond this machine/);
    expect([waiting(data), between.heard, log.includes('bare-secret')]).toEqual([[], [], false]);
  });
});

const tell = (more: Partial<SpooledEvent>) =>
  putInSpool(data, {
    ...{ v: 1, client: 'claude', event: 'pre-compact', at: Date.now(), session: SESSION, parks: false },
    ...{ transcript, cwd: shop, ...more },
  });

/** As `handover capture --spool` does, in the home of the test. */
async function drained(): Promise<void> {
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    await drain(data, (event) => targetOf(data, event));
  } finally {
    process.env.HOME = before;
  }
}

describe('a capture by hand', () => {
  const capture = (...args: readonly string[]) =>
    run(['capture', '--client', 'claude', '--transcript', transcript, '--project', shop, ...args], {
      env: { HOME: home },
    });

  it('has what git has not committed as a redacted file, if that is asked for', async () => {
    writeFileSync(join(shop, 'import.sql'), `SELECT 2;\n-- ${CANARIES[2]}\n\u0007${'x'.repeat(300_000)}\n`);
    writeFileSync(join(shop, '.env'), `A=${CANARIES[3]}\n`);
    const done = await capture('--diff', ...flags(), '--json');
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({ stored: true, sessionKey: KEY, sequenceNumber: 2 });
    const [patch] = await entries();
    expect(patch?.contextType).toBe('file');
    expect(patch?.content).toMatch(
      /^# \.env has changed; it is not shown\ndiff --git a\/import\.sql b\/import\.sql\n/,
    );
    expect(patch?.content).toContain('-SELECT 1;\n+SELECT 2;\n+-- [redacted:aws-key-id]\n+\ufffdxxx');
    expect(Buffer.byteLength(patch?.content ?? '')).toBeLessThanOrEqual(262_144);
    const sent = between.posted.join('\n');
    for (const secret of CANARIES) expect(sent).not.toContain(secret);
    const plain = await capture(...flags(), '--dry-run');
    expect([plain.code, plain.stdout.includes('diff --git')]).toEqual([0, false]);
    expect((await capture('--diff', '--dry-run')).stdout).toContain('diff --git');
    expect(between.posted).toHaveLength(1);
  });

  it.each([
    ['a token without a server', ['--token', '@~/.config/token'], 2, 'Give --server, too'],
    [
      'a bare token',
      ['--server', 'https://h.example', '--token', 'bare'],
      2,
      'a token is not given as it is',
    ],
    [
      'a way that is open',
      ['--server', 'http://h.example', '--token', '@~/.config/token'],
      2,
      'https address',
    ],
    ['nobody there', ['--server', 'http://127.0.0.1:9', '--token', '@~/.config/token'], 5, 'does not answer'],
    ['a token that is refused', ['--token', '@~/.config/other'], 4, 'refuses the token in'],
    ['another agent', ['--token', '@~/.config/token', '--agent', 'bob'], 4, 'the token is that of ann'],
    ['a scope that is missing', ['--token', '@~/.config/third', '--park'], 4, 'handoff:offer'],
  ] as const)('console:L5 says what is wrong: %s', async (_what, args, code, words) => {
    token('nobody-knows-it', 'other');
    token('writes-only-1234567890', 'third');
    const place =
      (args as readonly string[]).includes('--server') || code === 2 ? [] : ['--server', between.url];
    const ended = await capture(...place, ...args);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(words);
  });
});
