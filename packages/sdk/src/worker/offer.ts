/** An offer that waits for an agent, as a program decides on it. */
import { HandoffMessageType } from '@handover/core';
import type { SessionMetadata } from '../client/types.js';
import { parseMessage } from '../envelope/build.js';
import { contextJson, contextText } from '../handoff/context-content.js';
import type { HandoffProjection } from '../handoff/projection.js';
import type { HandoffContextRecord, HandoffRecord } from '../handoff/records.js';

/** A context of an offer, with readers for text and JSON. */
export interface OfferContext extends HandoffContextRecord {
  /** The context as text; undefined when its bytes are none. */
  text(): string | undefined;
  /** The value that its JSON says; undefined when its bytes are none. */
  json(): unknown;
}

/** An offer that waits for an answer of this agent. */
export interface OpenOffer {
  /** The session in which it was made. */
  readonly sessionId: string;
  /** Its id; answer with it. */
  readonly handoffId: string;
  /** Who made the offer. */
  readonly owner: string;
  /** What is handed over. */
  readonly scope: string;
  /** Why, in the owner's words. */
  readonly reason: string;
  /** The contexts that have come so far. */
  readonly contexts: readonly OfferContext[];
  /** By the clock of the owner. */
  readonly offeredAtUnixMs: number;
  /** When the session expires. */
  readonly expiresAtUnixMs: number;
}

type Session = Pick<SessionMetadata, 'sessionId' | 'expiresAtUnixMs'>;

/** The offer that the agent may answer now. The protocol has one open offer at a time. */
export function waitingFor(agent: string, projection: HandoffProjection): HandoffRecord | undefined {
  const ended = projection.isCommitted || projection.sessionState === 'CANCELLED';
  const offer = ended ? undefined : projection.activeOffer();
  return offer?.targetParticipant === agent ? offer : undefined;
}

export function contextsOf(projection: HandoffProjection, handoffId: string): readonly OfferContext[] {
  return (projection.contexts.get(handoffId) ?? []).map((record) => ({
    ...record,
    text: () => contextText(record),
    json: () => contextJson(record),
  }));
}

export function toOpenOffer(
  session: Session,
  projection: HandoffProjection,
  record: HandoffRecord,
): OpenOffer {
  const { handoffId, sender: owner, scope, reason } = record;
  return {
    sessionId: session.sessionId,
    handoffId,
    owner,
    scope,
    reason,
    contexts: contextsOf(projection, handoffId),
    offeredAtUnixMs: offeredAt(projection, handoffId),
    expiresAtUnixMs: session.expiresAtUnixMs,
  };
}

function offeredAt({ transcript }: HandoffProjection, handoffId: string): number {
  const offer = transcript.find(
    ({ messageType, payload }) =>
      messageType === HandoffMessageType.Offer &&
      parseMessage('HandoffOffer', payload)?.handoffId === handoffId,
  );
  return offer?.timestampUnixMs ?? 0;
}
