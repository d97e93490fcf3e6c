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
  /** What was said, such as `HandoffOffer`. */
  readonly messageType: string;
  /** Who said it. */
  readonly sender: string;
  /** Decoded where the type is known, else undefined; the bytes are in `raw`. */
  readonly payload: P;
  /** The handoff that the message is about, if it is about one. */
  readonly handoffId: string | undefined;
  /** The envelope as it was accepted. */
  readonly raw: Envelope;
  /** Its place in the session's history, counted from 1. */
  readonly seq: number;
}

/** What a handler may use; `participant.session` sends the messages of its mode. */
export interface HandlerContext<M extends AgentMode = HandoffModeName> {
  /** The agent itself. */
  readonly participant: Participant<M>;
  /** What it knows of the session. */
  readonly projection: SessionsByMode[M]['projection'];
  /** What it can do in its own name. */
  readonly actions: ActionsOf<M>;
  /** Which session it is, bound to what. */
  readonly session: { readonly sessionId: string; readonly mode: string; readonly policyVersion: string };
  /** Lines that go where `configureLogging` says. */
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
  /** The phase that was entered. */
  readonly phase: PhaseOf<M>;
  /** The one before it. */
  readonly previous: PhaseOf<M>;
}

/** Called when the phase changes. */
export type PhaseHandler<M extends AgentMode = HandoffModeName> = (
  change: PhaseChange<M>,
  context: HandlerContext<M>,
) => void | Promise<void>;

/** How a session ended. */
export interface TerminalResult {
  /** Committed, cancelled, or out of time. */
  readonly state: 'RESOLVED' | 'CANCELLED' | 'EXPIRED';
  /** Only when resolved. */
  readonly commitment?: CommitmentPayload;
}

/** Called once, when the session has ended. */
export type TerminalHandler<M extends AgentMode = HandoffModeName> = (
  result: TerminalResult,
  context: HandlerContext<M>,
) => void | Promise<void>;
