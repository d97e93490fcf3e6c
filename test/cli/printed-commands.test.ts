/**
 * Commands that are printed for a person to copy. Keys, names and paths in them are words of others; a shell must read them as
 * the one word that they are.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { shellLine } from '../../packages/core/src/shell-line.js';
import { hookCommand } from '../../packages/server/src/cli/install/launch.js';
import { lockFolder } from '../../packages/server/src/store/sqlite/lock.js';
import { call } from '../kit/mcp-clients.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { readSources } from '../layering/sources.js';
import { createWindows, type Windows } from '../mcp/support/windows.js';
import { assistant, run } from '../stdio/support.js';

const HOSTILE = [
  'x; touch PWNED #',
  '$(touch PWNED)',
  '`touch PWNED`',
  '"; touch PWNED; "',
  "'; touch PWNED; '",
  'a && touch PWNED',
  'x\ntouch PWNED',
  'x\r\u001b[2Ktouch PWNED',
  '--data-dir=elsewhere',
  '-x',
  '%s%n \\012 \\',
  'two  blanks',
  'no\u00a0break\u200b\u{e0041}',
  'Zoë 日本 🙂',
  '* ? ~ {a,b} !x',
  '=x',
];

/** What a stand-in for `handover` on the path is given when a shell runs the line. */
function ran(line: string): readonly string[] {
  const folder = temporaryFolder();
  const stand = join(folder, 'handover');
  writeFileSync(stand, `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done\n`);
  chmodSync(stand, 0o755);
  const said = execFileSync('/bin/sh', ['-c', line], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect(existsSync(join(folder, 'PWNED'))).toBe(false);
  return said.split('\0').slice(0, -1);
}

describe('what a shell is given', () => {
  it.each(HOSTILE)('%j arrives as one word, as key, value and path', (word) => {
    const line = shellLine('take', [word], [['--to', word], ['--now']]);
    // What a terminal shows is what it runs.
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/u);
    const words = word.startsWith('-')
      ? ['take', '--to', word, '--now', '--', word]
      : ['take', word, '--to', word, '--now'];
    expect(ran(line)).toEqual(words);
    const hook = hookCommand(
      { node: 'handover', script: word, agent: word, dataDir: word },
      'claude',
      'stop',
    );
    expect(ran(hook)).toEqual([
      word,
      'hook',
      'stop',
      '--client',
      'claude',
      '--agent',
      word,
      '--data-dir',
      word,
    ]);
  });

  it('what needs no quotes has none', () => {
    expect(shellLine('cancel', ['shop-20261119-k3v9'], [['--close'], ['--data-dir', '/home/a/b']])).toBe(
      'handover cancel shop-20261119-k3v9 --close --data-dir /home/a/b',
    );
  });
});

describe('the places that print one', () => {
  let world: Windows | undefined;
  afterEach(() => world?.engine.close());

  const visible = HOSTILE.filter((word) => !/[\p{Cc}\u200b]/u.test(word));

  it.each(visible)('a refused take of work with the key %j', async (sessionKey) => {
    world = createWindows();
    const claude = world.open('claude');
    await claude.call('registerSession', { sessionKey, agentFrom: 'claude' });
    await claude.call('handOff', { sessionKey, goal: 'x', to: 'codx' });
    world.clock.now += 3_600_000;
    const { error } = await world.open('o hara; touch PWNED').call('resume', { sessionKey, take: true });
    const [, line = ''] = /(handover take .*)$/.exec(error) ?? [];
    expect(ran(line)).toEqual(expect.arrayContaining(['take', sessionKey, '--to', 'o hara; touch PWNED']));
  });

  it('a data folder that another server has', () => {
    const folder = join(temporaryFolder(), "d; touch PWNED; '$(touch PWNED)");
    mkdirSync(folder);
    const held = lockFolder(join(folder, 'lock.db'));
    let said = '';
    try {
      lockFolder(join(folder, 'lock.db'));
    } catch (thrown) {
      said = String(thrown);
    }
    held.release();
    const [, line = ''] = /end it with "(handover stop .*)", or use/.exec(said) ?? [];
    expect(ran(line)).toEqual(['stop', '--data-dir', folder]);
  });

  it('md import and export of work with such a key, in such a folder', async () => {
    const home = temporaryFolder();
    const data = join(home, "d a'ta; touch PWNED #");
    const sessionKey = 'x; touch PWNED # $(touch PWNED) `touch PWNED` "q" \'r\'';
    const env = { HOME: home, HANDOVER_IDLE_SECS: '5' };
    const mallory = await assistant(data, { args: ['--agent', 'mallory'], env });
    await call(mallory, 'registerSession', { sessionKey, agentFrom: 'mallory' });
    await call(mallory, 'handOff', { sessionKey, goal: 'Finish the import', next: ['x'] });
    const at = ['--data-dir', data];
    const file = join(home, 'HANDOFF.md');
    expect(await run(['md', 'export', sessionKey, '-o', file, ...at], { env })).toMatchObject({ code: 0 });
    const done = await run(['md', 'import', file, '--agent', 'ann', '--project', home, ...at], { env });
    const [, closing = ''] = /If it is the same work: (.*)\n/.exec(done.stderr) ?? [];
    expect(ran(closing)).toEqual(['cancel', sessionKey, '--close', '--data-dir', data]);
    const [, back = ''] = /To take it back: (.*)\n/.exec(done.stdout) ?? [];
    expect(ran(back)).toEqual(['cancel', expect.stringMatching(/^[a-z0-9-]+$/), '--data-dir', data]);
    const { stderr } = await run(['export', sessionKey, ...at], { env });
    const [, written = ''] = /"(handover md export .*)" writes what it says/.exec(stderr) ?? [];
    expect(ran(written)).toEqual(['md', 'export', sessionKey]);
    await mallory.close();
  }, 60_000);
});

/** A command with something filled in, in whatever quotes of the source. */
const FILLED = /\bhandover (?:[a-z]+ )+[^`\n]*?\$\{(?<what>[^}]*)\}/g;
/** Names that this program has itself. A key that no shell reads otherwise is looked at first. */
const OURS = new Set(['client', 'client.name', 'sessionKey', 'agent']);
const GUARDED = new Set(['server/src/cli/inbox-text.ts']);
const NO_COMMAND = 'server/src/observe/ready-line.ts';

it('no source fills a word of others into a command by itself', () => {
  const found = readSources().flatMap(({ path, text }) =>
    [...text.matchAll(FILLED)].flatMap(({ groups }) => {
      const what = groups?.what ?? '';
      const isOurs = OURS.has(what) && (what.startsWith('client') || GUARDED.has(path));
      return isOurs || path === NO_COMMAND ? [] : [`${path}: ${what}`];
    }),
  );
  expect(found).toEqual([]);
});
