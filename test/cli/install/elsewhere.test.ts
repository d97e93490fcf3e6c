/** `handover install --server`: real commands, a real server, an empty home. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../../../packages/server/src/server.js';
import { cleanEnv } from '../../kit/handover-process.js';
import { NO_RATE_LIMITS } from '../../kit/no-rate-limits.js';
import { openServer } from '../../kit/server.js';
import { tokensEnv } from '../../kit/tokens.js';
import { json, ScriptedServer } from '../../stdio/remote-support.js';
import { Home } from './support.js';

const TOKEN = 'token-of-ann-1234567890';
const CASES = [
  ['claude', 'user'],
  ['codex', 'user'],
  ['cursor', 'project'],
  ['vscode', 'project'],
  ['gemini', 'user'],
] as const;

let server: Server;
let home: Home;
beforeAll(async () => {
  const scopes = ['handoff:read', 'handoff:write'];
  const env = tokensEnv({ [TOKEN]: { sender: 'ann-claude', scopes } });
  server = await openServer({ env: { ...NO_RATE_LIMITS, ...env } });
});
afterAll(() => server.close());
beforeEach(() => {
  home = new Home().program('claude').program('code');
  tokenFile(TOKEN);
});

function tokenFile(text: string, mode = 0o600): void {
  mkdirSync(join(home.path, '.local'), { recursive: true });
  writeFileSync(join(home.path, '.local', 'token'), text, { mode });
  chmodSync(join(home.path, '.local', 'token'), mode);
}

const at = (url = server.httpUrl) => ['--server', url, '--token', '@~/.local/token'];
const plain = (text: string) => home.plain(text).replaceAll(server.httpUrl, 'https://handover.example.org');

/** What the client of this scope would start. */
const everything = () =>
  [
    home.golden(),
    home.read('.claude.json') ?? '',
    home.read('.local/share/handover/installed.json') ?? '',
  ].join();

describe('assistants:J8 an empty home', () => {
  it.each(CASES)(
    'assistants:I1 %s %s: golden files without a token, the same again, nothing after uninstall',
    async (client, scope) => {
      const before = home.tree();
      const first = await home.run('install', client, '--scope', scope, ...at());
      expect([first.code, first.stderr]).toEqual([0, '']);
      expect(first.stdout).toContain(
        'knows the token as that of ann-claude, with the scopes handoff:read, handoff:write.\n',
      );
      expect(everything() + first.stdout).not.toContain(TOKEN);
      const shown = [first.stdout, ...home.ran.map((args) => `ran ${JSON.stringify(args)}`), home.golden()];
      await expect(plain(shown.join('\n'))).toMatchFileSnapshot(`golden/elsewhere-${client}-${scope}.txt`);

      const installed = home.tree();
      // Without the flags it stays where it was, and who it was.
      const again = await home.run('install', client, '--scope', scope, '--json');
      const { changes, server: where, agent } = JSON.parse(again.stdout);
      expect([where, agent, home.tree()]).toEqual([server.httpUrl, 'ann-claude', installed]);
      expect(new Set(changes.map(({ state }: { state: string }) => state))).toEqual(new Set(['same']));
      expect((await home.run('uninstall', client, '--scope', scope)).code).toBe(0);
      expect(home.tree()).toEqual(before);
      expect(JSON.parse(home.read('.local/share/handover/installed.json') ?? '').insertions).toEqual([]);
    },
    60_000,
  );
});

describe('assistants:J8 a home that is lived in', () => {
  it('assistants:I2 assistants:I4 only what is ours changes; --dry-run shows it and writes nothing', async () => {
    const settings = '{\n  // mine\n  "hooks": { "Stop": [{ "hooks": [] }] }\n}\n';
    home.write('.claude/settings.json', settings);
    const before = home.tree();
    const dry = await home.run('install', 'claude', '--dry-run', '--no-command', ...at());
    expect([dry.code, home.tree(), home.ran]).toEqual([0, before, []]);
    expect((await home.run('install', 'claude', '--no-command', ...at())).code).toBe(0);
    const patch = dry.stdout.slice(dry.stdout.indexOf('--- '));
    expect(applyPatch(settings, patch)).toBe(home.read('.claude/settings.json'));
    // To another agent's name the same way, and back to where it was.
    expect((await home.run('uninstall', 'claude')).code).toBe(0);
    expect(home.tree()).toEqual(before);
  }, 60_000);

  it('assistants:I3 what is foreign or broken is not touched', async () => {
    home.write('.codex/config.toml', '[mcp_servers.handover]\ncommand = "theirs"\n');
    home.write('.gemini/settings.json', '{ broken');
    const before = home.tree();
    const foreign = await home.run('install', 'codex', ...at());
    expect([foreign.code, foreign.stderr.includes('@~/.local/token')]).toEqual([1, true]);
    expect((await home.run('install', 'gemini', ...at())).code).toBe(1);
    expect(home.tree()).toEqual(before);
  }, 60_000);

  it('assistants:6.7 an inbox that nothing comes into says where the work is', async () => {
    const inbox = () => home.run('inbox', '--agent', 'ann-claude');
    await home.run('install', 'codex', ...at());
    expect(await inbox()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `The assistants here hand over through ${server.httpUrl}: they show what waits (listSessions)`,
      ),
    });
    // One that is connected to this machine will make it.
    await home.run('install', 'gemini');
    expect((await inbox()).stderr).toContain('The first call of an assistant makes it');
  }, 60_000);

  it('a local installation becomes one to a server elsewhere, and lists say to which', async () => {
    await home.run('install', 'codex', '--agent', 'cody');
    expect((await home.run('install', 'codex', ...at())).code).toBe(0);
    const toml = home.read('.codex/config.toml') ?? '';
    expect(toml).toContain('"--token", "@~/.local/token"');
    expect(toml).not.toContain('cody');
    expect((await home.run('install')).stdout).toMatch(
      /codex +Codex +installed \(user\) to http:\S+ as agent ann-claude\n/,
    );
    const well = await home.run('install', 'codex', '--check');
    expect([well.code, well.stdout]).toEqual([
      0,
      expect.stringContaining('the token is that of ann-claude, with'),
    ]);
    tokenFile('another');
    const flawed = await home.run('install', 'codex', '--check', '--json');
    expect([flawed.code, JSON.parse(flawed.stdout).clients[0].servers]).toEqual([
      1,
      [expect.objectContaining({ state: 'refused', why: expect.stringContaining('refuses the token') })],
    ]);
  }, 60_000);

  it('what was written runs: the hook of the shell finds the token by itself', async () => {
    await home.run('install', 'codex', ...at(), '--no-command');
    const { hooks } = JSON.parse(home.read('.codex/hooks.json') ?? '');
    const { command } = hooks.SessionStart[0].hooks[0];
    const input = JSON.stringify({ session_id: 's1', cwd: home.project });
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: '/',
      env: cleanEnv({ HOME: home.path, PATH: '' }),
    });
    child.stdin.end(input);
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    // Nothing waits, so nothing is said; nor was there anything to complain about.
    expect(home.read('.local/share/handover/hooks.log')).toBeUndefined();
  }, 60_000);

  it('is written with a warning where the server is away, and not at all where it refuses', async () => {
    const away = await home.run('install', 'gemini', ...at('http://127.0.0.1:9'), '--json');
    expect(away.code).toBe(0);
    expect(JSON.parse(away.stdout)).toMatchObject({
      server: 'http://127.0.0.1:9',
      notes: [
        expect.stringContaining('it was not tried out. http://127.0.0.1:9 does not answer'),
        expect.any(String),
      ],
    });
    expect(home.read('.gemini/settings.json')).toContain('http://127.0.0.1:9');
    const before = home.tree();
    const other = await home.run('install', 'codex', ...at(), '--agent', 'bob');
    expect([other.code, other.stderr.includes('the token is that of ann-claude')]).toEqual([4, true]);
    tokenFile('wrong-one');
    expect((await home.run('install', 'codex', ...at())).code).toBe(4);
    tokenFile(TOKEN, 0o644);
    expect((await home.run('install', 'codex', ...at())).code).toBe(2);
    tokenFile(TOKEN);
    expect(home.tree()).toEqual(before);
  }, 60_000);

  it.each([
    [
      'a name of 900 kB',
      { agent: 'x'.repeat(900_000), scopes: ['handoff:read'] },
      'does not say whose token',
    ],
    ['a name of the server’s own', { agent: 'operator', scopes: [] }, 'does not say whose token'],
    [
      '50,000 scopes',
      { agent: 'bob', scopes: ['handoff:read', ...Array.from({ length: 50_000 }, (_, at) => `s${at}`)] },
      'that of bob, with the scopes handoff:read.',
    ],
  ])(
    'nothing odd that a server says is written or shown: %s',
    async (_, structuredContent, words) => {
      const odd = new ScriptedServer((_heard, response) =>
        json(response, 200, { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent } }),
      );
      await odd.open();
      const done = await home.run('install', 'gemini', ...at(odd.url));
      await odd.close();
      expect([done.code, done.stderr]).toEqual([0, '']);
      expect(done.stdout).toContain(words);
      expect((done.stdout + everything()).length).toBeLessThan(30_000);
      expect((await home.run('uninstall', 'gemini')).code).toBe(0);
    },
    60_000,
  );

  it('to a server in dev mode on this machine is by name alone', async () => {
    const dev = await openServer();
    const done = await home.run('install', 'gemini', '--server', dev.httpUrl);
    await dev.close();
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringContaining('knows the token as that of gemini'),
    ]);
    const { args } = JSON.parse(home.read('.gemini/settings.json') ?? '').mcpServers.handover;
    expect(args.slice(1)).toEqual(['mcp', '--server', dev.httpUrl, '--agent', 'gemini']);
  }, 60_000);
});
