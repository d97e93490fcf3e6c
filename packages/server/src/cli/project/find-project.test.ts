/** Which project a window works in, from real folders and the files that git writes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findProject, projectFlaw } from './find-project.js';
import { remoteUrl } from './git-config.js';
import { canonicalOrigin } from './origin-id.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'handover-project-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const folder = (name: string): string => {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const git = (at: string, ...args: readonly string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
    { cwd: at, encoding: 'utf8', stdio: 'pipe' },
  ).trim();
function repository(name: string, origin?: string): string {
  const path = folder(name);
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
  if (origin !== undefined) git(path, 'remote', 'add', 'origin', origin);
  return path;
}
const find = (workingFolder: string, over: Partial<Parameters<typeof findProject>[0]> = {}) =>
  findProject({ env: {}, workingFolder, home: homedir(), ...over });
const projectIn = (...args: Parameters<typeof find>) => find(...args)?.project;

describe('assistants:P1 the id of a project', () => {
  it.each([
    'git@GitHub.com:shop/Web.git',
    'ssh://git@github.com/shop/Web.git',
    'ssh://git@github.com:2222/shop/Web',
    'https://github.com/shop/Web.git',
    'https://user:secret@github.com:443/shop/Web/',
    'HTTPS://github.com/shop/Web.git/',
    'github.com:shop/Web',
  ])('is the same for %s', (url) => expect(canonicalOrigin(url)).toBe('github.com/shop/Web'));

  it('differs for another server on the same host, and for another path', () => {
    expect(canonicalOrigin('http://localhost:3000/a/b')).toBe('localhost:3000/a/b');
    expect(canonicalOrigin('http://localhost:4000/a/b')).toBe('localhost:4000/a/b');
    expect(canonicalOrigin('/srv/git/a.git')).toBe('/srv/git/a');
    expect(canonicalOrigin('file:///srv/git/a.git')).toBe('/srv/git/a');
  });

  it('of a long address costs no more than its length, and one of more than 2 kB is none', () => {
    const slashes = `https://h/${'/'.repeat(100_000)}x`;
    const before = process.cpuUsage();
    expect(canonicalOrigin(slashes)).toBe('h/x');
    expect(canonicalOrigin(`${slashes}${'/'.repeat(100_000)}.git${'/'.repeat(100_000)}`)).toBe('h/x');
    const { user } = process.cpuUsage(before);
    expect(user).toBeLessThan(500_000);
    expect(remoteUrl(`[remote "origin"] url = ${slashes}`, 'origin')).toBeUndefined();
  });

  it('is one for two clones of a repository, and two for two folders without git', () => {
    const ssh = projectIn(repository('one/shop', 'git@github.com:shop/web.git'));
    const https = projectIn(repository('two/store', 'https://github.com/shop/web'));
    expect(ssh).toMatchObject({ id: expect.stringMatching(/^git:[0-9a-f]{16}$/), name: 'shop' });
    expect(https).toMatchObject({ id: ssh?.id, name: 'store' });
    const [plain, other] = [projectIn(folder('plain')), projectIn(folder('other'))];
    expect(plain).toMatchObject({ id: expect.stringMatching(/^dir:[0-9a-f]{16}$/), name: 'plain' });
    expect(other?.id).not.toBe(plain?.id);
  });

  it('is that of the repository in its folders and in its worktrees, with the commit of each', () => {
    const root = repository('tree/main');
    const inside = folder('tree/main/src/deep');
    git(root, 'worktree', 'add', '-q', '-b', 'feature', join(base, 'tree/feature'));
    git(join(base, 'tree/feature'), 'commit', '-q', '--allow-empty', '-m', 'second');
    const whole = find(root);
    expect(find(inside)?.project).toMatchObject({ id: whole?.project.id, name: 'main' });
    const worktree = find(join(base, 'tree/feature'));
    expect(worktree?.project).toMatchObject({ id: whole?.project.id, name: 'main' });
    expect(whole?.head).toBe(git(root, 'rev-parse', 'HEAD'));
    expect(worktree?.head).toBe(git(join(base, 'tree/feature'), 'rev-parse', 'HEAD'));
    git(root, 'pack-refs', '--all');
    expect(find(root)?.head).toBe(whole?.head);
  });

  it('is not that of a repository that knows nothing of it', () => {
    const root = repository('victim/main');
    git(root, 'worktree', 'add', '-q', '-b', 'side', join(base, 'victim/side'));
    const thief = folder('thief');
    for (const gitdir of [join(root, '.git/worktrees/side'), join(base, 'made')]) {
      mkdirSync(join(base, 'made'), { recursive: true });
      writeFileSync(join(base, 'made/commondir'), join(root, '.git'));
      writeFileSync(join(base, 'made/gitdir'), join(thief, '.git'));
      writeFileSync(join(thief, '.git'), `gitdir: ${gitdir}\n`);
      expect(projectIn(thief)).toMatchObject({ name: 'thief' });
      expect(projectIn(thief)?.id).not.toBe(projectIn(root)?.id);
    }
  });

  it('of a submodule is its own', () => {
    const library = repository('library');
    const app = repository('app');
    git(app, 'submodule', '--quiet', 'add', library, 'vendor/library');
    const inside = projectIn(join(app, 'vendor/library'));
    expect(inside).toMatchObject({ name: 'library', id: expect.stringMatching(/^git:/) });
    expect(inside?.id).not.toBe(projectIn(app)?.id);
  });

  it('does not depend on a folder that a relative origin starts from alone', () => {
    const [one, two] = [repository('a/app', '../lib.git'), repository('b/app', '../lib.git')];
    expect(projectIn(one)?.id).not.toBe(projectIn(two)?.id);
  });
});

describe('assistants:P4 where a window works', () => {
  it('is what the flag says, else the program, else the working folder', () => {
    const [flag, said, working] = [folder('flag'), folder('said'), folder('working')];
    const env = { CLAUDE_PROJECT_DIR: said };
    expect(projectIn(working, { flag, env })?.name).toBe('flag');
    expect(projectIn(working, { env })?.name).toBe('said');
    expect(projectIn(working)?.name).toBe('working');
  });

  it('is not what nobody filled in, and not what is no folder', () => {
    const working = folder('working');
    const unexpanded = `\${workspaceFolder}`;
    expect(projectIn(working, { flag: unexpanded })?.name).toBe('working');
    expect(projectFlaw(unexpanded)).toBeUndefined();
    expect(projectIn(working, { env: { CLAUDE_PROJECT_DIR: '/no/such/folder' } })?.name).toBe('working');
    expect(projectFlaw('/no/such/folder')).toContain('--project');
  });

  it('is no project at home, at the root and in folders of the system', () => {
    for (const nobodys of ['/', '/usr/lib', '/etc', '/tmp']) expect(find(nobodys)).toBeUndefined();
    const home = folder('home');
    expect(find(home, { home })).toBeUndefined();
  });

  it('is the folder itself where the whole home folder is a repository', () => {
    const home = repository('dotfiles', 'https://github.com/me/dotfiles');
    const work = folder('dotfiles/work');
    expect(projectIn(work, { home })).toMatchObject({ name: 'work', id: expect.stringMatching(/^dir:/) });
  });

  it('survives files of git that say nothing', () => {
    const odd = folder('odd');
    writeFileSync(join(odd, '.git'), 'nonsense');
    expect(projectIn(odd)?.name).toBe('odd');
    const away = folder('away');
    writeFileSync(join(away, '.git'), 'gitdir: ../gone');
    expect(projectIn(away)).toMatchObject({ name: 'away', id: expect.stringMatching(/^dir:/) });
  });
});

it.each([
  ['[remote "origin"]\n\turl = git@h:a/b.git # mine', 'git@h:a/b.git'],
  ['[remote "other"]\nurl = no\n[Remote "origin"] \n URL = "https://h/a b"', 'https://h/a b'],
  ['[remote "origin"] url = https://h/x', 'https://h/x'],
  ['[core]\nurl = no', undefined],
  ['', undefined],
])('reads a git configuration: %j', (text, url) => expect(remoteUrl(text, 'origin')).toBe(url));
