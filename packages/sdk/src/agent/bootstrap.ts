/** The bootstrap file: how an agent that somebody else starts learns who it is and where to go. */
import { readFileSync } from 'node:fs';
import { findPayload, type PayloadKind, payloadFromJson, type Root } from '@handover/core';
import { Auth, type AuthConfig } from '../auth.js';
import { MacpClient } from '../client/client.js';
import { codec } from '../codec.js';
import { MacpSessionError } from '../errors.js';
import { log } from '../logging.js';
import { type InitiatorPlan, Participant } from './participant.js';

/** The keys of a bootstrap file, in their flat form. */
export interface BootstrapDocument {
  readonly session_id: string;
  readonly participant_id: string;
  readonly mode: string;
  readonly runtime_address?: string;
  readonly runtime_url?: string;
  readonly mode_version?: string;
  readonly configuration_version?: string;
  readonly policy_version?: string;
  /** A real token of the participant. */
  readonly auth_token?: string;
  /** A name, for a runtime in dev mode. */
  readonly agent_id?: string;
  readonly secure?: boolean;
  readonly allow_insecure?: boolean;
  readonly initiator?: BootstrapInitiator;
}

/** What an agent that opens the session says first. */
export interface BootstrapInitiator {
  readonly session_start: {
    readonly intent: string;
    readonly participants: readonly string[];
    readonly ttl_ms: number;
    readonly max_suspend_ms?: number;
    readonly context_id?: string;
    /** Values are JSON; they travel as its bytes. */
    readonly extensions?: Readonly<Record<string, unknown>>;
    readonly roots?: readonly Root[];
  };
  readonly kickoff?: { readonly message_type: string; readonly payload: unknown };
}

/** Makes the participant that a bootstrap file describes; without a path, `MACP_BOOTSTRAP_FILE` names it. */
export function fromBootstrap(path = process.env.MACP_BOOTSTRAP_FILE): Participant {
  if (path === undefined || path === '')
    throw new MacpSessionError('path is missing, and MACP_BOOTSTRAP_FILE is not set', 'path');
  return participantFrom(JSON.parse(readFileSync(path, 'utf8')) as BootstrapDocument);
}

export function participantFrom(document: BootstrapDocument): Participant {
  for (const key of ['session_id', 'participant_id', 'mode'] as const) required(document, key);
  if ('cancel_callback' in document) log.warn('bootstrap: cancel_callback is not supported and ignored');
  const { session_id: sessionId, participant_id: participantId, mode } = document;
  const auth = authOf(document);
  return new Participant({
    participantId,
    sessionId,
    mode,
    client: new MacpClient({ ...endpointOf(document), auth }),
    auth,
    modeVersion: document.mode_version,
    configurationVersion: document.configuration_version,
    policyVersion: document.policy_version,
    initiator: document.initiator && planOf(document.initiator, mode),
  });
}

function required(document: BootstrapDocument, key: 'session_id' | 'participant_id' | 'mode'): void {
  const value: unknown = document[key];
  if (typeof value !== 'string' || value.trim() === '')
    throw new MacpSessionError(`bootstrap: ${key} is missing or blank`, key);
}

function authOf({
  auth_token: token,
  agent_id: agent,
  participant_id: participant,
}: BootstrapDocument): AuthConfig {
  if (token !== undefined) return Auth.bearer(token, { expectedSender: participant });
  return Auth.devAgent(agent ?? participant);
}

function endpointOf(document: BootstrapDocument) {
  const named = document.runtime_address ?? document.runtime_url;
  if (typeof named !== 'string' || named.trim() === '')
    throw new MacpSessionError('bootstrap: runtime_address is missing or blank', 'runtime_address');
  const [, scheme, address = named] = /^(https?|grpcs?):\/\/([^/]+)\/?$/.exec(named) ?? [];
  const byScheme = scheme === 'https' || scheme === 'grpcs' ? true : undefined;
  return { address, secure: document.secure ?? byScheme, allowInsecure: document.allow_insecure };
}

function planOf({ session_start: start, kickoff }: BootstrapInitiator, mode: string): InitiatorPlan {
  const json = (value: unknown) => codec.utf8(JSON.stringify(value));
  const extensions = Object.fromEntries(
    Object.entries(start.extensions ?? {}).map(([key, value]) => [key, json(value)]),
  );
  const { intent, participants, roots } = start;
  const sessionStart = {
    intent,
    participants,
    ttlMs: start.ttl_ms,
    maxSuspendMs: start.max_suspend_ms,
    contextId: start.context_id,
    roots,
    extensions,
  };
  if (!kickoff) return { sessionStart };
  const payload = kickoffPayload(kickoff.message_type, kickoff.payload, mode);
  return { sessionStart, kickoff: { messageType: kickoff.message_type, payload } };
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
