import { Effect, OperationStatus, ReasonCode, StepStatus } from '@handover/core';
import { describe, expect, it } from 'vitest';
import type { HandoffRecord, Step } from '../model/record.js';
import { endingWords, nothingSent } from './ending-words.js';
import { stepWords } from './step-words.js';

const NOTHING = /nothing was (?:sent|started)|had no effect|not carried out/i;

function recordOf(change: Partial<HandoffRecord>, step: Partial<Step> = {}): HandoffRecord {
  return {
    family: 'operation',
    id: `op_${'0'.repeat(32)}`,
    type: 'payment',
    network: 'local',
    chainId: 1,
    status: OperationStatus.TxRequested,
    verification: 'unverified',
    createdAt: '',
    updatedAt: '',
    expiresAt: '',
    reportUntil: '',
    digest: '',
    watched: true,
    effect: Effect.None,
    basis: [],
    createdBy: 'agent',
    summary: {},
    steps: [
      {
        id: 'a',
        kind: 'transaction',
        label: 'a',
        status: StepStatus.Failed,
        verification: 'unverified',
        effect: change.effect ?? Effect.None,
        ...step,
      },
    ],
    ...change,
  } as HandoffRecord;
}

const words = (record: HandoffRecord): string => {
  const ending = endingWords(record);
  const steps = record.steps.map((step) => stepWords(record, step) ?? '');
  return [ending?.title, ending?.text, ...steps].join(' ');
};

describe('review:1.6 what a page may say', () => {
  it('says that nothing was sent only where the effect is none, whatever status and reason', () => {
    const said = Object.values(Effect).filter(
      (effect) => effect !== Effect.None && effect !== Effect.Partial,
    );
    for (const effect of said)
      for (const status of Object.values(OperationStatus).filter((one) => one !== OperationStatus.Partial))
        for (const reasonCode of [undefined, ...Object.values(ReasonCode)])
          for (const more of [{}, { closed: true }, { closing: { by: 'holder', at: '' } as const }]) {
            const reason = reasonCode && { reasonCode };
            const record = recordOf({ effect, status, ...reason, ...more }, { effect, ...reason });
            expect([effect, status, reasonCode, words(record)].join(' ')).not.toMatch(NOTHING);
            expect(nothingSent(record)).toBe('');
          }
  });

  it.each([
    [ReasonCode.Rejected, 'your wallet reported that you refused'],
    [ReasonCode.NotSigned, 'as was said on this page; the chain shows nothing of it'],
    [ReasonCode.Reverted, 'the fee is spent'],
    [undefined, 'no wallet was asked'],
  ])('says on whose word it is none: %s', (reasonCode, text) => {
    const record = recordOf({ status: OperationStatus.Cancelled }, reasonCode && { reasonCode });
    expect(words(record)).toContain(text);
  });

  it('names who ended it as a holder of the link, the agent or the operator', () => {
    const by = (who: 'holder' | 'creator' | 'admin') =>
      endingWords(recordOf({ status: OperationStatus.Cancelled, closing: { by: who, at: '' } }))?.text;
    expect(by('holder')).toContain('by a holder of the link');
    expect(by('creator')).toContain('The agent has withdrawn it');
    expect(by('admin')).toContain('The operator of this server has withdrawn it');
  });

  it('says in part how much was done', () => {
    const done = { ...recordOf({}).steps[0], effect: Effect.Done } as Step;
    const rest = { ...done, effect: Effect.None };
    const record = recordOf({
      status: OperationStatus.Partial,
      effect: Effect.Partial,
      steps: [done, rest, rest],
    } as Partial<HandoffRecord>);
    expect(endingWords(record)?.text).toContain('1 of 3 was done; the others were not sent.');
  });
});
