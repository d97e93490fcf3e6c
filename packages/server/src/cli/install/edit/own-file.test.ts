import { expect, it } from 'vitest';
import { ownFile, putFile, takeFile } from './own-file.js';

const FORMS = [
  ownFile('---\nname: a\n---\nbody\n', 'hash'),
  ownFile('prompt = "a"\n', 'hash'),
  ownFile('body\n', 'html'),
];

it('the mark stands where the form of the file allows it', () => {
  expect(FORMS.map((text) => text.replace(/[0-9a-f]{64}/, 'X'))).toEqual([
    '---\n# handover:managed sha256:X\nname: a\n---\nbody\n',
    '# handover:managed sha256:X\nprompt = "a"\n',
    '<!-- handover:managed sha256:X -->\nbody\n',
  ]);
});

it.each(FORMS)('assistants:I3 a file of ours is replaced and taken; a changed one is not: %j', (whole) => {
  expect(putFile(undefined, whole)).toMatchObject({ kind: 'added', text: whole });
  expect(putFile(whole, whole)).toMatchObject({ kind: 'same' });
  expect(putFile(whole, ownFile('new\n', 'hash'))).toMatchObject({ kind: 'replaced' });
  expect(takeFile(whole)).toEqual({ kind: 'removed', text: undefined });
  for (const changed of [
    `${whole}x`,
    whole.replace('---\n', '---\r\n'),
    whole.replace(/name|prompt|body/, 'z'),
  ]) {
    if (changed === whole) continue;
    expect(putFile(changed, whole)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('changed'),
    });
    expect(takeFile(changed)).toMatchObject({ kind: 'refused' });
  }
  expect(putFile('mine\n', whole)).toMatchObject({ kind: 'refused', why: 'was not written by this command' });
  expect(takeFile('')).toMatchObject({ kind: 'refused' });
});
