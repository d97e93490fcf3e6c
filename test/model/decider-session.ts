/**
 * A session of the real decider, driven as the engine would drive it but without one: decide, seal, evolve. Values are
 * immutable, so that the search can go on from any of them.
 */
import {
  type ChainHead,
  type DecideContext,
  type Decision,
  type Draft,
  GENESIS,
  headOf,
  type PolicyDescriptor,
  type SessionCommand,
  type SessionState,
  StreamKind,
  seal,
  sessionDecider,
} from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';

const SALT = new Uint8Array(16);

export interface DeciderSession {
  readonly id: string;
  readonly context: DecideContext;
  readonly head: ChainHead;
  readonly state?: SessionState;
}

export function newSession(id: string, policies: readonly PolicyDescriptor[]): DeciderSession {
  const registry = { policies: new Map(policies.map((policy) => [policy.policyId, policy])), createdAt: 0 };
  return { id, context: { codec, consulted: { [StreamKind.Policies]: registry } }, head: GENESIS };
}

export function decide(
  session: DeciderSession,
  command: SessionCommand,
  agent: string,
  at: number,
): Decision {
  const stamp = { at: Math.max(at, session.head.at), seq: session.head.seq + 1, agent };
  return sessionDecider.decide(session.state, command, stamp, session.context);
}

/** The session after what was decided, folded entry by entry. */
export function append(session: DeciderSession, drafts: readonly Draft[], at: number): DeciderSession {
  const stream = { tenant: 'default', kind: StreamKind.Session, id: session.id };
  let after = session;
  for (const draft of drafts) {
    const entry = seal(codec, stream, after.head, draft, at, SALT);
    after = { ...after, head: headOf(entry), state: sessionDecider.evolve(after.state, entry) };
  }
  return after;
}

/** What the clock would write next, and when. */
export function nextTick(session: DeciderSession): Draft | undefined {
  if (session.state === undefined || sessionDecider.due(session.state) === undefined) return undefined;
  return sessionDecider.tick(session.state, session.context);
}
