/** A session of one mode in the whole world without sockets, the model beside it, and the ledger of a careful client. */
import type { Entry, Envelope, NewPolicy, SessionState } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { expect } from 'vitest';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { codec } from '../kit/codec.js';
import { envelopeOf, startPayload } from '../kit/envelopes.js';
import { createWorld, type World } from '../kit/world.js';
import {
  commitments,
  isMember,
  judge,
  type ModeModel,
  type Said,
  type Session,
} from '../model/modes/mode-model.js';
import { payloadOf } from '../model/modes/mode-search.js';
import { shown } from './shown.js';

/** The multi-round model knows the digests of this session. Each run has a store of its own. */
const SESSION = '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8';
const POLICY = 'policy.model';

export class ModeRun<State> {
  readonly store: Store = createMemoryStore();
  readonly accepted: Envelope[] = [];
  readonly rejected: Envelope[] = [];
  model: Session<State>;
  readonly #of: ModeModel<State>;
  readonly #everything: readonly Said[];
  #world: World = this.#newWorld();

  constructor(of: ModeModel<State>) {
    this.#of = of;
    this.model = { status: 'OPEN', state: of.initial };
    const everybody = [...new Set([of.owner, ...of.participants, 'x'])];
    this.#everything = [...of.messages, ...commitments(everybody)];
  }

  async begin(): Promise<void> {
    const { mode, owner, participants, rules, schemaVersion } = this.#of;
    const policy = {
      policyId: POLICY,
      mode,
      description: '',
      schemaVersion,
      rules: rules as NewPolicy['rules'],
    };
    const { registries } = this.#world.services;
    expect(await registries.registerPolicy(this.#world.principal('admin'), policy)).toBeUndefined();
    const payload = startPayload({ participants, policyVersion: POLICY, ttlMs: 86_400_000 });
    const start = envelopeOf(SESSION, owner, 'SessionStart', codec.encode('SessionStart', payload), { mode });
    expect((await this.#world.send(start)).error).toBeUndefined();
    this.accepted.push(start);
  }

  /** Something that the model accepts now, if there is anything; else something. */
  sound(pick: number, commits: boolean): Said | undefined {
    const accepted = this.#everything.filter((said) => 'session' in judge(this.#of, this.model, said));
    const ends = accepted.filter(({ type }) => type === 'Commitment');
    const good = commits && ends.length > 0 ? ends : accepted;
    return good[pick % good.length] ?? this.any(pick);
  }

  any(pick: number): Said | undefined {
    return this.#everything[pick % this.#everything.length];
  }

  envelope(said: Said, over: Partial<Envelope> = {}): Envelope {
    const { mode } = this.#of;
    return envelopeOf(SESSION, said.sender, said.type, payloadOf(mode, said), { mode, ...over });
  }

  /** The answer is the model's, and what was refused has changed nothing. */
  async say(said: Said, over: Partial<Envelope> = {}): Promise<void> {
    const envelope = this.envelope(said, over);
    const verdict = judge(this.#of, this.model, said);
    const before = await this.seen();
    const ack = await this.#world.send(envelope);
    const expected = 'code' in verdict ? verdict.code : 'ok';
    expect(ack.ok ? 'ok' : ack.error?.code, JSON.stringify(said)).toBe(expected);
    if ('code' in verdict) {
      expect(await this.seen()).toEqual(before);
      this.rejected.push(envelope);
      return;
    }
    this.model = verdict.session;
    this.accepted.push(envelope);
    await this.compare();
  }

  /** A duplicate is acknowledged and changes nothing. */
  async retry(pick: number): Promise<void> {
    const known = this.accepted[pick % this.accepted.length];
    if (!known) return;
    const before = await this.seen();
    expect(await this.#world.send({ ...known, timestampUnixMs: 1 })).toMatchObject({
      ok: true,
      duplicate: true,
    });
    expect(await this.seen()).toEqual(before);
  }

  /** A used id is good for nothing else. */
  async reuse(pick: number, said: Said): Promise<void> {
    const known = this.accepted[pick % this.accepted.length];
    const envelope = this.envelope(said, known && { messageId: known.messageId });
    if (!known || (same(envelope, known) && envelope.sender === known.sender)) return;
    const before = await this.seen();
    const { error } = await this.#world.send(envelope);
    expect(error?.code).toBe(isMember(this.#of, said.sender) ? 'INVALID_ENVELOPE' : 'FORBIDDEN');
    expect(await this.seen()).toEqual(before);
  }

  restart(): void {
    this.#world = this.#newWorld();
  }

  /** What the runtime shows of the mode is what the model has. */
  async compare(): Promise<void> {
    const state = await this.state();
    expect(state?.status).toBe(this.model.status);
    if (this.model.status === 'OPEN')
      expect(this.#of.keyOfView(JSON.parse(JSON.stringify(state?.run.view())))).toBe(
        this.#of.key(this.model.state),
      );
    else expect(state?.outcomePositive).toBe(this.model.positive);
  }

  state(): Promise<SessionState | undefined> {
    return this.#world.state(SESSION);
  }

  /** Everything that is known of the session: what is shown of it, and the ids of its log. */
  async seen(): Promise<unknown> {
    return [shown(await this.state()), (await this.entries()).map(({ hash }) => hash)];
  }

  entries(): Promise<readonly Entry[]> {
    return this.store.read(sessionRef('default', SESSION), 0, { entries: 10_000, bytes: 1e9 });
  }

  #newWorld(): World {
    return createWorld({ store: this.store });
  }
}

const same = (one: Envelope, other: Envelope) =>
  one.messageType === other.messageType && Buffer.from(one.payload).equals(Buffer.from(other.payload));
