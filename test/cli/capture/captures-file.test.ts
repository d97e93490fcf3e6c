/** What is kept between captures: short, redacted, and no conversation takes the room of the others. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCaptures, writeCapture } from '../../../packages/server/src/cli/capture/captures-file.js';
import {
  type Conversation,
  heard,
  NOTHING_SAID,
} from '../../../packages/server/src/cli/capture/transcripts/conversation.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const redactor = { short: (text: string, most: number) => text.slice(0, most) } as never;
const NOW = 1_800_000_000_000;
const FILE_BYTES = 16 * 1_048_576;

const called = (id: string, files: readonly string[] = []) =>
  ({ kind: 'called', id, files, command: 'x' }) as const;
const marked = (conversation: Conversation) => ({
  ...{ at: NOW, event: 'stop', digest: 'd', mark: { path: '/t', offset: 1, conversation } },
});

it('assistants:Z1 of the id of a call a digest is kept, by which its end is found', () => {
  const id = 'sk-ant-api03-secret'.repeat(10_000);
  const open = heard(NOTHING_SAID, called(id, ['src/a.ts']), redactor);
  expect(JSON.stringify(open)).not.toContain('sk-ant');
  expect(JSON.stringify(open).length).toBeLessThan(1_000);
  const after = heard(open, { kind: 'returned', id, failed: false, text: '' } as never, redactor);
  expect(after).toMatchObject({ open: [], files: ['src/a.ts'], writes: 1 });
});

it('hardening:H1 no conversation keeps the marks of the others from being read', () => {
  const data = temporaryFolder();
  let large = NOTHING_SAID;
  const files = Array.from({ length: 30 }, (_, n) => `${n}/${'\u0001'.repeat(290)}`);
  for (let n = 0; n < 50; n++) large = heard(large, called(`c${n}`, files), redactor);
  const asText = { asks: 1, first: '\u0001'.repeat(100_000) };
  writeCapture(data, 'claude small', marked({ ...NOTHING_SAID, first: 'Hello' }), NOW);
  for (let n = 0; n < 100; n++) writeCapture(data, `claude s${n}`, marked(large), NOW);
  writeCapture(data, 'claude odd', marked({ ...NOTHING_SAID, ...asText }), NOW);
  expect(statSync(join(data, 'captures.json')).size).toBeLessThan((102 * FILE_BYTES) / 500);
  const all = readCaptures(data);
  expect(all.size).toBe(102);
  expect(all.get('claude small')?.mark?.conversation.first).toBe('Hello');
  // Calls go, then the whole mark; when it was captured stays.
  expect(all.get('claude s7')?.mark?.conversation.open.length).toBeLessThan(50);
  expect(all.get('claude odd')).toEqual({ at: NOW, event: 'stop', digest: 'd' });
}, 60_000);

it('what an older version kept of calls goes when it is written again', () => {
  const data = temporaryFolder();
  const open = [{ id: 'toolu_password=hunter22', files: [], command: 'x' }];
  const sessions = { 'claude a': marked({ ...NOTHING_SAID, open }) };
  writeFileSync(join(data, 'captures.json'), JSON.stringify({ v: 1, sessions }), { mode: 0o600 });
  writeCapture(data, 'claude b', marked(NOTHING_SAID), NOW);
  expect(readFileSync(join(data, 'captures.json'), 'utf8')).not.toContain('hunter22');
  expect([...readCaptures(data).keys()].sort()).toEqual(['claude a', 'claude b']);
});

it('a file that is too large is set aside, and said', () => {
  const data = temporaryFolder();
  const path = join(data, 'captures.json');
  writeFileSync(path, 'x'.repeat(FILE_BYTES + 1), { mode: 0o600 });
  writeCapture(data, 'claude a', marked(NOTHING_SAID), NOW);
  expect([...readCaptures(data).keys()]).toEqual(['claude a']);
  expect(statSync(`${path}.set-aside`).size).toBe(FILE_BYTES + 1);
  expect(readFileSync(join(data, 'hooks.log'), 'utf8')).toContain('set aside');
  expect(existsSync(path)).toBe(true);
});
