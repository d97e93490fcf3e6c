/** A server with callers of every kind and sessions in every state, and both doors to every call. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import {
  decodeMessage,
  encodeMessage,
  type MethodKey,
  messageFromJson,
  messageToJson,
  methods,
  parseJson,
} from '@handover/wire';
import { GrpcClient } from '../../kit/grpc-client.js';
import { refusedBy } from '../../kit/refused.js';
import { type OpenServerOptions, openServer } from '../../kit/server.js';

/** Tokens by who holds them; nobody has none. */
const CAPABILITIES = {
  initiator: {},
  participant: {},
  outsider: {},
  observer: { is_observer: true },
  manager: { can_manage_mode_registry: true },
  mute: { can_start_sessions: false },
  full: { max_open_sessions: 0 },
} as const;
export type Caller = keyof typeof CAPABILITIES | 'nobody';

const STATES = ['open', 'resolved', 'suspended', 'cancelled'] as const;
/** `denied`: one whose policy allows no Commitment yet. */
export type Sessions = Readonly<
  Record<(typeof STATES)[number] | 'multiRound' | 'denied' | 'unknown', string>
>;

export interface Answer {
  /** Of a call that was refused as a whole. */
  readonly status?: string;
  readonly code?: string;
  /** Of a refusal inside an Ack or a frame. */
  readonly inBand?: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

export interface Door {
  readonly name: 'HTTP' | 'gRPC';
  ask(key: MethodKey, caller: Caller, body: object): Promise<Answer>;
}

export interface World {
  readonly http: Door;
  readonly grpc: Door;
  close(): Promise<void>;
}

const tokenOf = (caller: Caller) => (caller === 'nobody' ? null : `token-of-${caller}`);
const TOKENS = Object.entries(CAPABILITIES).map(([sender, capabilities]) => ({
  token: tokenOf(sender as Caller),
  sender,
  ...capabilities,
}));

export async function openWorld(env: OpenServerOptions['env'] = {}): Promise<World> {
  const server = await openServer({ env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(TOKENS), ...env } });
  const client = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
  return {
    http: { name: 'HTTP', ask: (key, caller, body) => askHttp(server.httpUrl, key, caller, body) },
    grpc: { name: 'gRPC', ask: (key, caller, body) => askGrpc(client, key, caller, body) },
    async close() {
      client.close();
      await server.close();
    },
  };
}

async function askHttp(url: string, key: MethodKey, caller: Caller, body: object): Promise<Answer> {
  const token = tokenOf(caller);
  const abort = new AbortController();
  const answer = await fetch(`${url}/macp/v1/${methods[key].name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  const code = answer.headers.get('macp-error-code') ?? undefined;
  if (answer.ok && methods[key].responseStream) {
    abort.abort();
    return {};
  }
  const json = await answer.json();
  return code === undefined ? answered(json) : { status: String(answer.status), code };
}

async function askGrpc(client: GrpcClient, key: MethodKey, caller: Caller, body: object): Promise<Answer> {
  const { input, output } = methods[key];
  const parsed = parseJson(JSON.stringify(body));
  const request = 'value' in parsed ? messageFromJson(input, parsed.value) : { flaw: parsed.flaw };
  if ('flaw' in request) throw new Error(`${key}: ${request.flaw}`);
  if (key === 'streamSession') return subscribe(client, caller, request.bytes);
  try {
    const bytes = await client.raw(key, request.bytes, tokenOf(caller));
    const message = decodeMessage(output, bytes);
    if (!message) throw new Error(`${key}: the answer cannot be read`);
    return answered(JSON.parse(messageToJson(output, encodeMessage(output, message)) ?? '{}'));
  } catch (thrown) {
    const { status: name, code } = refusedBy(thrown);
    if (name === undefined) throw thrown;
    return { status: name, ...(code !== undefined && { code }) };
  }
}

/** What is stored by now is delivered, and the stream ends. */
async function subscribe(client: GrpcClient, caller: Caller, bytes: Uint8Array): Promise<Answer> {
  const stream = client.stream(tokenOf(caller)).raw(bytes).halfClose();
  const { code, metadata } = await stream.status;
  const [named] = metadata.get('macp-error-code');
  if (code !== status.OK)
    return { status: status[code], ...(named !== undefined && { code: String(named) }) };
  const [inBand] = stream.errors;
  return inBand === undefined ? {} : { inBand };
}

function answered(value: Readonly<Record<string, unknown>>): Answer {
  const { ack } = value as { readonly ack?: { readonly error?: { readonly code: string } } };
  return ack?.error ? { inBand: ack.error.code, value } : { value };
}

const VERSIONS = { mode_version: '1.0.0', configuration_version: 'c' };
let messages = 0;

export const envelopeBody = (fields: object) => ({
  envelope: { macp_version: '1.0', message_id: `m${++messages}`, payload: {}, ...fields },
});

export const startBody = (session_id: string, fields: object = {}, payload: object = {}) =>
  envelopeBody({
    mode: 'macp.mode.quorum.v1',
    message_type: 'SessionStart',
    session_id,
    ...fields,
    payload: { participants: ['participant'], ttl_ms: 600_000, ...VERSIONS, ...payload },
  });

export const commitBody = (session_id: string, mode = 'macp.mode.quorum.v1', payload: object = {}) =>
  envelopeBody({
    mode,
    message_type: 'Commitment',
    session_id,
    payload: {
      commitment_id: 'c',
      action: 'done',
      authority_scope: 's',
      reason: 'r',
      outcome_positive: false,
      ...VERSIONS,
      ...payload,
    },
  });

export const freshId = (): string => randomUUID();

/** One session in each state. */
export async function openSessions({ http }: World): Promise<Sessions> {
  const names = [...STATES, 'multiRound', 'denied', 'unknown'];
  const ids = Object.fromEntries(names.map((name) => [name, freshId()])) as Sessions;
  const ask = async (key: MethodKey, caller: Caller, body: object) => {
    const { code, inBand } = await http.ask(key, caller, body);
    if (code ?? inBand) throw new Error(`${key}: ${code ?? inBand}`);
  };
  for (const state of STATES) await ask('send', 'initiator', startBody(ids[state]));
  const ballot = (session_id: string, message_type: string, payload: object) =>
    envelopeBody({ mode: 'macp.mode.quorum.v1', message_type, session_id, payload });
  const request = { request_id: 'r', required_approvals: 1 };
  await ask('send', 'initiator', ballot(ids.resolved, 'ApprovalRequest', request));
  await ask('send', 'participant', ballot(ids.resolved, 'Approve', { request_id: 'r' }));
  await ask('send', 'initiator', commitBody(ids.resolved, undefined, { outcome_positive: true }));
  await ask('suspendSession', 'initiator', { session_id: ids.suspended });
  await ask('cancelSession', 'initiator', { session_id: ids.cancelled });
  const decision = 'macp.mode.decision.v1';
  await ask(
    'send',
    'initiator',
    startBody(ids.denied, { mode: decision }, { policy_version: 'policy.std.majority' }),
  );
  const option = { mode: decision, message_type: 'Proposal', session_id: ids.denied };
  await ask('send', 'participant', envelopeBody({ ...option, payload: { proposal_id: 'p', option: 'o' } }));
  const mode = 'ext.multi_round.v1';
  await ask('send', 'initiator', startBody(ids.multiRound, { mode }));
  const contribution = { mode, message_type: 'Contribute', session_id: ids.multiRound };
  await ask('send', 'participant', envelopeBody({ ...contribution, payload: { value: 'v' } }));
  await ask('send', 'initiator', commitBody(ids.multiRound, mode));
  return ids;
}
