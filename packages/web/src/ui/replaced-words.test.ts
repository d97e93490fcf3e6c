import { expect, it } from 'vitest';
import type { HandoffRecord } from '../model/record.js';
import { replacedWords } from './replaced-words.js';
import { twinWords } from './twin-words.js';

const AT = '2026-11-16T17:01:00Z';
const recordOf = (change: object): HandoffRecord =>
  ({
    family: 'operation',
    status: 'opened',
    effect: 'none',
    steps: [{ id: 'a', status: 'pending', effect: 'none' }],
    replaces: { id: 'op_old', createdAt: AT },
    ...change,
  }) as unknown as HandoffRecord;
const openPrompt = { replaces: { id: 'op_old', createdAt: AT, openPrompt: true } };

it('review:D1 a prompt of the replaced request that may be open is to be refused', () => {
  const said = replacedWords(recordOf(openPrompt));
  expect(said?.isWarning).toBe(true);
  expect(said?.text).toMatch(
    /^Replaces the request of .*2026.*\. A prompt of the earlier request may still be open in your wallet: refuse it there, or both are paid\.$/,
  );
  expect(said?.text).not.toMatch(/nothing/i);
});

it('review:D1 without one it says what was so when the request was made', () => {
  expect(replacedWords(recordOf({ replaces: undefined }))).toBeUndefined();
  const said = replacedWords(recordOf({}));
  expect(said?.isWarning).toBe(false);
  expect(said?.text).toMatch(/Nothing of that one had been sent when this one was made\.$/);
});

it.each([{}, openPrompt])(
  'review:D3 "nothing was sent" never stands beside "both were paid": how the other one stands now wins',
  (change) => {
    const record = recordOf({
      ...change,
      effect: 'done',
      status: 'completed',
      steps: [{ id: 'a', status: 'confirmed', effect: 'done' }],
      twin: { id: 'op_old', createdAt: AT, effect: 'done', doneAt: AT },
    });
    expect(twinWords(record)).toMatch(/both were paid\.$/);
    expect(replacedWords(record)).toMatchObject({ isWarning: false });
    expect(replacedWords(record)?.text).toMatch(/^Replaces the request of [^.]*\.$/);
  },
);

it('review:D3 while the other one may have been paid, nothing is said of what was not sent', () => {
  const twin = { id: 'op_old', createdAt: AT, effect: 'unknown' };
  expect(replacedWords(recordOf({ twin }))?.text).toMatch(/^Replaces the request of [^.]*\.$/);
  expect(replacedWords(recordOf({ ...openPrompt, twin }))?.text).toContain('refuse it there');
  // Of a third request it says nothing of the replaced one.
  expect(replacedWords(recordOf({ twin: { ...twin, id: 'op_third' } }))?.text).toContain('had been sent');
});
