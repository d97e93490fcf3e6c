import { expect, it } from 'vitest';
import type { HandoffRecord, Step } from '../model/record.js';
import { replacedNonce } from './replaced-nonce.js';

const ACCOUNT = `0x${'Ab'.repeat(20)}`;
const step = { id: 'a', status: 'pending', effect: 'none' } as unknown as Step;
const OPEN = { id: 'op_old', createdAt: '', openPrompt: true, account: ACCOUNT.toLowerCase(), nonce: 7 };

function numberOf(
  replaces: object | undefined,
  next: unknown = '0x7',
  other: object = {},
  account = ACCOUNT,
) {
  const record = { steps: [step, { ...step, id: 'b', ...other }], replaces } as unknown as HandoffRecord;
  const request = async ({ method }: { readonly method: string }) => {
    if (next instanceof Error) throw next;
    return method === 'eth_getTransactionCount' ? next : undefined;
  };
  return replacedNonce(record, step, { provider: { request }, account });
}

it('review:D1 what replaces an open prompt of the same account is sent with its number', async () => {
  expect(await numberOf(OPEN)).toBe(7);
  // A node that does not say keeps nobody from being safe: the wallet refuses a number that is used up.
  expect(await numberOf(OPEN, new Error('no node'))).toBe(7);
  expect(await numberOf(OPEN, null)).toBe(7);
});

it('review:D1 no number where no prompt is open, for another account, or where it is not known', async () => {
  expect(await numberOf(undefined)).toBeUndefined();
  expect(await numberOf({ ...OPEN, openPrompt: undefined })).toBeUndefined();
  expect(await numberOf({ ...OPEN, nonce: undefined })).toBeUndefined();
  expect(await numberOf({ ...OPEN, account: undefined })).toBeUndefined();
  expect(await numberOf(OPEN, '0x7', {}, `0x${'cd'.repeat(20)}`)).toBeUndefined();
});

it('review:D1 a number that is used up, or has others before it, is not repeated', async () => {
  expect(await numberOf(OPEN, '0x8')).toBeUndefined();
  expect(await numberOf(OPEN, '0x6')).toBeUndefined();
});

it('review:D1 a step after one that may have used the number does not take its place', async () => {
  const claims = [{ kind: 'tx', value: '0x1', source: 'page', verification: 'pending' }];
  expect(await numberOf(OPEN, '0x7', { status: 'submitted', claims })).toBeUndefined();
});
