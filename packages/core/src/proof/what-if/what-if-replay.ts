/**
 * What would have come of a session under another policy (docs/spec/macp-2026.md 15): its history is decided again, entry by
 * entry, under the rules and schema version of a candidate. Nothing is made that could be stored.
 *
 * H1. The history that is given holds; whoever gives it has audited it. Its own outcome is the fold of its entries.
 * H2. What participants sent and asked for comes again at its recorded time. What time brings comes when the candidate has
 *     it fall due: an answer that the runtime wrote then counts here only if the candidate's runtime writes it, too.
 * H3. Accepted envelopes have an index, from 0. Controls and the expiry have none; under the candidate they may be refused
 *     or come at another time, all the same.
 * H4. The session keeps the name of its policy, which Commitments repeat.
 */
import { sessionDecider } from '../../bound-session/session-decider.js';
import type { DecideContext } from '../../decider.js';
import type { Codec } from '../../envelope/codec.js';
import { RUNTIME_MESSAGE_TYPES } from '../../envelope/envelope.js';
import { isFields } from '../../fields.js';
import type { Draft, Entry } from '../../log/entry.js';
import { ANY_MODE, type FrozenPolicy } from '../../policy/descriptor.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import { type SessionState, SessionStatus } from '../../session/state.js';
import { sessionReplay } from '../replay-session.js';
import { WhatIfSide } from './what-if-side.js';

export const WhatIfKind = {
  Applied: 'applied',
  /** The session was no longer open. */
  NotOpen: 'not open',
  Refused: 'refused',
  /** The candidate refused the SessionStart. */
  NoSession: 'no session',
} as const;
export type WhatIfKind = (typeof WhatIfKind)[keyof typeof WhatIfKind];

export interface WhatIfOutcome {
  readonly kind: WhatIfKind;
  /** Of the session afterwards; absent: there is none. */
  readonly state?: SessionStatus;
  readonly rejection?: Rejection;
}

export interface WhatIfEntry {
  readonly historyIndex: number;
  readonly messageId: string;
  readonly messageType: string;
  readonly recorded: WhatIfOutcome;
  readonly candidate: WhatIfOutcome;
}

export type WhatIfCandidate = Pick<FrozenPolicy, 'mode' | 'schemaVersion' | 'rules'>;

export class WhatIfReplay {
  readonly recorded = new WhatIfSide();
  readonly candidate = new WhatIfSide();
  readonly #policy: WhatIfCandidate;
  readonly #codec: Codec;
  /** What the candidate's runtime has written by itself, by message id. */
  readonly #written = new Set<string>();
  #count = 0;
  #divergence: number | undefined;

  constructor(policy: WhatIfCandidate, codec: Codec) {
    this.#policy = policy;
    this.#codec = codec;
  }

  /** Takes the entries in order. Undefined: the entry has no index. */
  add(entry: Entry): WhatIfEntry | undefined {
    const due = this.recorded.state && sessionDecider.due(this.recorded.state);
    const byTime = due !== undefined && due <= entry.at;
    const candidate = this.#underCandidate(entry, byTime);
    this.recorded.take(entry, this.#count);
    if (RUNTIME_MESSAGE_TYPES.has(entry.type)) return undefined;
    const recorded = applied(this.recorded.state);
    const historyIndex = this.#count++;
    if (candidate.kind !== recorded.kind || candidate.state !== recorded.state)
      this.#divergence ??= historyIndex;
    const { messageId, type: messageType } = entry;
    return { historyIndex, messageId, messageType, recorded, candidate };
  }

  /**
   * The first index at which the outcomes differ. Where only controls came out otherwise it is the index that comes after
   * the last one. Undefined: both agree everywhere.
   */
  get firstDivergence(): number | undefined {
    const sameEnd = this.recorded.state?.status === this.candidate.state?.status;
    return this.#divergence ?? (sameEnd ? undefined : this.#count);
  }

  #underCandidate(entry: Entry, byTime: boolean): WhatIfOutcome {
    const before = this.candidate.state;
    if (!before) return this.recorded.state ? { kind: WhatIfKind.NoSession } : this.#start(entry);
    const session = this.#inTime(before, entry);
    const rejection = byTime ? this.#notWritten(session, entry) : this.#decide(session, entry);
    if (!rejection) return applied(this.candidate.state);
    const kind = rejection.code === RejectionCode.SESSION_NOT_OPEN ? WhatIfKind.NotOpen : WhatIfKind.Refused;
    return { kind, state: session.status, ...(kind === WhatIfKind.Refused && { rejection }) };
  }

  #start(entry: Entry): WhatIfOutcome {
    const { mode, schemaVersion: schema_version, rules } = this.#policy;
    const { policy, mode: ofSession } = entry.facts;
    if (mode !== ANY_MODE && mode !== ofSession) {
      const why = `the candidate governs mode ${mode}, not ${String(ofSession)}`;
      return { kind: WhatIfKind.Refused, rejection: reject(RejectionCode.INVALID_POLICY_DEFINITION, why) };
    }
    const named = isFields(policy) ? policy : {};
    const facts = { ...entry.facts, policy: { ...named, mode, schema_version, rules } };
    this.candidate.take({ ...entry, facts }, this.#count);
    return applied(this.candidate.state);
  }

  /** Whatever falls due before the entry comes, in order of time. */
  #inTime(session: SessionState, entry: Entry): SessionState {
    let state = session;
    for (let due = sessionDecider.due(state); due !== undefined && due <= entry.at; ) {
      const draft = sessionDecider.tick(state, this.#context(state, entry));
      this.#written.add(draft.messageId);
      state = this.#take(draft, entry, state);
      due = sessionDecider.due(state);
    }
    return state;
  }

  #decide(session: SessionState, entry: Entry): Rejection | undefined {
    const question = sessionReplay.retell(session, entry, this.#codec);
    if (typeof question === 'string' || 'decide' in question)
      return reject(RejectionCode.INVALID_ENVELOPE, 'the entry cannot be asked for again');
    const stamp = { at: entry.at, seq: session.seq + 1, agent: entry.actor };
    const context = { codec: this.#codec, consulted: question.consulted };
    const decision = sessionDecider.decide(session, question.command, stamp, context);
    if (decision.kind === 'rejected') return decision.rejection;
    let state = session;
    for (const draft of decision.kind === 'accepted' ? decision.drafts : [])
      state = this.#take(draft, entry, state);
    return undefined;
  }

  /** An answer by time-out is in the history of the candidate if its own timers wrote it. */
  #notWritten(session: SessionState, { messageId }: Entry): Rejection | undefined {
    if (this.#written.has(messageId)) return undefined;
    return session.status === SessionStatus.Open
      ? reject(RejectionCode.INVALID_ENVELOPE, 'under the candidate the runtime does not write this by now')
      : reject(RejectionCode.SESSION_NOT_OPEN, 'the session is not open');
  }

  #take(draft: Draft, entry: Entry, { seq }: SessionState): SessionState {
    const { type, v, actor, messageId, facts, payload, at = entry.at } = draft;
    const head = { ...entry, seq: seq + 1, at, type, v, actor, messageId, facts, payload };
    return this.candidate.take(head, this.#count);
  }

  #context(session: SessionState, entry: Entry): DecideContext {
    return { codec: this.#codec, consulted: sessionReplay.companions?.(session, entry) ?? {} };
  }
}

function applied(state: SessionState | undefined): WhatIfOutcome {
  return { kind: WhatIfKind.Applied, ...(state && { state: state.status }) };
}
