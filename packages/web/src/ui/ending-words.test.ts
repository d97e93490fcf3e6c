import { Effect, OperationStatus, ReasonCode, StepStatus } from '@handover/core';
import type { ClaimView } from '@handover/evm';
import { describe, expect, it } from 'vitest';
import { accountsOf, mayNotBeSigned, mistypedAsk } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { claimWords } from './claim-words.js';
import { endingWords, nothingSent } from './ending-words.js';
import { stepState } from './step-state-words.js';
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

  const told = (change: Partial<ClaimView>, rest: Partial<Step> = {}): HandoffRecord =>
    recordOf(
      { status: OperationStatus.TxSubmitted, effect: Effect.Unknown, verification: 'pending' },
      {
        status: StepStatus.Submitted,
        effect: Effect.Unknown,
        verification: 'pending',
        claims: [{ kind: 'tx', value: '0x1', source: 'page', verification: 'pending', ...change }],
        ...rest,
      },
    );

  it('review:Y1 says sent only of what the network has shown', () => {
    expect(words(told({}))).toContain('Sent, being verified');
    const unknown = [
      told({ reasonDetail: 'not_found' }),
      told({ reasonDetail: 'not_found', reasonCode: 'NOT_SEEN' }, { reasonCode: 'NOT_SEEN' }),
      told({ verification: 'unverified' }, { verification: 'unverified' }),
      {
        ...told({ verification: 'unverified' }, { verification: 'unverified' }),
        watched: false,
        verification: 'unverified' as const,
      },
    ];
    for (const record of unknown) {
      expect(words(record)).not.toMatch(/\bSent\b/);
      expect(record.steps.map((step) => stepState(record, step).text).join()).not.toMatch(/Sent/);
    }
    expect(words(told({ reasonDetail: 'not_found' }))).toContain('The network does not know this hash yet');
  });

  it('review:Y1 offers "I did not sign" once no node has known any of the hashes for ten minutes', () => {
    const stepOf = (record: HandoffRecord) => record.steps[0] as Step;
    const unseen = { reasonDetail: 'not_found', reasonCode: 'NOT_SEEN', askId: 'ask_1' } as const;
    expect(mayNotBeSigned(stepOf(told(unseen)))).toBe(true);
    expect(mayNotBeSigned(stepOf(told({ reasonDetail: 'not_found', askId: 'ask_1' })))).toBe(false);
    // Nobody asked a wallet for it, so nobody can say that it was not signed.
    const { askId: _askId, ...without } = unseen;
    expect(mayNotBeSigned(stepOf(told(without)))).toBe(false);
  });

  it('review:Y2 does not say done without more while another hash or prompt is open', () => {
    const done = { status: OperationStatus.Completed, effect: Effect.Done } as const;
    const claim = { kind: 'tx', value: '0x1', source: 'page', verification: 'matched' } as const;
    const step = { status: StepStatus.Confirmed, effect: Effect.Done, claims: [claim] } as const;
    expect(endingWords(recordOf(done, step))?.title).toBe('Done');
    const second = { ...claim, value: '0x2', verification: 'pending' } as const;
    const twice = endingWords(recordOf(done, { ...step, claims: [claim, second] }));
    expect(twice).toMatchObject({ tone: 'busy', title: 'Done, but look in your wallet' });
    const ask = { id: 'ask_1', stepIds: ['a'], at: '', standing: 'quiet' } as const;
    expect(endingWords(recordOf({ ...done, asks: [ask] }, step))?.text).toContain('paid a second time');
  });

  it('review:Y2 a hash that the network has not shown does not make what is done doubtful', () => {
    const done = { status: OperationStatus.Completed, effect: Effect.Done } as const;
    const found = {
      kind: 'tx',
      value: '0x1',
      source: 'nonce',
      verification: 'matched',
      askId: 'ask_1',
    } as const;
    const typo = { ...found, value: '0x2', source: 'holder', verification: 'pending' } as const;
    const said = (claim: Partial<ClaimView>) =>
      endingWords(
        recordOf(done, {
          status: StepStatus.Confirmed,
          effect: Effect.Done,
          claims: [found, { ...typo, ...claim }],
        }),
      );
    for (const claim of [{ reasonDetail: 'not_found' }, { reasonCode: 'NOT_SEEN' }] as const) {
      expect(said(claim)).toMatchObject({ tone: 'good', title: 'Done' });
      expect(said(claim)?.text).toContain('if it was a typo, nothing more happens');
      expect(said(claim)?.text).not.toContain('paid twice');
    }
    // One that was taken back is no longer spoken of.
    const back = said({ verification: 'unverified', reasonCode: 'NOT_SEEN' });
    expect(back?.text).not.toContain('typo');
    // A prompt that may be open counts more.
    const ask = { id: 'ask_2', stepIds: ['a'], at: '', standing: 'quiet' } as const;
    const step = { status: StepStatus.Confirmed, effect: Effect.Done } as const;
    const claims = [found, { ...typo, reasonDetail: 'not_found' }];
    expect(endingWords(recordOf({ ...done, asks: [ask] }, { ...step, claims }))?.tone).toBe('busy');
  });

  it('review:C9 a typo is taken back only for an ask of which nothing else was told', () => {
    const step = (claims: readonly Partial<ClaimView>[], status: StepStatus = StepStatus.Confirmed) =>
      ({ status, claims }) as unknown as Step;
    const found = { verification: 'matched', askId: 'ask_1' } as const;
    const typo = { verification: 'pending', reasonCode: 'NOT_SEEN', askId: 'ask_2' } as const;
    expect(mistypedAsk(step([found, typo]))).toBe('ask_2');
    expect(mistypedAsk(step([found, typo], StepStatus.Submitted))).toBeUndefined();
    expect(mistypedAsk(step([found, { ...typo, askId: 'ask_1' }]))).toBeUndefined();
    const { reasonCode: _code, ...early } = typo;
    expect(mistypedAsk(step([found, { ...early, reasonDetail: 'not_found' }]))).toBeUndefined();
    expect(mistypedAsk(step([found, { ...typo, verification: 'unverified' }]))).toBeUndefined();
  });

  it('review:Y5 a server that has lost its RPC is not said to look', () => {
    const LOOKS =
      /looks for it|waits until the network|being looked up|waiting for a block|is still looked for|found and recorded/;
    const sent = { status: OperationStatus.TxSubmitted, effect: Effect.Unknown, chainSight: 'none' } as const;
    for (const verification of ['unverified', 'pending'] as const) {
      const claim = { kind: 'tx', value: '0x1', source: 'page', verification } as const;
      const step = { status: StepStatus.Submitted, verification, claims: [claim] } as const;
      const record = recordOf({ ...sent, verification }, step);
      expect(endingWords(record)?.title).toBe('Told, not verified');
      expect(words(record)).not.toMatch(LOOKS);
      expect(stepState(record, record.steps[0] as Step).text).toBe('Told, not verified');
      expect(claimWords(record, claim)).toBe('cannot be checked by this server');
      // The other way round: it has one now.
      const seen = recordOf({ ...sent, verification, watched: false, chainSight: 'watched' }, step);
      expect(words(seen)).toMatch(LOOKS);
    }
    const closing = { by: 'creator', at: '' } as const;
    const asks = [{ id: 'ask_1', stepIds: ['a'], at: '', standing: 'quiet' }] as const;
    for (const change of [{ closing }, { closing, asks }, { late: true }, { late: true, asks }])
      expect(words(recordOf({ ...sent, ...change }))).not.toMatch(LOOKS);
  });

  it('review:Y6 names the accounts that have paid, each once', () => {
    const record = twice([
      { account: '0xAA' },
      { account: '0xaa' },
      { account: '0xbb', reasonCode: 'REVERTED' },
    ]);
    expect(accountsOf(record)).toEqual(['0xaa']);
    expect(accountsOf(twice([{ account: '0xaa' }, { account: '0xbb' }, {}]))).toEqual(['0xaa', '0xbb']);
  });

  it('review:Y3 does not say that it can no longer be signed where a prompt may be open', () => {
    const ended = (reasonCode: ReasonCode) =>
      endingWords(recordOf({ status: OperationStatus.Cancelled }, { reasonCode }))?.text;
    expect(ended(ReasonCode.Rejected)).toContain('can no longer be signed');
    expect(ended(ReasonCode.NotSigned)).not.toContain('can no longer be signed');
    expect(ended(ReasonCode.NotSigned)).toContain('if you sign it, it will be paid, found and recorded');
  });

  it('review:1.6 offers another try only where there is a button for it', () => {
    const quiet = { status: OperationStatus.Failed, effect: Effect.Unknown } as const;
    const step = { reasonCode: ReasonCode.NotSigned };
    expect(words(recordOf(quiet, step))).toContain('you can try again now');
    const withdrawn = { ...quiet, closing: { by: 'holder', at: '' } } as const;
    expect(words(recordOf(withdrawn, step))).not.toContain('try again');
    const record = recordOf(quiet, step);
    expect(stepWords(record, record.steps[0] as Step, { isPrompting: true })).not.toContain('try again');
  });

  it('review:1.6 names the block, the fee, and the request that took its place', () => {
    const not = recordOf({}, { reasonCode: ReasonCode.NotSigned, reasonBlock: 1_234 });
    expect(words(not)).toContain('the chain shows nothing of it up to block 1,234.');
    const claim = { kind: 'tx', value: '0x1', source: 'page', verification: 'matched' } as const;
    const reverted = recordOf(
      {},
      {
        reasonCode: ReasonCode.Reverted,
        claims: [{ ...claim, reasonCode: ReasonCode.Reverted, fee: '120000000000000' }],
      },
    );
    const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
    expect(stepWords(reverted, reverted.steps[0] as Step, { currency })).toBe(
      'It was sent and had no effect; the fee of 0.00012 ETH is spent.',
    );
    const closing = { by: 'creator', at: '', replacedBy: 'op_2' } as const;
    const replaced = endingWords(recordOf({ status: OperationStatus.Cancelled, closing }));
    expect(replaced?.title).toBe('Replaced');
    expect(replaced?.text).toContain('op_2');
  });

  it.each([
    [undefined, 'its other owners'],
    [1, 'only waits to be carried out'],
    [2, 'Waiting for 1 more owner:'],
    [4, 'Waiting for 3 more owners:'],
  ])('review:2.4 says for how many owners a Safe waits, as its contract says: %s', (owners, text) => {
    const reasonCode = ReasonCode.SafePending;
    const record = told({ kind: 'safe', reasonCode, ...(owners && { owners }) }, { reasonCode });
    expect(endingWords(record)).toMatchObject({
      title: 'Proposed to your Safe',
      text: expect.stringContaining(text),
    });
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

  const ETHER = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const twice = (claims: readonly Partial<ClaimView>[], value = '10000000000000000') =>
    recordOf(
      { status: OperationStatus.Completed, effect: Effect.Exceeded, reasonCode: 'PAID_TWICE' },
      {
        status: StepStatus.Confirmed,
        effect: Effect.Exceeded,
        reasonCode: 'PAID_TWICE',
        txRequest: { to: `0x${'7'.repeat(40)}`, value },
        claims: claims.map((one, index) => ({
          kind: 'tx',
          value: `0x${index}`,
          source: 'page',
          verification: 'matched',
          ...one,
        })),
      },
    );

  it.each([
    ['Paid twice: 2 × 0.01 ETH', twice([{}, {}])],
    ['Paid 3 times: 3 × 0.01 ETH', twice([{}, {}, {}])],
    // One transaction may hold the call as often, and one without effect does not count.
    ['Paid twice: 2 × 0.01 ETH', twice([{ frames: ['0', '1'] }, { reasonCode: 'REVERTED' }])],
    ['Paid twice', twice([{}, {}], '0')],
    ['More was sent than was asked for', twice([{}, { verification: 'mismatched' }])],
  ])('review:Y6 %s', (title, record) => {
    expect(endingWords(record, { currency: ETHER })?.title).toBe(title);
  });

  it('review:Y6 a request that was replaced says who has the link of the new one', () => {
    const closing = { by: 'creator', at: '', replacedBy: 'op_new' } as const;
    expect(words(recordOf({ status: OperationStatus.Cancelled, closing }))).toContain(
      'op_new: your agent has its link',
    );
  });

  it('review:Y6 a step that this page cannot have signed is not called ready', () => {
    const record = recordOf({}, { status: StepStatus.Pending });
    const step = record.steps[0] as Step;
    expect(stepState(record, step).text).toBe('Ready');
    expect(stepState(record, step, 'a public node').text).toBe('Waits for a public node');
  });

  it('review:Y8 a request whose time is over while a wallet may still act says what to do', () => {
    const late = { status: OperationStatus.TxRequested, effect: Effect.Unknown, late: true } as const;
    const asked = recordOf(late, { status: StepStatus.Requested });
    expect(endingWords(asked)?.title).toBe('Its time is over, but your wallet was asked');
    const said = recordOf(late, { status: StepStatus.Failed, reasonCode: 'NOT_SIGNED' });
    expect(endingWords(said)?.text).toContain('If the prompt is still open, refuse it in your wallet');
    expect(endingWords(recordOf({ ...late, late: false }, { status: StepStatus.Requested }))).toBeUndefined();
  });
});
