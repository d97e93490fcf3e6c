/** What an agent's handlers receive. */
import type { CommitmentPayload, Envelope } from '@handover/core';
import type { KnownPayloads } from '../envelope/build.js';
import type { DetailedPhase } from '../handoff/records.js';
import type { Log } from '../logging.js';
import type { ActionsOf } from './actions.js';
import type { AgentMode, HandoffModeName, SessionsByMode } from './modes.js';
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

/** What a handler may use; `participant.session` sends the messages of its mode. */
export interface HandlerContext<M extends AgentMode = HandoffModeName> {
  readonly participant: Participant<M>;
  readonly projection: SessionsByMode[M]['projection'];
  readonly actions: ActionsOf<M>;
  readonly session: { readonly sessionId: string; readonly mode: string; readonly policyVersion: string };
  readonly log: Log;
}

/** Called for each message of a type. */
export type MessageHandler<P = unknown, M extends AgentMode = HandoffModeName> = (
  message: IncomingMessage<P>,
  context: HandlerContext<M>,
) => void | Promise<void>;

/** The handler of a type: its payload is decoded when this package knows the type in the session's mode. */
export type HandlerOf<T extends string, M extends AgentMode = HandoffModeName> = MessageHandler<
  T extends keyof KnownPayloads<M> ? KnownPayloads<M>[T] : unknown,
  M
>;

/** The phases of a mode; those of Handoff Mode tell the answers apart. */
export type PhaseOf<M extends AgentMode> = M extends HandoffModeName
  ? DetailedPhase
  : SessionsByMode[M]['projection']['phase'];

/** From one phase to another. */
export interface PhaseChange<M extends AgentMode = HandoffModeName> {
  readonly phase: PhaseOf<M>;
  readonly previous: PhaseOf<M>;
}

/** Called when the phase changes. */
export type PhaseHandler<M extends AgentMode = HandoffModeName> = (
  change: PhaseChange<M>,
  context: HandlerContext<M>,
) => void | Promise<void>;

/** How a session ended. */
export interface TerminalResult {
  readonly state: 'RESOLVED' | 'CANCELLED' | 'EXPIRED';
  /** Only when resolved. */
  readonly commitment?: CommitmentPayload;
}

/** Called once, when the session has ended. */
export type TerminalHandler<M extends AgentMode = HandoffModeName> = (
  result: TerminalResult,
  context: HandlerContext<M>,
) => void | Promise<void>;
