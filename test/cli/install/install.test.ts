/** `handover install` and `uninstall` for each client, with real processes in an empty home. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { BINARY } from '../../kit/handover-process.js';
import { call } from '../../kit/mcp-clients.js';
import { assistant, cleanUp } from '../../stdio/support.js';
import { Home } from './support.js';

const CASES = [
  ['claude', 'user'],
  ['claude', 'project'],
  ['codex', 'user'],
  ['cursor', 'user'],
  ['cursor', 'project'],
  ['vscode', 'user'],
  ['vscode', 'project'],
  ['gemini', 'user'],
  ['gemini', 'project'],
] as const;

describe('an empty home', () => {
  it.each(CASES)(
    'assistants:I1 %s %s: golden files, the same again, nothing after uninstall',
    async (client, scope) => {
      const home = new Home().program('claude').program('code');
      const before = home.tree();
      const first = await home.run('install', client, '--scope', scope);
      expect([first.code, first.stderr]).toEqual([0, '']);
      const ran = home.ran.map((args) => `ran ${JSON.stringify(args)}`);
      const shown = [home.plain(first.stdout), ...ran.map((line) => home.plain(line)), home.golden()].join(
        '\n',
      );
      await expect(shown).toMatchFileSnapshot(`golden/${client}-${scope}.txt`);

      const installed = home.tree();
      const again = await home.run('install', client, '--scope', scope, '--json');
      expect(again.code).toBe(0);
      const { changes } = JSON.parse(again.stdout) as { changes: { what: string; state: string }[] };
      // What VS Code keeps for its user cannot be read: it is told again, which changes nothing there.
      const isTold = client === 'vscode' && scope === 'user';
      expect(new Set(changes.map(({ state }) => state))).toEqual(new Set([isTold ? 'added' : 'same']));
      expect(home.tree()).toEqual(installed);

      const gone = await home.run('uninstall', client, '--scope', scope);
      expect([gone.code, home.tree()]).toEqual([isTold ? 1 : 0, before]);
      const record = home.read('.local/share/handover/installed.json') ?? '';
      expect(JSON.parse(record)).toEqual({ version: 1, insertions: [] });
      if (isTold) expect(gone.stdout).toContain('MCP: Open User Configuration');
      if (client === 'claude') expect(home.read('.claude.json') ?? '').not.toContain('handover');
    },
    60_000,
  );
});

describe('assistants:H4 whoever was connected', () => {
  it('can be handed work before it comes for the first time; a name of another server cannot', async () => {
    const home = new Home().program('claude');
    for (const client of ['claude', 'codex']) expect((await home.run('install', client)).code).toBe(0);
    const data = join(home.path, '.local/share/handover');
    const claude = await assistant(data, { name: 'Claude Code', args: ['--agent', 'claude'] });
    expect((await call(claude, 'whoAmI')).agents).toEqual([
      { agent: 'codex', connected: false, lastSeenAt: null },
    ]);
    expect((await home.run('inbox', '--agent', 'codex', '--all')).stdout).toBe('Nothing waits.\n');
    const goal = 'Finish the import before 06:00: the index on the replica is missing.';
    const warned = async (to: string) => {
      const { warnings = [] } = await call(claude, 'handOff', { goal, to });
      return warnings.filter(({ code }: { code: string }) => code === 'TARGET_UNKNOWN');
    };
    expect(await warned('codex')).toEqual([]);
    expect((await home.run('inbox', '--agent', 'codex', '--all')).stdout).toMatch(/^codex: 1 offer/);
    await claude.close();
    const taken = home.read('.local/share/handover/installed.json') ?? '';
    const elsewhere = { server: 'https://handover.example' };
    const record = JSON.parse(taken);
    const moved = record.insertions.map((one: object) => ({ ...one, elsewhere }));
    home.write('.local/share/handover/installed.json', JSON.stringify({ ...record, insertions: moved }));
    const again = await assistant(data, { name: 'Claude Code', args: ['--agent', 'claude'] });
    expect((await call(again, 'whoAmI')).agents).toEqual([]);
    await again.close();
    await cleanUp(data);
  }, 60_000);
});

const SETTINGS = `// my settings
{
\t"model": "opus", // the large one
\t"hooks": {
\t\t"Stop": [
\t\t\t{ "hooks": [{ "type": "command", "command": "say done" }] }, // loud
\t\t],
\t\t"PreToolUse": [],
\t},
}
`;
const CODEX = `model = "o"

[mcp_servers.other]
command = "other"
`;

describe('a home that is lived in', () => {
  it('assistants:I2 only what is ours is touched, and uninstall gives the bytes back', async () => {
    const home = new Home().program('claude');
    home.write('.claude/settings.json', SETTINGS);
    home.write('.codex/config.toml', CODEX);
    home.write('.codex/hooks.json', '{"hooks":{"Stop":[{"hooks":[]}]}}');
    home.write('.claude/skills/other/SKILL.md', 'theirs');
    const before = home.tree();
    expect((await home.run('install', 'claude')).code).toBe(0);
    expect((await home.run('install', 'codex', '--agent', 'cody')).code).toBe(0);
    const settings = home.read('.claude/settings.json') ?? '';
    const lost = SETTINGS.split('\n').filter((line) => !settings.includes(line));
    expect(lost).toEqual([]);
    expect(home.read('.claude/settings.json.handover-bak')).toBe(SETTINGS);
    expect(parseToml(home.read('.codex/config.toml') ?? '')).toMatchObject({
      model: 'o',
      mcp_servers: {
        other: { command: 'other' },
        handover: { command: process.execPath, args: [BINARY, 'mcp', '--agent', 'cody'] },
      },
    });
    // Without --agent a second run keeps the name.
    expect((await home.run('install', 'codex')).stdout).toContain('as agent cody');
    const one = await home.run('uninstall', 'codex');
    expect([one.code, one.stdout.includes('What was recorded stays')]).toEqual([0, false]);
    const last = await home.run('uninstall', 'claude');
    expect(last.code).toBe(0);
    expect(last.stdout).toMatch(
      /What was recorded stays in .*handover\. To remove it for good: handover stop, then delete that folder\.\n/,
    );
    expect(home.tree()).toEqual(before);
  }, 60_000);

  it('assistants:I2 the copy from before goes with the last of ours, and is no older than it says', async () => {
    const home = new Home();
    home.write('.codex/config.toml', CODEX);
    const before = home.tree();
    await home.run('install', 'codex');
    await home.run('install', 'codex', '--agent', 'cody');
    expect(home.read('.codex/hooks.json.handover-bak')).toBeUndefined();
    expect(home.read('.codex/config.toml.handover-bak')).toBe(CODEX);
    expect((await home.run('uninstall', 'codex')).code).toBe(0);
    expect(home.tree()).toEqual(before);

    home.write('.codex/config.toml.handover-bak', 'stale');
    await home.run('install', 'codex');
    expect(home.read('.codex/config.toml.handover-bak')).toBe(CODEX);
    home.write(
      '.codex/config.toml',
      `${home.read('.codex/config.toml')}\n[mcp_servers.mine]\ncommand = "mine"\n`,
    );
    expect((await home.run('uninstall', 'codex')).code).toBe(0);
    expect(home.read('.codex/config.toml')).toContain('mcp_servers.mine');
    expect(home.read('.codex/config.toml.handover-bak')).toBeUndefined();
  }, 60_000);

  it('replaces what it wrote itself when the command line changes, also in the program of the client', async () => {
    const home = new Home().program('claude');
    await home.run('install', 'claude', '--no-command');
    expect((await home.run('install', 'claude', '--no-command', '--agent', 'ann')).code).toBe(0);
    expect(home.ran.map(([, , verb]) => verb)).toEqual(['add-json', 'remove', 'add-json']);
    expect(home.read('.claude.json')).toContain('"ann"');
    const settings = home.read('.claude/settings.json') ?? '';
    expect(settings.match(/--agent ann/g)).toHaveLength(5);
    expect(settings).not.toContain('--agent claude');
    expect(home.read('.claude/skills/handoff/SKILL.md')).toBeUndefined();
    const named = join(home.path, 'data');
    expect((await home.run('install', 'gemini', '--data-dir', named)).code).toBe(0);
    expect(home.read('.gemini/settings.json')).toContain(JSON.stringify(named));
  }, 60_000);

  it('assistants:I4 --dry-run prints a unified diff that applies, and writes nothing', async () => {
    const home = new Home().program('claude');
    const file = home.write('.claude/settings.json', SETTINGS);
    const before = home.tree();
    const dry = await home.run('install', 'claude', '--dry-run', '--no-command');
    expect(dry.code).toBe(0);
    expect(dry.stdout).toMatch(/^would run: claude mcp add-json --scope user handover '\{/);
    expect([home.tree(), home.ran, home.read('.local/share/handover/installed.json')]).toEqual([
      before,
      [],
      undefined,
    ]);
    expect((await home.run('install', 'claude', '--no-command')).code).toBe(0);
    const patch = dry.stdout.slice(dry.stdout.indexOf('--- '));
    expect(patch).toContain(`--- ${file}\n+++ ${file}\n@@ `);
    expect(applyPatch(SETTINGS, patch)).toBe(home.read('.claude/settings.json'));
  }, 60_000);

  it('assistants:I5 what was written starts, from a folder and an environment that know nothing', async () => {
    const home = new Home();
    await home.run('install', 'codex');
    await home.run('install', 'gemini');
    const toml = parseToml(home.read('.codex/config.toml') ?? '') as unknown as Servers;
    const json = JSON.parse(home.read('.gemini/settings.json') ?? '') as {
      mcpServers: Servers['mcp_servers'];
    };
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    for (const { command, args } of [toml.mcp_servers.handover, json.mcpServers.handover]) {
      const { stdout } = spawnSync(command, args, {
        input: `${JSON.stringify(initialize)}\n`,
        encoding: 'utf8',
        cwd: '/',
        env: { HOME: home.path },
      });
      expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ id: 1, result: { serverInfo: {} } });
    }
    expect((await home.run('stop')).code).toBe(0);
  }, 60_000);

  it('lists what is here, and checks what was installed', async () => {
    const home = new Home().program('claude');
    home.write('.codex/config.toml', '');
    const nothing = await home.run('install', 'claude', '--check');
    expect([nothing.code, nothing.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^claude: .*\n {2}nothing is installed; "handover install claude" connects it\.\n$/,
      ),
    ]);
    await home.run('install', 'claude');
    const list = await home.run('install');
    expect(list.stdout).toMatch(/claude +Claude Code +installed \(user\) as agent claude\n/);
    expect(list.stdout).toMatch(/codex +Codex +found here; "handover install codex" connects it\n/);
    expect(list.stdout).toMatch(/cursor +Cursor +not found here\n/);
    const bare = new Home();
    bare.write('.claude/settings.json', '{}');
    const { stdout } = await bare.run('install');
    expect(stdout).toMatch(
      /claude +Claude Code +found here; claude is not on PATH, so "handover install claude --scope project" connects it for one project\n/,
    );
    const well = await home.run('install', '--check', '--json');
    expect(well.code).toBe(0);
    expect(JSON.parse(well.stdout)).toMatchObject({
      clients: [{ client: 'claude', version: '2.1.7' }, {}, {}, {}, {}],
    });
    home.write('.claude/skills/handoff/SKILL.md', 'mine now');
    home.write('.claude/settings.json', '{}');
    const flawed = await home.run('install', 'claude', '--check');
    expect(flawed.code).toBe(1);
    expect(flawed.stdout).toMatch(
      / {2}ok +MCP entry[\s\S]* {2}missing +hook Stop[\s\S]* {2}changed +command handoff/,
    );
  }, 60_000);

  it.each([
    [['install', 'clade'], 2, 'Did you mean claude'],
    [['install', 'claude', '--scope', 'world'], 2, 'Allowed choices are user, project'],
    [['install', 'codex', '--scope', 'project'], 2, 'Leave --scope out'],
    [['install', 'claude', '--agent', '_x'], 2, 'not reserved'],
    [['install', '--dry-run'], 2, 'needs a client'],
    [['install', 'claude', '--server', 'https://x'], 2, 'Give --token @FILE'],
    [['install', 'claude', '--server', 'https://x', '--token', 'abc'], 2, 'a token is not given as it is'],
    [['install', 'claude', '--server', 'https://x', '--token', '@~/none'], 2, 'cannot be read'],
    [['install', 'claude', '--server', 'http://x.example', '--token', '@~/none'], 2, 'https address'],
    [['install', 'claude', '--token', '@~/none'], 2, 'Give --server, too'],
    [['install', '--server', 'https://x'], 2, 'needs a client'],
    [['uninstall'], 2, "missing required argument 'client'"],
  ] as const)('console:L5 %j ends with %i', async (args, code, words) => {
    const home = new Home();
    const { stdout, stderr, ...ended } = await home.run(...args);
    expect([ended.code, stdout]).toEqual([code, '']);
    expect(stderr).toContain(words);
    expect(home.tree()).toEqual(new Home().tree());
  });
});

interface Servers {
  readonly mcp_servers: { readonly handover: { readonly command: string; readonly args: string[] } };
}
