/** The bootstrap file: how an agent that somebody else starts learns who it is and where to go. */
import { readFileSync } from 'node:fs';
import {
  findPayload,
  isFields,
  type Json,
  type PayloadKind,
  payloadFromJson,
  type Root,
} from '@handover/core';
import { given, validateFlag, validateRequiredField } from '../arguments.js';
import { Auth, type AuthConfig } from '../auth.js';
import { MacpClient } from '../client/client.js';
import { codec } from '../codec.js';
import { MacpSessionError } from '../errors.js';
import { log } from '../logging.js';
import { type AgentMode, type HandoffModeName, validateMode } from './modes.js';
import { type InitiatorPlan, Participant } from './participant.js';

/** The keys of a bootstrap file. The credential is flat, or nested under `auth` as other SDKs write it. */
export interface BootstrapDocument {
  /** The session to join, or to start. */
  readonly session_id: string;
  /** Who the agent is. */
  readonly participant_id: string;
  /** The mode of the session. */
  readonly mode: string;
  /** Where the runtime is: `host:port`. */
  readonly runtime_address?: string;
  /** The same as a URL, as other SDKs write it. */
  readonly runtime_url?: string;
  /** The mode version; that of this package by default. */
  readonly mode_version?: string;
  /** The configuration; the default one unless named. */
  readonly configuration_version?: string;
  /** The policy; the default one unless named. */
  readonly policy_version?: string;
  /** A real token of the participant. */
  readonly auth_token?: string;
  /** A name, for a runtime in dev mode. */
  readonly agent_id?: string;
  /** The credential as other SDKs nest it. */
  readonly auth?: { readonly bearer_token?: string; readonly agent_id?: string };
  /** Who takes part, where `initiator.session_start` does not say it. */
  readonly participants?: readonly string[];
  /** TLS or not; by default as the address says. */
  readonly secure?: boolean;
  /** True for plaintext to another machine. */
  readonly allow_insecure?: boolean;
  /** Present when the agent is to start the session. */
  readonly initiator?: BootstrapInitiator;
}

/** What an agent that opens the session says first. */
export interface BootstrapInitiator {
  /** What the session is started with. */
  readonly session_start: {
    readonly intent: string;
    readonly participants?: readonly string[];
    readonly ttl_ms: number;
    readonly max_suspend_ms?: number;
    readonly context_id?: string;
    /** Texts are base64 of the bytes; other values are JSON and travel as its bytes. */
    readonly extensions?: Readonly<Record<string, unknown>>;
    readonly roots?: readonly Root[];
  };
  /** The first message after that; its payload is JSON. */
  readonly kickoff?: { readonly message_type: string; readonly payload: unknown };
}

/** Makes the participant that a bootstrap file describes; without a path, `MACP_BOOTSTRAP_FILE` names it. */
export function fromBootstrap<M extends AgentMode = HandoffModeName>(
  path = process.env.MACP_BOOTSTRAP_FILE,
): Participant<M> {
  if (path === undefined || path === '')
    throw new MacpSessionError('path is missing, and MACP_BOOTSTRAP_FILE is not set', 'path');
  const document = read(path);
  if (!isFields(document)) throw new MacpSessionError('path must name a file with a JSON object', 'path');
  return participantFrom<M>(document as unknown as BootstrapDocument);
}

function read(path: string): Json {
  validateRequiredField('path', path);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Json;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MacpSessionError(`path names no bootstrap file: ${why}`, 'path');
  }
}

function participantFrom<M extends AgentMode>(document: BootstrapDocument): Participant<M> {
  for (const key of ['session_id', 'participant_id', 'mode'] as const) text(key, document[key]);
  for (const key of ['secure', 'allow_insecure'] as const) validateFlag(key, document[key]);
  if ('cancel_callback' in document) log.warn('bootstrap: cancel_callback is not supported and ignored');
  const { session_id: sessionId, participant_id: participantId, mode } = document;
  const auth = authOf(document);
  // The mode that the caller named is that of the file; a file of an unknown mode is refused.
  return new Participant<M>({
    participantId,
    sessionId,
    mode: validateMode(mode) as M,
    client: new MacpClient({ ...endpointOf(document), auth }),
    auth,
    modeVersion: document.mode_version,
    configurationVersion: document.configuration_version,
    policyVersion: document.policy_version,
    initiator: document.initiator === undefined ? undefined : planOf(document.initiator, document),
  });
}

function text(key: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new MacpSessionError(`bootstrap: ${key} is missing or blank`, key);
}

function authOf(document: BootstrapDocument): AuthConfig {
  const { auth_token: token, agent_id: agent, auth = {}, participant_id: participant } = document;
  given('auth', auth);
  if (token !== undefined) return Auth.bearer(text('auth_token', token), { expectedSender: participant });
  const { bearer_token: nested } = auth;
  if (nested !== undefined)
    return Auth.bearer(text('auth.bearer_token', nested), { expectedSender: participant });
  return Auth.devAgent(text('agent_id', agent ?? auth.agent_id ?? participant));
}

function endpointOf(document: BootstrapDocument) {
  const named = document.runtime_address ?? document.runtime_url;
  if (typeof named !== 'string' || named.trim() === '')
    throw new MacpSessionError('bootstrap: runtime_address is missing or blank', 'runtime_address');
  const [, scheme, address = named] = /^(https?|grpcs?):\/\/([^/]+)\/?$/.exec(named) ?? [];
  const byScheme = scheme === 'https' || scheme === 'grpcs' ? true : undefined;
  return { address, secure: document.secure ?? byScheme, allowInsecure: document.allow_insecure };
}

function planOf(
  initiator: BootstrapInitiator,
  { mode, participants: all = [] }: BootstrapDocument,
): InitiatorPlan {
  const { session_start, kickoff } = given('initiator', initiator);
  const start = given('initiator.session_start', session_start);
  const extensions = Object.fromEntries(
    Object.entries(given('extensions', start.extensions ?? {})).map(([key, value]) => [
      key,
      extension(key, value),
    ]),
  );
  const { intent, participants = all, roots } = start;
  const sessionStart = {
    intent,
    participants,
    ttlMs: start.ttl_ms,
    maxSuspendMs: start.max_suspend_ms,
    contextId: start.context_id,
    roots,
    extensions,
  };
  if (kickoff === undefined) return { sessionStart };
  text('kickoff.message_type', given('kickoff', kickoff).message_type);
  const payload = kickoffPayload(kickoff.message_type, kickoff.payload, mode);
  return { sessionStart, kickoff: { messageType: kickoff.message_type, payload } };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function extension(key: string, value: unknown): Uint8Array {
  if (typeof value !== 'string') return codec.utf8(JSON.stringify(value));
  if (!BASE64.test(value))
    throw new MacpSessionError(
      `bootstrap: extensions.${key} is a text that is not base64`,
      `extensions.${key}`,
    );
  return Buffer.from(value, 'base64');
}

/** The payload's JSON form where the type is known; else its JSON text as bytes, as extension modes take it. */
function kickoffPayload(messageType: string, payload: unknown, mode: string): Uint8Array {
  const kind = findPayload(mode, messageType);
  return kind ? known(kind, payload) : codec.utf8(JSON.stringify(payload));
}

function known<P>(kind: PayloadKind<P>, json: unknown): Uint8Array {
  const reading = payloadFromJson(kind, json, codec);
  if ('rejection' in reading)
    throw new MacpSessionError(`bootstrap: kickoff.${reading.rejection.message}`, 'kickoff');
  return codec.encode(kind, reading.payload);
}
