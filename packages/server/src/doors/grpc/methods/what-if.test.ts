import { status } from '@grpc/grpc-js';
import { Control, DECISION_MODE, type Envelope, HANDOFF_MODE, payloadKind, StreamKind } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { type MessageInitShape, pb } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import * as kit from '../../../../../../test/kit/envelopes.js';
import { refusal } from '../../../../../../test/kit/refused.js';
import { nodeCodec as codec } from '../../../platform/node-codec.js';
import { newSession } from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

type Candidate = MessageInitShape<typeof pb.PolicyDescriptorSchema>;
type Rules = Readonly<Record<string, unknown>>;

const candidateOf = (rules: Rules, over: Candidate = {}): Candidate => ({
  policyId: 'policy.what-if',
  mode: HANDOFF_MODE,
  schemaVersion: 1,
  rules: JSON.stringify(rules),
  ...over,
});
const IMPLICIT = { acceptance: { implicit_accept_timeout_ms: 5_000 } };
const ANYBODY = { commitment: { authority: 'any_participant' } };
const CAROL = { commitment: { authority: 'designated_role', designated_roles: ['carol'] } };
const kindName = (kind = 0) =>
  Object.entries(pb.WhatIfEntryOutcome_Kind).find(([, value]) => value === kind)?.[0];

describe('WhatIfReplay', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    for (const [policyId, rules] of Object.entries({ implicit: IMPLICIT, anybody: ANYBODY, carol: CAROL })) {
      const answer = await world
        .client('admin')
        .call('registerPolicy', { policyDescriptor: candidateOf(rules, { policyId }) });
      expect(answer.error).toBe('');
    }
  });
  afterAll(() => world.close());

  const say = (envelope: Envelope) => sayIn(world, envelope);
  /** Some time passes before each. */
  async function tell(...steps: readonly (Envelope | number)[]): Promise<void> {
    for (const step of steps)
      if (typeof step === 'number') world.clock.now += step;
      else await say(step);
  }
  const control = (agent: string, id: string, what: Control) =>
    world.client(agent).call(`${what}Session`, { sessionId: id, reason: '' });
  const start = (id: string, policyVersion = '') =>
    kit.start(id, 'alice', { participants: ['alice', 'bob'], policyVersion });
  const ask = (sessionId: string, candidate: Candidate, agent = 'alice') =>
    world.client(agent).call('whatIfReplay', { sessionId, candidate });
  const told = (entries: Awaited<ReturnType<typeof ask>>['entries']) =>
    entries.map(({ messageType, candidate }) => [
      messageType,
      kindName(candidate?.kind),
      ...(candidate?.errorCode ? [candidate.errorCode] : []),
    ]);

  async function accepted(policyVersion = ''): Promise<string> {
    const id = newSession();
    await tell(start(id, policyVersion), 10, kit.offer(id, 'h1', 'bob', 'alice'), 1_000);
    await tell(kit.accept(id, 'h1', 'bob'), 10, kit.commit(id, 'alice'));
    return id;
  }

  it(`${verifies('macp-2026:15:divergence')}agrees with a candidate that changes nothing`, async () => {
    const id = await accepted();
    const answer = await ask(id, candidateOf({}, { policyId: 'mine' }));
    expect(answer).toMatchObject({
      candidatePolicyId: 'mine',
      recordedPolicyId: 'policy.default',
      denials: [],
    });
    expect(answer.firstDivergence).toBeUndefined();
    const [entry] = await world.store.read({ tenant: 'default', kind: StreamKind.Session, id }, 3, {
      entries: 1,
      bytes: 1,
    });
    for (const end of [answer.recorded, answer.candidate]) {
      expect(end).toMatchObject({
        state: pb.SessionState.RESOLVED,
        resolvedByHistoryIndex: 3n,
        resolvedByMessageId: entry?.messageId,
        resolvedByMessageType: 'Commitment',
      });
      expect(Buffer.from(end?.resolution ?? []).equals(Buffer.from(entry?.payload ?? []))).toBe(true);
    }
    expect(
      answer.entries.map(({ historyIndex, recorded }) => [historyIndex, kindName(recorded?.kind)]),
    ).toEqual([0n, 1n, 2n, 3n].map((index) => [index, 'APPLIED']));
    expect(answer.entries.map(({ candidate }) => candidate?.state)).toEqual([
      ...Array(3).fill(pb.SessionState.OPEN),
      pb.SessionState.RESOLVED,
    ]);
  });

  it(`${verifies('macp-2026:15:denials')}names every denial, with its details`, async () => {
    const id = newSession();
    const fields = { mode: DECISION_MODE };
    const participants = { participants: ['bob', 'carol'] };
    const said = (sender: string, type: 'Proposal' | 'Vote', payload: object) =>
      kit.envelopeOf(
        id,
        sender,
        type,
        codec.encode(payloadKind(DECISION_MODE, type), payload as never),
        fields,
      );
    await tell(
      kit.envelope(id, 'alice', 'SessionStart', kit.startPayload(participants), fields),
      said('bob', 'Proposal', {
        proposalId: 'p',
        option: 'o',
        rationale: '',
        supportingData: new Uint8Array(0),
      }),
      said('carol', 'Vote', { proposalId: 'p', vote: 'REJECT', reason: '' }),
      kit.envelope(id, 'alice', 'Commitment', kit.commitmentPayload({ action: 'decision.selected' }), fields),
    );
    const majority = { voting: { algorithm: 'majority' } };
    const answer = await ask(id, candidateOf(majority, { mode: '*', schemaVersion: 3 }));
    expect(answer.firstDivergence).toBe(3n);
    expect(answer.recorded?.state).toBe(pb.SessionState.RESOLVED);
    expect(answer.candidate).toMatchObject({ state: pb.SessionState.OPEN, resolvedByMessageId: '' });
    expect(answer.candidate?.resolution).toHaveLength(0);
    const last = answer.entries.at(-1);
    expect(told(answer.entries).at(-1)).toEqual(['Commitment', 'REFUSED', 'POLICY_DENIED']);
    expect(answer.denials).toMatchObject([{ historyIndex: 3n, messageId: last?.messageId }]);
    const details = JSON.parse(Buffer.from(answer.denials[0]?.details ?? []).toString());
    expect(details).toMatchObject({
      denials: [{ code: 'threshold_not_met' }],
      reasons: [expect.any(String)],
    });
    expect(last?.candidate?.details).toEqual(answer.denials[0]?.details);
    // The candidate's own name does not count: the session keeps that of its policy.
    for (const policyId of ['', 'policy.default', 'policy.std.mine'])
      expect(
        (await ask(id, candidateOf({}, { mode: DECISION_MODE, policyId }))).firstDivergence,
      ).toBeUndefined();
  });

  it(`${verifies('macp-2026:15:outcomes')}a sender whom the candidate does not let commit is refused without details`, async () => {
    const id = newSession();
    await tell(start(id, 'carol'), kit.offer(id, 'h1', 'bob', 'alice'), kit.accept(id, 'h1', 'bob'));
    await say(kit.commit(id, 'carol'));
    const answer = await ask(id, candidateOf({}));
    expect(told(answer.entries).at(-1)).toEqual(['Commitment', 'REFUSED', 'FORBIDDEN']);
    expect(answer.entries.at(-1)?.candidate?.details).toHaveLength(0);
    expect([answer.denials, answer.recordedPolicyId, answer.firstDivergence]).toEqual([[], 'carol', 3n]);
  });

  it(`${verifies('macp-2026:15:outcomes')}the candidate's timers run, and the recorded ones do not`, async () => {
    const explicit = newSession();
    await tell(start(explicit), 10, kit.offer(explicit, 'h1', 'bob', 'alice'), 6_000);
    await tell(kit.accept(explicit, 'h1', 'bob'), 10, kit.commit(explicit, 'alice'));
    const sooner = await ask(explicit, candidateOf(IMPLICIT));
    expect(told(sooner.entries)).toEqual([
      ['SessionStart', 'APPLIED'],
      ['HandoffOffer', 'APPLIED'],
      ['HandoffAccept', 'REFUSED', 'INVALID_ENVELOPE'],
      ['Commitment', 'APPLIED'],
    ]);
    expect([sooner.firstDivergence, sooner.candidate?.state]).toEqual([2n, pb.SessionState.RESOLVED]);
    expect(
      (await ask(explicit, candidateOf({ acceptance: { implicit_accept_timeout_ms: 6_001 } })))
        .firstDivergence,
    ).toBeUndefined();

    const implicit = newSession();
    await tell(start(implicit, 'implicit'), 10, kit.offer(implicit, 'h1', 'bob', 'alice'), 6_000);
    await say(kit.commit(implicit, 'alice'));
    const never = await ask(implicit, candidateOf({}));
    expect(told(never.entries).slice(2)).toEqual([
      ['HandoffAccept', 'REFUSED', 'INVALID_ENVELOPE'],
      ['Commitment', 'REFUSED', 'INVALID_ENVELOPE'],
    ]);
    expect(never.candidate?.state).toBe(pb.SessionState.OPEN);
    expect((await ask(implicit, candidateOf(IMPLICIT))).firstDivergence).toBeUndefined();
    // Written by the candidate a second earlier: the same answer stands in both histories.
    const earlier = { acceptance: { implicit_accept_timeout_ms: 4_000 } };
    expect((await ask(implicit, candidateOf(earlier))).firstDivergence).toBeUndefined();
  });

  it(`${verifies('macp-2026:15:indexes')}controls and the expiry have no index; what they change shows all the same`, async () => {
    const id = newSession();
    await tell(start(id, 'anybody'), 10_000);
    await control('bob', id, Control.Suspend);
    await tell(100_000);
    await control('bob', id, Control.Resume);
    await tell(10, kit.offer(id, 'h1', 'bob', 'alice'), kit.accept(id, 'h1', 'bob'), kit.commit(id, 'bob'));
    const same = await ask(id, candidateOf(ANYBODY));
    expect(same.entries.map(({ historyIndex, messageType }) => [historyIndex, messageType])).toEqual([
      [0n, 'SessionStart'],
      [1n, 'HandoffOffer'],
      [2n, 'HandoffAccept'],
      [3n, 'Commitment'],
    ]);
    expect(same.firstDivergence).toBeUndefined();
    // Bob may not suspend here, so the session runs out of time before anything is offered.
    const strict = await ask(id, candidateOf({}));
    expect(told(strict.entries)).toEqual([
      ['SessionStart', 'APPLIED'],
      ...['HandoffOffer', 'HandoffAccept'].map((type) => [type, 'NOT_OPEN']),
      ['Commitment', 'NOT_OPEN'],
    ]);
    expect(strict.entries.map(({ candidate }) => candidate?.state).slice(1)).toEqual(
      Array(3).fill(pb.SessionState.EXPIRED),
    );
    expect([strict.firstDivergence, strict.candidate?.state]).toEqual([1n, pb.SessionState.EXPIRED]);

    const expired = newSession();
    await tell(start(expired), 10, kit.offer(expired, 'h1', 'bob', 'alice'), 100_000);
    const end = await ask(expired, candidateOf(ANYBODY));
    expect([end.entries.length, end.firstDivergence, end.candidate?.state]).toEqual([
      2,
      undefined,
      pb.SessionState.EXPIRED,
    ]);
  });

  it(`${verifies('macp-2026:15:divergence')}where only a control comes out otherwise, the index after the last is named`, async () => {
    const id = newSession();
    await tell(start(id, 'anybody'), 10);
    await control('bob', id, Control.Cancel);
    const answer = await ask(id, candidateOf({}));
    expect(told(answer.entries)).toEqual([['SessionStart', 'APPLIED']]);
    expect([answer.recorded?.state, answer.candidate?.state, answer.firstDivergence]).toEqual([
      pb.SessionState.CANCELLED,
      pb.SessionState.OPEN,
      1n,
    ]);
  });

  const refused = async (sessionId: string, candidate: Candidate | undefined, agent?: string) => {
    const request = { sessionId, ...(candidate && { candidate }) };
    const { code, metadata } = await refusal(world.client(agent).call('whatIfReplay', request));
    return [status[code], String(metadata.get('macp-error-code')[0])];
  };

  it(`${verifies('macp-2026:15:readers')}is for whoever may read the session`, async () => {
    const id = await accepted();
    for (const agent of ['alice', 'bob', 'watcher'])
      expect((await ask(id, candidateOf({}), agent)).entries).toHaveLength(4);
    const bad = candidateOf({ nothing: 1 });
    expect(await refused(id, bad)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(await refused(id, bad, 'mallory')).toEqual(['PERMISSION_DENIED', 'FORBIDDEN']);
    expect(await refused(id, bad, 'alien')).toEqual(['NOT_FOUND', 'SESSION_NOT_FOUND']);
    expect(await refused(newSession(), bad, 'alice')).toEqual(['NOT_FOUND', 'SESSION_NOT_FOUND']);
  });

  it(`${verifies('macp-2026:15:candidate')}refuses a candidate that could not be registered, or governs another mode`, async () => {
    const id = await accepted();
    expect(await refused(id, undefined, 'alice')).toEqual(['INVALID_ARGUMENT', 'INVALID_REQUEST']);
    for (const candidate of [
      candidateOf({ nothing: 1 }),
      candidateOf({}, { schemaVersion: 0 }),
      candidateOf({}, { schemaVersion: 9 }),
      candidateOf({}, { mode: '' }),
      candidateOf({}, { mode: DECISION_MODE }),
      candidateOf({}, { rules: '[]' }),
      candidateOf({}, { rules: '{"a":1,"a":2}' }),
      candidateOf({ acceptance: { implicit_accept_timeout_ms: -1 } }),
      candidateOf({ commitment: { authority: 'designated_role' } }),
    ])
      expect(await refused(id, candidate, 'alice'), JSON.stringify(candidate)).toEqual([
        'INVALID_ARGUMENT',
        'INVALID_POLICY_DEFINITION',
      ]);
  });

  it(`${verifies('macp-2026:15:nothing-stored')}stores nothing and publishes nothing`, async () => {
    const id = await accepted();
    const before = await world.store.position();
    const [, state] = [await ask(id, candidateOf(CAROL)), await world.state(id)];
    expect(await world.store.position()).toBe(before);
    expect(state?.status).toBe('RESOLVED');
    const unknown = await refusal(world.client('alice').call('getPolicy', { policyId: 'policy.what-if' }));
    expect(unknown.code).toBe(status.NOT_FOUND);
  });
});

async function sayIn(world: World, envelope: Envelope): Promise<void> {
  const bearer = { authorization: `Bearer ${envelope.sender}-token` };
  const ack = await world.services.send.send(bearer, envelope, { door: 'test' });
  if (!ack.ok) throw new Error(`${envelope.messageType}: ${ack.error?.code} ${ack.error?.message}`);
}

it(`${verifies('macp-2026:15:mismatch')}a history that does not replay as stored is INTERNAL_ERROR`, async () => {
  const inner = createMemoryStore();
  const changed: Store = {
    ...inner,
    read: async (...asked) => (await inner.read(...asked)).filter(({ type }) => type !== 'Commitment'),
  };
  const world = await startWorld({ store: changed });
  const id = newSession();
  for (const envelope of [
    kit.start(id, 'alice', { participants: ['alice', 'bob'] }),
    kit.offer(id, 'h1', 'bob', 'alice'),
    kit.accept(id, 'h1', 'bob'),
    kit.commit(id, 'alice'),
  ])
    await sayIn(world, envelope);
  const call = world.client('alice').call('whatIfReplay', { sessionId: id, candidate: candidateOf({}) });
  const { code, metadata } = await refusal(call);
  expect([status[code], String(metadata.get('macp-error-code')[0])]).toEqual(['INTERNAL', 'INTERNAL_ERROR']);
  expect(await world.deps.metrics.render()).toMatch(/^macp_replay_mismatches_total 1$/m);
  await world.close();
});

it(`${verifies('macp-2026:15:readers')}a request counts as a message`, async () => {
  const world = await startWorld({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '2' } });
  const id = newSession();
  await sayIn(world, kit.start(id, 'alice', { participants: ['alice', 'bob'] }));
  const ask = () => world.client('bob').call('whatIfReplay', { sessionId: id, candidate: candidateOf({}) });
  await ask();
  await ask();
  expect((await refusal(ask())).metadata.get('macp-error-code')).toEqual(['RATE_LIMITED']);
  await world.close();
});
