/** What an agent's handlers receive. */
import type { CommitmentPayload, Envelope } from '@handover/core';
import type { KnownPayloads } from '../envelope/build.js';
import type { HandoffProjection } from '../handoff/projection.js';
import type { DetailedPhase } from '../handoff/records.js';
import type { Log } from '../logging.js';
import type { ParticipantActions } from './actions.js';
import type { Participant } from './participant.js';

/** A message of the session, as it was accepted. */
export interface IncomingMessage<P = unknown> {
  readonly messageType: string;
  readonly sender: string;
  /** Decoded where the type is known, else undefined; the bytes are in `raw`. */
  readonly payload: P;
  /** The handoff that the message is about, if it is about one. */
  readonly handoffId: string | undefined;
  readonly raw: Envelope;
  /** Its place in the session's history, counted from 1. */
  readonly seq: number;
}

/** What a handler may use. */
export interface HandlerContext {
  readonly participant: Participant;
  readonly projection: HandoffProjection;
  readonly actions: ParticipantActions;
  readonly session: { readonly sessionId: string; readonly mode: string; readonly policyVersion: string };
  readonly log: Log;
}

/** Called for each message of a type. */
export type MessageHandler<P = unknown> = (
  message: IncomingMessage<P>,
  context: HandlerContext,
) => void | Promise<void>;

/** The handler of a type in a Handoff session: its payload is decoded when this package knows the type. */
export type HandlerOf<T extends string> = MessageHandler<
  T extends keyof KnownPayloads ? KnownPayloads[T] : unknown
>;

/** From one phase to another. */
export interface PhaseChange {
  readonly phase: DetailedPhase;
  readonly previous: DetailedPhase;
}

/** Called when the phase changes. */
export type PhaseHandler = (change: PhaseChange, context: HandlerContext) => void | Promise<void>;

/** How a session ended. */
export interface TerminalResult {
  readonly state: 'RESOLVED' | 'CANCELLED' | 'EXPIRED';
  /** Only when resolved. */
  readonly commitment?: CommitmentPayload;
}

/** Called once, when the session has ended. */
export type TerminalHandler = (result: TerminalResult, context: HandlerContext) => void | Promise<void>;
