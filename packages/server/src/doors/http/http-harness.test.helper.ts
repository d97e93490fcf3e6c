/** A whole runtime behind an HTTP door, in memory, with a clock that tests can move. */

import { BUILT_IN_MODES, type Envelope, envelopeToJson, HANDOFF_MODE, type JsonObject } from '@handover/core';
import { createMemoryStore, Engine, type EngineLimits, type Store } from '@handover/engine';
import { authenticatorFor } from '../../auth/authenticator-for.js';
import { createRateLimiter } from '../../auth/rate-limiter.js';
import { deciders } from '../../compose/deciders.js';
import { readConfiguration } from '../../config/configuration.js';
import { type Log, silentLog } from '../../observe/log.js';
import { createMetrics } from '../../observe/metrics.js';
import { type Audit, createAudit } from '../../observe/security-log.js';
import { nodeCodec as codec } from '../../platform/node-codec.js';
import { createNodeEnv } from '../../platform/node-env.js';
import { defaultLiveSettings } from '../../services/configuration/live-settings.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import { createMacpServices } from '../../services/macp/macp-services.js';
import { SignalBus } from '../../services/macp/signal-bus.js';
import { createHttpDoor, type HttpDoorOptions } from './door.js';

export interface HarnessOptions {
  /** Without MACP_AUTH_*: dev mode. */
  readonly env?: Readonly<Record<string, string>>;
  readonly store?: Store;
  readonly log?: Log;
  readonly audit?: Audit;
  readonly engineLimits?: Partial<EngineLimits>;
  readonly requestTimeoutMs?: number;
  readonly mount?: HttpDoorOptions['mount'];
  readonly heartbeatMs?: number;
  readonly startAt?: number;
}

export interface Asked {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is when it is text or bytes. */
  readonly body?: unknown;
  readonly method?: string;
  /** The address of the other end; without it there is none. */
  readonly peer?: string;
}

export type Harness = ReturnType<typeof createHarness>;

export const SESSION = '0191e7a4-3b1c-7d2e-8f3a-4b5c6d7e8f90';

export function createHarness(options: HarnessOptions = {}) {
  const dev = !Object.keys(options.env ?? {}).some((name) => /^MACP_AUTH|^MACP_TLS_CLIENT/.test(name));
  const read = readConfiguration(
    { MCP_HTTP_PORT: '0', MACP_ALLOW_INSECURE: '1', ...options.env },
    { dev, memoryOnly: true },
  );
  const { requestTimeoutMs = read.limits.requestTimeoutMs } = options;
  const configuration = { ...read, limits: { ...read.limits, requestTimeoutMs } };
  const log = options.log ?? silentLog;
  const clock = { now: options.startAt ?? 1_700_000_000_000 };
  const now = () => clock.now;
  const store = options.store ?? createMemoryStore();
  const env = createNodeEnv({ store, codec, log, now });
  const engine = new Engine(env, deciders, options.engineLimits);
  const deps: ServiceDependencies = {
    engine,
    codec,
    authenticator: authenticatorFor(configuration.auth, { now, monotonicNow: now }),
    limiter: createRateLimiter({ ...configuration.limits, now }),
    audit: options.audit ?? createAudit(log),
    metrics: createMetrics({ isKnownMode: (mode) => BUILT_IN_MODES.has(mode), process: false }),
    signals: new SignalBus(),
    now,
    settingsNow: defaultLiveSettings,
    maxPayloadBytes: configuration.limits.maxPayloadBytes,
    policiesFromFiles: false,
    listPageSize: { fallback: 1_000, max: 1_000 },
    serverVersion: '0.1.0-test',
  };
  const services = createMacpServices(deps);
  const { mount, heartbeatMs } = options;
  const door = createHttpDoor({
    services,
    configuration,
    log,
    ...(mount && { mount }),
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  const request = async (path: string, asked: Asked = {}) =>
    door.app.request(path, requestInit(asked), asked.peer === undefined ? {} : peerBindings(asked.peer));
  return { door, services, engine, deps, clock, configuration, request };
}

export function requestInit({ as, headers, body, method }: Asked): RequestInit {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      host: 'localhost',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...headers,
    },
    ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
  };
}

// The part of Node's request that the door looks at.
function peerBindings(remoteAddress: string) {
  return { incoming: { socket: { remoteAddress } } };
}

/** An envelope as JSON; the rest of it is a plausible default. */
export function message(
  messageType: string,
  payload: JsonObject | undefined,
  fields: JsonObject = {},
): JsonObject {
  return {
    macp_version: '1.0',
    mode: HANDOFF_MODE,
    message_type: messageType,
    message_id: `${messageType}-1`,
    session_id: SESSION,
    sender: '',
    timestamp: '2023-11-14T22:13:20.000Z',
    ...(payload && { payload }),
    ...fields,
  };
}

export function startMessage(fields: JsonObject = {}, payload: JsonObject = {}): JsonObject {
  return message(
    'SessionStart',
    {
      intent: 'hand over',
      participants: ['alice', 'bob'],
      mode_version: '1.0.0',
      configuration_version: 'c1',
      policy_version: '',
      ttl_ms: 60_000,
      ...payload,
    },
    fields,
  );
}

export const offerMessage = (fields: JsonObject = {}): JsonObject =>
  message('HandoffOffer', { handoff_id: 'h1', target_participant: 'bob', scope: 'all', reason: '' }, fields);

export const contextMessage = (id: string, text: string): JsonObject =>
  message(
    'HandoffContext',
    { handoff_id: 'h1', content_type: 'text/plain', context: Buffer.from(text).toString('base64') },
    { message_id: id },
  );

export const acceptMessage = (): JsonObject =>
  message('HandoffAccept', { handoff_id: 'h1', accepted_by: 'bob', reason: '' });

export const commitMessage = (): JsonObject =>
  message('Commitment', {
    commitment_id: 'k1',
    action: 'handoff.accepted',
    authority_scope: 'all',
    reason: 'bob accepted',
    mode_version: '1.0.0',
    policy_version: '',
    configuration_version: 'c1',
    outcome_positive: true,
  });

export const asJson = (envelope: Envelope): JsonObject => envelopeToJson(envelope, codec);

/** Sends it and insists on acceptance. */
export async function post(harness: Harness, as: string, body: JsonObject): Promise<void> {
  const answer = await harness.request('/macp/envelope', { as, body });
  if (answer.status !== 200) throw new Error(await answer.text());
}
