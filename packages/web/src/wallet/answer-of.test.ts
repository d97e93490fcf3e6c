import { expect, it } from 'vitest';
import { answerOf } from './answer-of.js';

it.each([
  ['refused', [4001, 5750]],
  ['not_opened', [4100, 4200, 4902, 5700, 5710, 5740, 5760, -32_002, -32_600, -32_601, -32_602, -32_700]],
  ['unclear', [4900, 4901, 5720, 5730, -32_000, -32_001, -32_003, -32_004, -32_005, -32_006, -32_603, 1]],
])('review:A1 a wallet error means %s', (answer, codes) => {
  for (const code of codes) expect(answerOf({ code })).toEqual({ answer, walletCode: code });
});

it('review:A1 an error without a code tells nothing', () => {
  for (const thrown of [new Error('boom'), 'text', undefined, { code: 'ACTION_REJECTED' }])
    expect(answerOf(thrown)).toEqual({ answer: 'unclear' });
});
