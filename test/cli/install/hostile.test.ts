/** Files that are not as they should be: nothing is changed, and the user is told what to do. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { Home } from './support.js';

const isRoot = process.getuid?.() === 0;

describe('assistants:I3 nothing is changed', () => {
  const CASES: readonly (readonly [string, string, (home: Home) => void, RegExp])[] = [
    [
      'an entry of that name that is not ours',
      'gemini',
      (home) => home.write('.gemini/settings.json', '{"mcpServers": {"handover": {"command": "mine"}}}'),
      /mcpServers\.handover that this command did not write\.[\s\S]*by hand[\s\S]*"mcpServers": \{/,
    ],
    [
      'one in TOML, in another spelling',
      'codex',
      (home) => home.write('.codex/config.toml', 'mcp_servers."handover" = { command = "mine" }\n'),
      /mcp_servers\.handover that this command did not write\.[\s\S]*\[mcp_servers\.handover\]/,
    ],
    [
      'broken JSON',
      'cursor',
      (home) => home.write('.cursor/mcp.json', '{"mcpServers": '),
      /is no valid JSON: line 1/,
    ],
    [
      'broken TOML',
      'codex',
      (home) => home.write('.codex/config.toml', 'a = \n'),
      /is no valid TOML: line 1/,
    ],
    [
      'no UTF-8',
      'cursor',
      (home) => home.write('.cursor/mcp.json', Buffer.from([123, 255, 125])),
      /is no UTF-8 text/,
    ],
    [
      '5 MiB',
      'cursor',
      (home) => home.write('.cursor/mcp.json', ' '.repeat(5 * 1_048_576)),
      /more than 4194304 bytes/,
    ],
    [
      'a folder',
      'cursor',
      (home) => mkdirSync(join(home.path, '.cursor/mcp.json'), { recursive: true }),
      /no regular file/,
    ],
    ['a file for a folder', 'gemini', (home) => home.write('.gemini', 'x'), /cannot be read|is no folder/],
    [
      'a file of ours that was changed',
      'claude',
      (home) => home.write('.claude/skills/pickup/SKILL.md', 'mine'),
      /SKILL\.md was not written by this command/,
    ],
    [
      'a pipe',
      'gemini',
      (home) => {
        mkdirSync(join(home.path, '.gemini'));
        spawnSync('mkfifo', [join(home.path, '.gemini/settings.json')]);
      },
      /is no regular file/,
    ],
    [
      'a file with two names',
      'gemini',
      (home) => linkSync(home.write('.gemini/settings.json', '{}'), join(home.path, 'dotfile.json')),
      /has several names/,
    ],
    [
      'a file that its user has write-protected',
      'gemini',
      (home) => chmodSync(home.write('.gemini/settings.json', '{}'), 0o444),
      /is write-protected/,
    ],
    [
      'a link out of the home',
      'gemini',
      (home) => {
        mkdirSync(join(home.path, '.gemini'));
        symlinkSync('/etc/hostname', join(home.path, '.gemini/settings.json'));
      },
      /leads out of .*, through a link/,
    ],
    [
      'a folder that is a link out of the home',
      'codex',
      (home) => symlinkSync(temporaryFolder(), join(home.path, '.codex')),
      /leads out of .*, through a link/,
    ],
    [
      'a link to nothing outside',
      'gemini',
      (home) => {
        mkdirSync(join(home.path, '.gemini'));
        symlinkSync('/var/tmp/handover-nothing', join(home.path, '.gemini/settings.json'));
      },
      /leads out of .*, through a link/,
    ],
    [
      'links in a circle',
      'gemini',
      (home) => symlinkSync('.gemini', join(home.path, '.gemini')),
      /links lead in a circle/,
    ],
  ];

  it.each(CASES)('%s', async (_, client, arrange, words) => {
    const home = new Home().program('claude');
    arrange(home);
    // A pipe cannot be read to be compared.
    const seen = () => (_ === 'a pipe' ? readdirSync(join(home.path, '.gemini')) : home.tree());
    const before = seen();
    const { code, stdout, stderr } = await home.run('install', client);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^handover: nothing was changed: {3}\[REFUSED\]\n {2}\//);
    expect(stderr).toMatch(words);
    expect([seen(), home.ran]).toEqual([before, []]);
  });

  it('every problem is named at once', async () => {
    const home = new Home();
    home.write('.claude/settings.json', '[]');
    home.write('.claude/skills/handoff/SKILL.md', 'mine');
    const { code, stderr } = await home.run('install', 'claude');
    expect(code).toBe(1);
    expect(stderr).toMatch(/ {2}claude is not on PATH.*, or install for one project.* with --scope project/);
    expect(stderr).toMatch(/settings\.json is no valid JSON: it should hold one object/);
    expect(stderr).toMatch(/SKILL\.md was not written by this command/);
    expect(stderr).toMatch(/\nclaude mcp add-json --scope user handover '\{/);
  });

  it('in a project: a link out of it, though it stays in the home', async () => {
    const home = new Home();
    const target = home.write('.bashrc', 'mine');
    symlinkSync(target, join(home.project, '.mcp.json'));
    const { code, stderr } = await home.run('install', 'claude', '--scope', 'project');
    expect([code, home.read('.bashrc')]).toEqual([1, 'mine']);
    expect(stderr).toContain(`leads out of ${home.project}`);
  });

  it.runIf(isRoot)('a file, or a folder, of another user', async () => {
    const home = new Home();
    const file = home.write('.gemini/settings.json', '{}');
    chownSync(file, 65_534, 65_534);
    expect((await home.run('install', 'gemini')).stderr).toContain('settings.json belongs to another user');
    chownSync(file, 0, 0);
    chownSync(dirname(file), 65_534, 65_534);
    expect((await home.run('install', 'gemini')).stderr).toContain('lies in a folder of another user');
    expect(home.read('.gemini/settings.json')).toBe('{}');
  });

  it('the program of the client fails: its words are shown, no file is written, nothing is remembered', async () => {
    const home = new Home().program('claude', 'failing');
    const before = home.tree();
    const { code, stderr } = await home.run('install', 'claude');
    expect([code, home.tree()]).toEqual([1, before]);
    expect(stderr).toContain('claude mcp add-json failed, and nothing else was changed: no network');
    expect((await home.run('install')).stdout).not.toContain('installed (');
  });
});

describe('assistants:I3 what has no end is not waited for', () => {
  const KINDS = ['a pipe', 'a device'] as const;
  const put = (kind: (typeof KINDS)[number], path: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (kind === 'a pipe') spawnSync('mkfifo', [path]);
    else symlinkSync('/dev/zero', path);
  };
  const inTime = async (home: Home, ...args: readonly string[]) => {
    const process = home.start(args, {}, ['/usr/bin/timeout', '--signal=KILL', '15']);
    return { code: await process.exited, stderr: process.stderr };
  };

  it.each(KINDS)('%s for the file that only the program of the client changes', async (kind) => {
    const home = new Home().program('claude', 'failing');
    put(kind, join(home.path, '.claude.json'));
    expect(await inTime(home, 'install', 'claude', '--dry-run')).toMatchObject({ code: 0 });
    // What it means is for the program to say.
    const { code, stderr } = await inTime(home, 'install', 'claude');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no network')]);
  });

  it.each(KINDS)('%s for the record', async (kind) => {
    const home = new Home();
    const file = join(home.path, '.local/share/handover/installed.json');
    put(kind, file);
    const { code, stderr } = await inTime(home, 'install', 'gemini');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} cannot be understood`)]);
  });
});

describe('what stays', () => {
  it('a link inside the home stays a link, and the mode of its target stays', async () => {
    const home = new Home();
    const file = home.write('dotfiles/gemini.json', '{\n  "theme": "x"\n}\n');
    chmodSync(file, 0o640);
    mkdirSync(join(home.path, '.gemini'));
    symlinkSync('../dotfiles/gemini.json', join(home.path, '.gemini/settings.json'));
    const before = home.tree();
    expect((await home.run('install', 'gemini')).code).toBe(0);
    expect(home.tree()['.gemini/settings.json']).toBe('-> ../dotfiles/gemini.json');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(home.read('dotfiles/gemini.json')).toContain('"handover"');
    expect((await home.run('uninstall', 'gemini')).code).toBe(0);
    expect(home.tree()).toEqual(before);
  });

  it('uninstall takes what is still ours, says what is not, and ends with 1', async () => {
    const home = new Home();
    await home.run('install', 'gemini');
    const command = home.read('.gemini/commands/pickup.toml') ?? '';
    home.write('.gemini/commands/pickup.toml', `${command}# mine\n`);
    const settings = (home.read('.gemini/settings.json') ?? '').replace('"gemini"', '"mine"');
    home.write('.gemini/settings.json', settings);
    const { code, stdout } = await home.run('uninstall', 'gemini');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Left as it is: .*settings\.json has an entry in mcpServers\.handover that was changed/,
    );
    expect(stdout).toMatch(/Left as it is: .*pickup\.toml was changed since this command wrote it/);
    expect(home.read('.gemini/commands/handoff.toml')).toBeUndefined();
    expect([home.read('.gemini/settings.json'), home.read('.gemini/commands/pickup.toml')]).toEqual([
      settings,
      `${command}# mine\n`,
    ]);
  });

  it('a damaged record is not guessed at', async () => {
    const home = new Home();
    await home.run('install', 'gemini');
    const file = join(home.path, '.local/share/handover/installed.json');
    home.write('.local/share/handover/installed.json', '{"version": 2}');
    const { code, stderr } = await home.run('uninstall', 'gemini');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} cannot be understood`)]);
    expect(stderr).toContain('Remove that file');
    expect(home.read('.gemini/settings.json')).toContain('handover');
  });
});

describe('assistants:I6 races', () => {
  it('a program that writes the file all the time never sees half of it, and loses nothing', async () => {
    const home = new Home();
    const file = home.write('.gemini/settings.json', '{"n": 0}');
    // Reads, changes and renames as clients do; says when it found something that is no JSON.
    const writer = spawn(
      process.execPath,
      [
        '-e',
        `const fs = require('node:fs'); const file = ${JSON.stringify(file)}; let n = 0; let bad = 0;
        process.stdin.on('data', () => { console.log(JSON.stringify({ n, bad })); process.exit(); });
        (function again() {
          try {
            const value = JSON.parse(fs.readFileSync(file, 'utf8'));
            value.n = ++n;
            fs.writeFileSync(file + '.theirs', JSON.stringify(value, null, 2));
            fs.renameSync(file + '.theirs', file);
          } catch { bad += 1; }
          setTimeout(again, 3);
        })();`,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const ends = [
      await home.run('install', 'gemini'),
      await home.run('install', 'gemini', '--agent', 'other'),
    ];
    const said = new Promise<string>((resolve) =>
      writer.stdout.on('data', (chunk) => resolve(String(chunk))),
    );
    writer.stdin.write('x');
    const { n, bad } = JSON.parse(await said) as { n: number; bad: number };
    expect(bad).toBe(0);
    expect(n).toBeGreaterThan(10);
    // Done, or given up because somebody else never stopped; half of it is neither.
    for (const { code } of ends) expect([0, 7]).toContain(code);
    expect(JSON.parse(home.read('.gemini/settings.json') ?? '')).toHaveProperty('n');
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  }, 60_000);

  it('two installations at once both remember what they wrote', async () => {
    const home = new Home();
    const runs = ['gemini', 'cursor', 'codex'].map((client) => home.run('install', client));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const client of ['gemini', 'cursor', 'codex'])
      expect((await home.run('uninstall', client)).code).toBe(0);
    expect(home.tree()).toEqual(new Home().tree());
  }, 60_000);

  it('killed before the rename: the old file is whole, and the next run does the work', async () => {
    const home = new Home();
    const before = '{\n  "theme": "x"\n}\n';
    const file = home.write('.gemini/settings.json', before);
    const atomic = fileURLToPath(
      new URL('../../../packages/server/dist/platform/atomic-file.js', import.meta.url),
    );
    const program = `import { writeFileAtomic } from ${JSON.stringify(atomic)};
      writeFileAtomic(${JSON.stringify(file)}, 'x'.repeat(1e6), { beforeRename: () => process.kill(process.pid, 'SIGKILL') });`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', program]).signal).toBe('SIGKILL');
    expect(home.read('.gemini/settings.json')).toBe(before);
    expect((await home.run('install', 'gemini')).code).toBe(0);
    expect((await home.run('uninstall', 'gemini')).code).toBe(0);
    expect(home.read('.gemini/settings.json')).toBe(before);
  }, 60_000);

  it('killed after the record was written: what was there stays ours, what was not is no loss', async () => {
    const home = new Home();
    await home.run('install', 'gemini');
    const record = '.local/share/handover/installed.json';
    const installed = JSON.parse(home.read(record) ?? '') as {
      insertions: { place: string; mark: { digests: string[] } }[];
    };
    for (const { mark } of installed.insertions) mark.digests.unshift(`sha256:${'0'.repeat(64)}`);
    home.write(record, JSON.stringify(installed));
    expect((await home.run('install', 'gemini', '--agent', 'later')).code).toBe(0);
    expect(home.read('.gemini/settings.json')).toContain('"later"');
    expect((await home.run('uninstall', 'gemini')).code).toBe(0);
  }, 60_000);

  it('names what cannot be read once, and what to put there once', async () => {
    const home = new Home().program('claude');
    home.write('.claude/settings.json', '{"hooks": ');
    const { code, stderr } = await home.run('install', 'claude');
    expect(code).toBe(1);
    expect(stderr.match(/is no valid JSON/g)).toHaveLength(1);
    expect(stderr.match(/To put it there by hand, .*settings\.json:/g)).toHaveLength(1);
    const snippet = JSON.parse(stderr.slice(stderr.indexOf('{'), stderr.lastIndexOf('}') + 1));
    const events = ['SessionStart', 'PreCompact', 'Stop', 'StopFailure', 'SessionEnd'];
    expect(Object.keys(snippet)).toEqual(['hooks']);
    expect(Object.keys(snippet.hooks).sort()).toEqual(events.sort());
  }, 60_000);
});
