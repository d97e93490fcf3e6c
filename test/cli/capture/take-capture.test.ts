/** What is captured of a conversation. The fixtures are ours, one folder for each version of a client. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitPatch } from '../../../packages/server/src/cli/capture/git-patch.js';
import { gitText } from '../../../packages/server/src/cli/capture/git-text.js';
import { Redactor } from '../../../packages/server/src/cli/capture/redactor.js';
import { takeCapture } from '../../../packages/server/src/cli/capture/take-capture.js';
import { readTranscript } from '../../../packages/server/src/cli/capture/transcripts/read-transcript.js';
import { hasEnded } from '../../kit/has-ended.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';
import { until } from '../../kit/until.js';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
const MIB = 1_048_576;

let home: string;
const before = process.env.HOME;
beforeEach(() => {
  home = temporaryFolder();
  process.env.HOME = home;
  delete process.env.CLAUDE_CONFIG_DIR;
  delete process.env.CODEX_HOME;
});
afterEach(() => {
  process.env.HOME = before;
});

const PLACES = { claude: ['.claude', 'projects', '-shop'], codex: ['.codex', 'sessions', '2026'] } as const;

/** A transcript where the client itself would write it. */
function transcript(client: 'claude' | 'codex', fixture?: string): string {
  const folder = join(home, ...PLACES[client]);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'work.jsonl');
  if (fixture === undefined) writeFileSync(path, '');
  // The home folder of the fixtures is this one.
  else writeFileSync(path, readFileSync(join(FIXTURES, fixture), 'utf8').replaceAll('/home/ann', home));
  return path;
}

const capture = (client: 'claude' | 'codex', path: string, more: Record<string, unknown> = {}) =>
  takeCapture({ client, event: 'stop', session: 's-1', transcript: path, ...more });

const said = (text: string) =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;

describe('a capture', () => {
  it.each([
    ['claude', 'claude-2.1'],
    ['codex', 'codex-0.142'],
  ] as const)('assistants:X1 of %s is what a reader needs to go on', async (client, version) => {
    const { entry, isWork } = await capture(client, transcript(client, `${version}/work.jsonl`));
    const { bytes: _, to: __, ...figures } = entry.metadata.capture.transcript ?? { bytes: 0, to: 0 };
    const shown = `${entry.content}\n---\n${JSON.stringify({ figures, redacted: entry.metadata.capture.redacted })}\n`;
    await expect(shown).toMatchFileSnapshot(join(FIXTURES, version, 'work.entry.md'));
    expect(isWork).toBe(true);
  });

  it('assistants:Z4 has no secret in it that has a shape', async () => {
    for (const [client, file] of [
      ['claude', 'claude-2.1/work.jsonl'],
      ['codex', 'codex-0.142/work.jsonl'],
    ] as const) {
      const { entry, mark } = await capture(client, transcript(client, file));
      const taken = JSON.stringify({ entry, kept: mark?.conversation });
      expect(taken).not.toContain('canary');
      expect(taken).not.toContain(home);
      expect(taken).toContain('[redacted:');
    }
  });

  it('assistants:Z4 cuts no secret in half before it is looked for', async () => {
    const path = transcript('claude');
    const key = `ghp_${'c'.repeat(36)}`;
    const long = `-----BEGIN PRIVATE KEY-----${'x'.repeat(32_690)}-----END PRIVATE KEY----- `;
    // At the cut of what is shown, and at the cut of what is looked at.
    writeFileSync(path, said(`${'x'.repeat(480)} ${key}`) + said(`${long}${key}`));
    const { entry } = await capture('claude', path);
    expect(entry.content).not.toContain('ghp_');
  });

  it('assistants:X1 of small talk is no work', async () => {
    const { isWork } = await capture('claude', transcript('claude', 'claude-2.1/small-talk.jsonl'));
    expect(isWork).toBe(false);
  });

  it('has at most 8 KiB and ends at a whole character', async () => {
    const path = transcript('claude');
    writeFileSync(path, Array.from({ length: 5 }, (_, n) => said(`${n}${'🐢'.repeat(2_000)}`)).join(''));
    const steps = Array.from({ length: 40 }, (_, n) => ({
      content: `${n} ${'ж'.repeat(500)}`,
      status: 'pending',
    }));
    const todo = { type: 'tool_use', id: 't', name: 'TodoWrite', input: { todos: steps } };
    appendFileSync(path, `${JSON.stringify({ type: 'assistant', message: { content: [todo] } })}\n`);
    const { entry } = await capture('claude', path);
    expect(Buffer.byteLength(entry.content)).toBeLessThanOrEqual(8_192);
    expect(Buffer.byteLength(entry.content)).toBeGreaterThan(8_000);
    expect(entry.content).not.toMatch(/\p{Cs}/u);
  });
});

describe('a transcript', () => {
  const claude = () => ({ client: 'claude' as const, folder: join(home, '.claude', 'projects') });

  it('is read on from where it was left, without a line that is half written', async () => {
    const path = transcript('claude');
    writeFileSync(path, `${said('one')}${said('two').slice(0, 30)}`);
    const first = await capture('claude', path);
    expect(first.mark?.conversation.asks).toBe(1);
    writeFileSync(path, said('one') + said('two') + said('three'));
    const second = await capture('claude', path, { before: first.mark });
    expect(second.mark?.conversation).toMatchObject({
      asks: 3,
      first: 'one',
      latest: ['one', 'two', 'three'],
    });
    expect(second.entry.metadata.capture.transcript?.from).toBe(said('one').length);
  });

  it('that is shorter than before is read anew', async () => {
    const path = transcript('claude');
    writeFileSync(path, said('one') + said('two'));
    const first = await capture('claude', path);
    writeFileSync(path, said('other'));
    const second = await capture('claude', path, { before: first.mark });
    expect(second.mark?.conversation).toMatchObject({ asks: 1, first: 'other' });
  });

  it('assistants:X5 of a gigabyte costs 32 MiB, and shows its beginning and its end', () => {
    const path = transcript('claude');
    writeFileSync(path, said('the first'));
    truncateSync(path, 1_024 * MIB);
    appendFileSync(path, `\n${said('the last')}`);
    const read = readTranscript({ ...claude(), path }, new Redactor(home));
    if ('refused' in read) throw new Error(read.refused);
    expect(read.bytesRead).toBe(32 * MIB);
    expect(read.conversation).toMatchObject({ first: 'the first', latest: ['the first', 'the last'] });
    expect(read.offset).toBe(read.bytes);
  });

  it('has lines that are passed over and counted: too long, no JSON, of no known form', () => {
    const path = transcript('claude');
    writeFileSync(path, `${said('x'.repeat(9 * MIB))}{"a":\n[1]\n${said('after')}`);
    const read = readTranscript({ ...claude(), path }, new Redactor(home));
    expect(read).toMatchObject({ skipped: 3, conversation: { latest: ['after'] } });
  });

  it('assistants:X6 of another folder, or through a link, is refused', () => {
    const outside = join(home, 'elsewhere');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.jsonl'), said('secret'));
    const path = transcript('claude', 'claude-2.1/small-talk.jsonl');
    symlinkSync(join(outside, 'a.jsonl'), join(home, '.claude', 'projects', 'link.jsonl'));
    symlinkSync(outside, join(home, '.claude', 'projects', 'folder'));
    symlinkSync(path, join(home, '.claude', 'projects', 'inside.jsonl'));
    for (const wrong of [
      join(outside, 'a.jsonl'),
      join(home, '.claude', 'projects', 'link.jsonl'),
      join(home, '.claude', 'projects', 'folder', 'a.jsonl'),
      join(home, '.claude', 'projects', 'inside.jsonl'),
      join(home, '.claude', 'projects', '..', '..', 'elsewhere', 'a.jsonl'),
      join(home, '.claude', 'projects', '-shop'),
      join(home, '.claude', 'projects', 'nothing.jsonl'),
      '/dev/zero',
    ])
      expect(readTranscript({ ...claude(), path: wrong }, new Redactor(home)), wrong).toHaveProperty(
        'refused',
      );
    expect(readTranscript({ ...claude(), path }, new Redactor(home))).toHaveProperty('conversation');
  });

  it('assistants:X5 that is a pipe is refused at once', () => {
    const path = transcript('claude').replace('work', 'pipe');
    execFileSync('mkfifo', [path]);
    expect(readTranscript({ ...claude(), path }, new Redactor(home))).toHaveProperty('refused');
  });
});

describe('the state of git', () => {
  const git = (folder: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });

  it('assistants:X1 is one text: branch, commit, counts, paths, lines', async () => {
    const folder = join(home, 'shop');
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Begin');
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    writeFileSync(join(folder, 'new file.txt'), 'x');
    writeFileSync(join(folder, 'b.txt'), 'x');
    git(folder, 'add', 'b.txt');
    const text = await gitText(folder, new Redactor(home));
    expect(text?.replace(/[0-9a-f]{7}/, 'COMMIT')).toBe(
      [
        'branch main',
        'HEAD COMMIT Begin',
        '1 changed, 1 staged, 1 untracked',
        ' M a.txt',
        'A  b.txt',
        '?? new file.txt',
        'a.txt | 2 +-',
        'b.txt | 1 +',
        '2 files changed, 2 insertions(+), 1 deletion(-)',
      ].join('\n'),
    );
  });

  it('is bounded: 50 paths, 40 lines', async () => {
    const folder = join(home, 'many');
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    for (let n = 0; n < 120; n++) writeFileSync(join(folder, `f${n}`), 'x');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Begin');
    for (let n = 0; n < 120; n++) writeFileSync(join(folder, `f${n}`), 'y');
    const lines = (await gitText(folder, new Redactor(home)))?.split('\n') ?? [];
    expect(lines.filter((line) => line.startsWith(' M'))).toHaveLength(50);
    expect(lines).toContain('and 70 more');
    expect(lines).toHaveLength(3 + 50 + 1 + 40);
  });

  it('runs nothing that a folder is configured to run', async () => {
    const folder = join(home, 'hostile');
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a'), 'x');
    writeFileSync(join(folder, '.gitattributes'), '* diff=bad\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Begin');
    const ran = join(home, 'ran');
    const bad = join(home, 'bad.sh');
    writeFileSync(bad, `#!/bin/sh\necho "$0 $*" >> ${ran}\n`, { mode: 0o755 });
    for (const name of [
      'core.fsmonitor',
      'diff.external',
      'diff.bad.textconv',
      'diff.bad.command',
      'core.pager',
    ])
      git(folder, 'config', name, bad);
    writeFileSync(join(folder, 'a'), 'changed');
    expect(await gitText(folder, new Redactor(home))).toContain(' M a');
    expect(() => openSync(ran, 'r')).toThrow('ENOENT');
  });

  /** A repository with one commit, in which each file has changed since. */
  const changed = (name: string, files: readonly (string | Buffer)[]): string => {
    const folder = join(home, name);
    mkdirSync(join(folder, 'sub'), { recursive: true });
    git(folder, 'init', '-q', '-b', 'main');
    const put = (text: string) => {
      for (const file of files)
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(file)]), `${text} ${file}\n`);
    };
    put('one');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'Begin');
    put('canary');
    return folder;
  };

  it('assistants:Z4 the patch shows no file that may be secret, however git is configured', async () => {
    const odd = Buffer.from([...Buffer.from('.env.'), 0xff]);
    const folder = changed('secrets', ['a.txt', '.env', 'sub/.env', 'sub/id_rsa', 'sub/b.txt', odd]);
    git(folder, 'config', 'diff.relative', 'true');
    const patch = (await gitPatch(join(folder, 'sub'), new Redactor(home))) ?? '';
    expect(patch.match(/canary .*/g)).toEqual(['canary a.txt', 'canary sub/b.txt']);
    expect(patch.match(/^# .*(?= has changed)/gm)).toEqual([
      '# .env',
      '# .env.\ufffd',
      '# sub/.env',
      '# sub/id_rsa',
    ]);
  });

  it('assistants:Z4 the patch shows nothing of a folder that was a file, nor all where nothing may be shown', async () => {
    const folder = changed('became', ['a']);
    rmSync(join(folder, 'a'));
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a', '.env'), 'canary');
    git(folder, 'add', '.');
    const patch = await gitPatch(folder, new Redactor(home));
    expect(patch).toContain('# a/.env has changed');
    expect(patch).not.toContain('canary');
  });

  describe('assistants:Z4 of another repository is left out', () => {
    const SUBJECT = 'Plan of the merger';
    let victim: string;
    beforeEach(() => {
      victim = changed('victim', ['merger.txt']);
      git(victim, 'commit', '-q', '--amend', '-m', SUBJECT);
    });
    const shows = async (folder: string) => {
      const redactor = new Redactor(home);
      return `${await gitText(folder, redactor)}\n${await gitPatch(folder, redactor)}`;
    };
    const HOSTILE: Readonly<Record<string, (thief: string, victimGit: string) => void>> = {
      'a .git that says it is there': (thief, theirs) =>
        writeFileSync(join(thief, '.git'), `gitdir: ${theirs}\n`),
      'a .git that is a link': (thief, theirs) => symlinkSync(theirs, join(thief, '.git')),
      'a .git that says it is a worktree of it': (thief, theirs) => {
        git(victim, 'worktree', 'add', '-q', join(home, 'side'));
        writeFileSync(join(thief, '.git'), `gitdir: ${theirs}/worktrees/side\n`);
      },
      'a made-up worktree': (thief, theirs) => {
        mkdirSync(join(thief, 'made'));
        writeFileSync(join(thief, 'made', 'commondir'), theirs);
        writeFileSync(join(thief, 'made', 'gitdir'), join(thief, '.git'));
        writeFileSync(join(thief, 'made', 'HEAD'), 'ref: refs/heads/main\n');
        writeFileSync(join(thief, '.git'), 'gitdir: made\n');
      },
      'a .git with a commondir': (thief, theirs) => {
        git(thief, 'init', '-q', '-b', 'main');
        writeFileSync(join(thief, '.git', 'commondir'), theirs);
      },
      'links for its objects and its refs': (thief, theirs) => {
        git(thief, 'init', '-q', '-b', 'main');
        for (const name of ['objects', 'refs', 'index']) {
          rmSync(join(thief, '.git', name), { recursive: true, force: true });
          symlinkSync(join(theirs, name), join(thief, '.git', name));
        }
      },
      'a link for the names of its files': (thief, theirs) => {
        git(thief, 'init', '-q', '-b', 'main');
        symlinkSync(join(theirs, 'index'), join(thief, '.git', 'index'));
      },
      'its objects as alternates': (thief, theirs) => {
        git(thief, 'init', '-q', '-b', 'main');
        writeFileSync(join(thief, '.git', 'objects', 'info', 'alternates'), join(theirs, 'objects'));
        git(thief, 'update-ref', 'refs/heads/main', git(victim, 'rev-parse', 'HEAD').toString().trim());
      },
      'links in its objects': (thief, theirs) => {
        git(thief, 'init', '-q', '-b', 'main');
        for (const name of readdirSync(join(theirs, 'objects')).filter((name) => name.length === 2))
          symlinkSync(join(theirs, 'objects', name), join(thief, '.git', 'objects', name));
        git(thief, 'update-ref', 'refs/heads/main', git(victim, 'rev-parse', 'HEAD').toString().trim());
      },
    };
    it.each(Object.entries(HOSTILE))('%s', async (_, lead) => {
      const thief = join(home, 'thief');
      mkdirSync(thief);
      lead(thief, join(victim, '.git'));
      expect(await shows(thief)).not.toMatch(/merger/);
    });

    it('but worktrees and submodules, as git makes them, are shown', async () => {
      expect(await shows(victim)).toContain(SUBJECT);
      git(victim, 'worktree', 'add', '-q', join(home, 'side'));
      expect(await shows(join(home, 'side'))).toContain(SUBJECT);
      const app = changed('app', ['a.txt']);
      git(app, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', victim, 'vendor/lib');
      const library = join(app, 'vendor', 'lib');
      expect(await shows(library)).toContain(SUBJECT);
      git(library, 'worktree', 'add', '-q', join(home, 'lib-side'));
      expect(await shows(join(home, 'lib-side'))).toContain(SUBJECT);
      // Moves where its files are to a file of its own.
      git(library, 'sparse-checkout', 'set', '--no-cone', '/*');
      expect(await shows(join(library))).toContain(SUBJECT);
    });
  });

  it('assistants:Z4 runs no filter that is configured anywhere, and the patch shows no file that has one', async () => {
    const folder = changed('filtered', ['a.txt', 'b.dat', 'c.cfg']);
    const ran = join(home, 'ran');
    const bad = join(home, 'bad.sh');
    writeFileSync(bad, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`, { mode: 0o755 });
    writeFileSync(join(home, '.gitconfig'), `[filter "everywhere"]\n\tclean = ${bad}\n\trequired = true\n`);
    writeFileSync(join(folder, '.gitattributes'), '*.dat filter=bad\n*.cfg filter=everywhere\n');
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '*.dat filter=Bad.two\n');
    for (const name of ['bad', 'Bad.two'])
      for (const kind of ['process', 'clean', 'smudge', 'required'])
        git(folder, 'config', `filter.${name}.${kind}`, kind === 'required' ? 'true' : bad);
    writeFileSync(join(folder, 'b.dat'), 'canary again');
    const redactor = new Redactor(home);
    expect(await gitText(folder, redactor)).toContain(' M b.dat');
    const patch = await gitPatch(folder, redactor);
    expect(patch).toContain('+canary a.txt');
    expect(patch?.match(/^# .*(?= has changed)/gm)).toEqual(['# b.dat', '# c.cfg']);
    expect(patch).not.toContain('canary again');
    expect(() => openSync(ran, 'r')).toThrow('ENOENT');
    // The command line cannot name it.
    git(folder, 'config', 'filter.a=b.clean', bad);
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '*.dat filter=a=b\n');
    expect(await gitText(folder, redactor)).toBeUndefined();
    expect(() => openSync(ran, 'r')).toThrow('ENOENT');
  });

  it('is left out where its files are elsewhere', async () => {
    const folder = changed('moved', ['a.txt']);
    mkdirSync(join(home, 'private'));
    writeFileSync(join(home, 'private', 'a.txt'), 'private\n');
    for (const elsewhere of [join(home, 'private'), home]) {
      git(folder, 'config', 'core.worktree', elsewhere);
      expect(await gitText(folder, new Redactor(home))).toBeUndefined();
      expect(await gitPatch(folder, new Redactor(home))).toBeUndefined();
    }
  });

  it('fetches nothing that a partial clone lacks', async () => {
    const folder = changed('partial', ['a.txt']);
    const ran = join(home, 'ran');
    const bad = join(home, 'ssh.sh');
    writeFileSync(bad, `#!/bin/sh\necho ran >> ${ran}\n`, { mode: 0o755 });
    const blob = git(folder, 'rev-parse', 'HEAD:a.txt').toString().trim();
    for (const [name, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'o'],
      ['remote.o.url', 'ssh://host.invalid/x'],
      ['remote.o.promisor', 'true'],
      ['core.sshCommand', bad],
    ] as const)
      git(folder, 'config', name, value);
    rmSync(join(folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    await gitText(folder, new Redactor(home));
    await gitPatch(folder, new Redactor(home));
    expect(() => openSync(ran, 'r')).toThrow('ENOENT');
  });

  it('assistants:X5 is left out when git hangs, and nothing that it started is left', async () => {
    const mark = join(home, 'children');
    const hanging = join(home, 'git.sh');
    writeFileSync(hanging, `#!/bin/sh\nsleep 60 &\necho $! > ${mark}\nwait\n`, { mode: 0o755 });
    const folder = changed('hanging', ['a.txt']);
    expect(await gitText(folder, new Redactor(home), hanging)).toBeUndefined();
    const child = Number(readFileSync(mark, 'utf8'));
    await until(() => hasEnded(child));
  });

  it('is left out where there is no repository or no git', async () => {
    expect(
      await gitText(changed('without', ['a.txt']), new Redactor(home), '/does/not/exist'),
    ).toBeUndefined();
    expect(await gitText(temporaryFolder(), new Redactor(home))).toBeUndefined();
    expect(await gitText('/proc', new Redactor(home))).toBeUndefined();
  });
});
