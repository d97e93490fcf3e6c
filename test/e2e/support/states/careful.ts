/** States in which a page must not say more than is known, nor less than a person needs. */
import type { OperationReceipt } from '@handover/core';
import { ACCOUNT, HASH, OTHER, operation, step } from '../records.js';
import { type State, sent, shows, showsStep } from './scene.js';

const MADE = '2026-11-16T17:01:00Z';
const OLD = `op_${'3'.repeat(32)}`;
const TYPO = `0x${'ab'.repeat(32)}`;
const ASKS = [`ask_${'1'.repeat(24)}`, `ask_${'2'.repeat(24)}`] as const;
const told = { kind: 'tx', value: HASH, source: 'page' } as const;
const found = { ...told, verification: 'matched', blockNumber: 404, askId: ASKS[0] } as const;
const unseen = { ...told, value: TYPO, source: 'holder', verification: 'pending' } as const;
const done = { status: 'completed', effect: 'done', verification: 'matched', account: ACCOUNT } as const;
const confirmed = { status: 'confirmed', effect: 'done', verification: 'matched' } as const;
const payment = (rest: Parameters<typeof step>[3] = {}) => [
  step('s', 'Pay', { to: OTHER, value: '10000000000000000' }, rest),
];

export const careful: readonly State[] = [
  {
    name: 'operation-replaces-open-prompt',
    phone: true,
    prepare: shows(
      () => operation({ replaces: { id: OLD, createdAt: MADE, openPrompt: true }, steps: payment() }),
      true,
    ),
  },
  {
    name: 'operation-replaces-both-paid',
    prepare: shows(() =>
      operation({
        ...done,
        replaces: { id: OLD, createdAt: MADE },
        receipt: { format: 'handover-operation-receipt@2', effect: 'done' } as unknown as OperationReceipt,
        twin: { id: OLD, createdAt: MADE, effect: 'done', doneAt: MADE },
        steps: payment(sent({ ...confirmed, claims: [{ ...found, account: ACCOUNT }], blockNumber: 404 })),
      }),
    ),
  },
  {
    name: 'operation-rpc-gone',
    prepare: showsStep(
      { status: 'tx_submitted', effect: 'unknown', verification: 'pending', chainSight: 'none' },
      sent({ verification: 'pending', claims: [{ ...told, verification: 'pending' }] }),
    ),
  },
  {
    name: 'operation-done-typo',
    prepare: showsStep(
      done,
      sent({ ...confirmed, claims: [{ ...unseen, askId: ASKS[0], reasonDetail: 'not_found' }, found] }),
    ),
  },
  {
    name: 'operation-done-typo-of-another-prompt',
    phone: true,
    prepare: showsStep(
      done,
      sent({ ...confirmed, claims: [{ ...unseen, askId: ASKS[1], reasonCode: 'NOT_SEEN' }, found] }),
    ),
  },
  {
    name: 'operation-paid-from-two-accounts',
    phone: true,
    prepare: shows(() =>
      operation({
        ...done,
        effect: 'exceeded',
        reasonCode: 'PAID_TWICE',
        steps: payment(
          sent({
            ...confirmed,
            effect: 'exceeded',
            reasonCode: 'PAID_TWICE',
            claims: [
              { ...found, account: ACCOUNT },
              { ...found, value: TYPO, blockNumber: 409, account: OTHER },
            ],
          }),
        ),
      }),
    ),
  },
  {
    name: 'operation-wrong-hash',
    prepare: showsStep(
      { status: 'tx_requested', effect: 'unknown', reasonCode: 'TOO_OLD', account: ACCOUNT },
      {
        status: 'requested',
        effect: 'unknown',
        reasonCode: 'TOO_OLD',
        claims: [{ ...told, verification: 'mismatched', reasonCode: 'TOO_OLD' }],
      },
    ),
  },
  { name: 'operation-unnamed-chain', prepare: shows(() => operation({ chainId: 5 })) },
];
