/** A hash was told. */
import type { Step } from '../../../../packages/web/src/model/record.js';
import { ACCOUNT, HASH, OTHER, operation, step } from '../records.js';
import { type State, sent as sentStep, shows, showsStep, twoSteps } from './scene.js';

const told = {
  status: 'tx_submitted',
  effect: 'unknown',
  verification: 'pending',
  account: ACCOUNT,
} as const;
const claim = {
  kind: 'tx',
  value: HASH,
  source: 'page',
  verification: 'pending',
  askId: `ask_${'0'.repeat(24)}`,
} as const;
/** The node knows no such transaction. */
const unseen = (reason: Pick<Step, 'reasonCode'>): Partial<Step> =>
  sentStep({
    verification: 'pending',
    ...reason,
    claims: [{ ...claim, reasonDetail: 'not_found', ...reason }],
  });

export const sent: readonly State[] = [
  {
    name: 'operation-second-step',
    prepare: shows(
      () =>
        operation({
          status: 'tx_submitted',
          account: ACCOUNT,
          steps: twoSteps(sentStep({ verification: 'pending', blockNumber: 12 })),
        }),
      true,
    ),
  },
  {
    name: 'operation-verifying',
    prepare: shows(() =>
      operation({
        status: 'tx_submitted',
        verification: 'pending',
        account: ACCOUNT,
        steps: [step('s', 'Pay', { to: OTHER, value: '1' }, sentStep({ verification: 'pending' }))],
      }),
    ),
  },
  {
    name: 'operation-unverified',
    prepare: shows(() =>
      operation({
        watched: false,
        status: 'tx_submitted',
        account: ACCOUNT,
        steps: [step('s', 'Pay', { to: OTHER, value: '1' }, sentStep({}))],
      }),
    ),
  },
  {
    name: 'operation-mismatched',
    prepare: shows(() =>
      operation({
        status: 'tx_submitted',
        verification: 'mismatched',
        effect: 'different',
        reasonCode: 'MISMATCHED',
        reasonDetail: 'to_differs',
        account: ACCOUNT,
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '1' },
            sentStep({
              verification: 'mismatched',
              effect: 'different',
              reasonCode: 'MISMATCHED',
              reasonDetail: 'to_differs',
            }),
          ),
        ],
      }),
    ),
  },
  {
    name: 'operation-completed',
    prepare: shows(() =>
      operation({
        status: 'completed',
        effect: 'done',
        verification: 'matched',
        account: ACCOUNT,
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '1' },
            sentStep({ status: 'confirmed', effect: 'done', verification: 'matched', blockNumber: 12 }),
          ),
        ],
      }),
    ),
  },
  {
    name: 'operation-paid-twice',
    prepare: shows(() =>
      operation({
        status: 'completed',
        effect: 'exceeded',
        verification: 'matched',
        reasonCode: 'PAID_TWICE',
        account: ACCOUNT,
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '10000000000000000' },
            {
              ...sentStep({
                status: 'confirmed',
                effect: 'exceeded',
                verification: 'matched',
                reasonCode: 'PAID_TWICE',
              }),
              claims: [HASH, `0x${'5e'.repeat(32)}`].map((value) => ({
                kind: 'tx' as const,
                value,
                source: 'page' as const,
                verification: 'matched' as const,
              })),
            },
          ),
        ],
      }),
    ),
  },
  { name: 'operation-unseen', phone: true, prepare: showsStep(told, unseen({})) },
  {
    name: 'operation-not-seen',
    prepare: showsStep({ ...told, reasonCode: 'NOT_SEEN' }, unseen({ reasonCode: 'NOT_SEEN' })),
  },
  {
    name: 'operation-safe',
    prepare: showsStep(
      { ...told, reasonCode: 'SAFE_PENDING' },
      sentStep({
        verification: 'pending',
        reasonCode: 'SAFE_PENDING',
        claims: [{ ...claim, kind: 'safe', reasonCode: 'SAFE_PENDING', owners: 3 }],
      }),
    ),
  },
  {
    name: 'operation-reverted',
    prepare: showsStep(
      { status: 'failed', account: ACCOUNT, feeSpent: true, reasonCode: 'REVERTED' },
      {
        status: 'failed',
        txHash: HASH,
        reasonCode: 'REVERTED',
        claims: [{ ...claim, verification: 'matched', reasonCode: 'REVERTED', fee: '120000000000000' }],
      },
      true,
    ),
  },
  {
    name: 'operation-done-not-over',
    prepare: showsStep(
      { status: 'completed', effect: 'done', verification: 'matched', account: ACCOUNT },
      sentStep({
        status: 'confirmed',
        effect: 'done',
        verification: 'matched',
        claims: [
          { ...claim, verification: 'matched' },
          { ...claim, value: `0x${'5e'.repeat(32)}`, source: 'holder' },
        ],
      }),
    ),
  },
];
