/**
 * Random message sequences against the whole world without sockets, checked from outside: by the acks, by the log,
 * and by the independent model of the RFC. The letters are the invariants of the reliability plan:
 *
 * I1 an accepted message stays at its sequence        I2 a rejected one is never in the log
 * I3 a retried one is there once                       I4 sequences are dense
 * I5 the chain's head at k never changes               I8 the same log gives the same state, also through an export
 * I10 bindings are frozen                              I11-I13, I15, I16 as the model has them, at every prefix
 * I14 the sender is the credential's                   I18 context binds to an offer of its own session
 * I19 same id, same bytes: duplicate; other bytes: refused; a rejected message burns no id
 */
import { randomUUID } from 'node:crypto';
import {
  canonicalJson,
  type Entry,
  type Envelope,
  exportOf,
  readExport,
  type SessionState,
} from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { verifies } from '../conformance/verifies.js';
import { commit, start } from '../kit/envelopes.js';
import { createWorld, type World } from '../kit/world.js';
import { initial, type Said, type State, step } from '../model/handoff-model.js';
import { fold, shown } from './shown.js';
import { toEnvelope } from './to-envelope.js';

const who = fc.constantFrom('owner', 'a', 'b', 'x');
const which = fc.constantFrom('h1', 'h2', 'h3');
const by = fc.constantFrom('', 'owner', 'a', 'b');
const action = fc.constantFrom('handoff.accepted', 'handoff.declined', 'done');

const said: fc.Arbitrary<Said> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('offer' as const),
      sender: who,
      handoffId: which,
      target: fc.constantFrom('a', 'b', 'x', 'owner'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('context' as const), sender: who, handoffId: which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('accept' as const),
      sender: who,
      handoffId: which,
      acceptedBy: by,
      implicit: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('decline' as const),
      sender: who,
      handoffId: which,
      declinedBy: by,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      sender: who,
      positive: fc.boolean(),
      action,
      versionsMatch: fc.boolean(),
    }),
  },
);

type Move =
  | { readonly kind: 'say'; readonly said: Said }
  | { readonly kind: 'retry' | 'reuse' | 'afterRejection'; readonly pick: number; readonly said: Said }
  | { readonly kind: 'restart' }
  | { readonly kind: 'wait'; readonly ms: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('say' as const), said }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('retry' as const, 'reuse' as const, 'afterRejection' as const),
      pick: fc.nat(),
      said,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: -1_000, max: 1_000 }) }),
  },
);

/** One run: the world, the model beside it, and the ledger that a careful client would keep. */
class Run {
  readonly store: Store = createMemoryStore();
  readonly clock = { now: 1_700_000_000_000 };
  readonly sessionId = randomUUID();
  world: World = createWorld({ store: this.store, clock: this.clock });
  model: State = initial(['owner', 'a', 'b'], 'owner');
  readonly accepted: { envelope: Envelope; seq: number; at: number; head: string }[] = [];
  readonly rejected: Envelope[] = [];

  async begin(): Promise<void> {
    const envelope = start(this.sessionId, 'owner', { ttlMs: 86_400_000 });
    const ack = await this.world.send(envelope);
    expect(ack).toMatchObject({ ok: true, sessionState: 'OPEN' });
    await this.#note(envelope, ack.acceptedAtUnixMs);
  }

  async make(next: Move): Promise<void> {
    switch (next.kind) {
      case 'say':
        return this.#say(toEnvelope(this.sessionId, next.said), next.said);
      case 'retry': {
        const known = this.accepted[next.pick % this.accepted.length];
        if (!known) return;
        const ack = await this.world.send({ ...known.envelope, timestampUnixMs: 1 });
        expect(ack).toMatchObject({ ok: true, duplicate: true, acceptedAtUnixMs: known.at });
        return;
      }
      case 'reuse': {
        const known = this.accepted[next.pick % this.accepted.length];
        const envelope = {
          ...toEnvelope(this.sessionId, next.said),
          messageId: known?.envelope.messageId ?? 'm',
        };
        if (known && same(envelope, known.envelope)) return;
        const ack = await this.world.send(envelope);
        expect(ack.error?.code).toBe(next.said.sender === 'x' ? 'FORBIDDEN' : 'INVALID_ENVELOPE');
        return;
      }
      case 'afterRejection': {
        const burnt = this.rejected[next.pick % Math.max(this.rejected.length, 1)];
        if (!burnt) return;
        return this.#say({ ...toEnvelope(this.sessionId, next.said), messageId: burnt.messageId }, next.said);
      }
      case 'restart':
        this.world = createWorld({ store: this.store, clock: this.clock });
        return;
      case 'wait':
        this.clock.now += next.ms;
        return;
    }
  }

  async #say(envelope: Envelope, message: Said): Promise<void> {
    // A rejected id may have been accepted since, under another move.
    if (this.accepted.some((known) => known.envelope.messageId === envelope.messageId)) return;
    const verdict = step(this.model, message);
    const ack = await this.world.send(envelope);
    expect(ack.ok ? 'accept' : ack.error?.code).toBe(verdict.accept ? 'accept' : verdict.codeClass);
    if (!verdict.accept) {
      this.rejected.push(envelope);
      return;
    }
    this.model = verdict.state;
    await this.#note(envelope, ack.acceptedAtUnixMs);
  }

  async #note(envelope: Envelope, at: number): Promise<void> {
    const seq = this.accepted.length + 1;
    const [entry] = await this.store.load(sessionRef('default', this.sessionId), seq - 1, 1);
    this.accepted.push({ envelope, seq, at, head: entry?.hash ?? '' });
  }

  entries(): Promise<readonly Entry[]> {
    return this.store.read(sessionRef('default', this.sessionId), 0, { entries: 10_000, bytes: 1e9 });
  }
}

const same = (one: Envelope, other: Envelope) =>
  one.messageType === other.messageType &&
  one.sender === other.sender &&
  Buffer.from(one.payload).equals(Buffer.from(other.payload));

describe('random sessions', () => {
  it('keep every promise about the log', async () => {
    verifies('handoff:id:one-offer', 'handoff:offers:one-outstanding');
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
        const run = new Run();
        await run.begin();
        for (const next of moves) await run.make(next);
        const entries = await run.entries();
        // I1, I3, I4: what was accepted is there, at its place, once, and nothing else is.
        expect(entries.map(({ seq, messageId, at, hash }) => [seq, messageId, at, hash])).toEqual(
          run.accepted.map(({ seq, envelope, at, head }) => [seq, envelope.messageId, at, head]),
        );
        for (const [index, entry] of entries.entries()) {
          const said = run.accepted[index]?.envelope;
          expect(Buffer.from(entry.payload).equals(Buffer.from(said?.payload ?? []))).toBe(true);
          expect(entry.actor).toBe(said?.sender);
        }
        // I2: nothing that was finally rejected is there.
        const stored = new Set(entries.map(({ messageId }) => messageId));
        const finallyAccepted = new Set(run.accepted.map(({ envelope }) => envelope.messageId));
        for (const { messageId } of run.rejected)
          expect(stored.has(messageId)).toBe(finallyAccepted.has(messageId));
        // I8: the fold of the log, the live state and the fold of an export are one.
        const live = shown(await run.world.state(run.sessionId));
        expect(shown(fold(entries))).toBe(live);
        const exported = readExport(
          JSON.parse(canonicalJson(exportOf(sessionRef('default', run.sessionId), entries, nodeCodec))),
          nodeCodec,
        );
        if ('flaw' in exported) throw new Error(exported.flaw.what);
        expect(shown(fold(exported.entries))).toBe(live);
      }),
      { numRuns: 300 },
    );
  });

  it('bind once: no later message changes what SessionStart bound', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 30 }), async (moves) => {
        const run = new Run();
        await run.begin();
        const bound = ({
          modeVersion,
          configurationVersion,
          policy,
          participants,
          initiator,
          contextId,
          extensionKeys,
        }: SessionState) =>
          JSON.stringify([
            modeVersion,
            configurationVersion,
            policy,
            participants,
            initiator,
            contextId,
            extensionKeys,
          ]);
        const first = await run.world.state(run.sessionId);
        for (const next of moves) await run.make(next);
        const last = await run.world.state(run.sessionId);
        expect(last && bound(last)).toBe(first && bound(first));
        for (const wrong of [
          { modeVersion: '2.0.0' },
          { configurationVersion: 'other' },
          { policyVersion: 'policy.other' },
        ]) {
          const ack = await run.world.send(commit(run.sessionId, 'owner', wrong));
          expect(['INVALID_ENVELOPE', 'SESSION_NOT_OPEN']).toContain(ack.error?.code);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('let context bind only to offers of their own session', async () => {
    const world = createWorld();
    const [one, other] = [randomUUID(), randomUUID()];
    for (const id of [one, other]) expect((await world.send(start(id))).ok).toBe(true);
    const offered: Said = { type: 'offer', sender: 'owner', handoffId: 'only-in-one', target: 'a' };
    expect((await world.send(toEnvelope(one, offered))).ok).toBe(true);
    const stray: Said = { type: 'context', sender: 'owner', handoffId: 'only-in-one' };
    expect((await world.send(toEnvelope(other, stray))).error?.code).toBe('INVALID_ENVELOPE');
    expect((await world.send(toEnvelope(one, stray))).ok).toBe(true);
  });

  it('take the sender from the credential, whatever the envelope says', async () => {
    const world = createWorld();
    const id = randomUUID();
    await world.send(start(id));
    const forged = toEnvelope(id, { type: 'offer', sender: 'owner', handoffId: 'h', target: 'b' });
    expect((await world.send(forged, 'a')).error?.code).toBe('UNAUTHENTICATED');
    expect((await world.send({ ...forged, sender: '' }, 'a')).error?.code).toBe('FORBIDDEN');
    expect((await world.send({ ...forged, sender: '' }, 'owner')).ok).toBe(true);
  });
});
