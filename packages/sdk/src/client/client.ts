/**
 * The runtime's RPCs, one method each. The file is long because the service has many; every method only translates.
 *
 * C1. A refusal is a MacpAckError, a failed call a MacpTransportError; `raiseOnNack: false` returns the refusing Ack.
 * C2. A duplicate Ack is a success: that is what makes sending the same envelope again safe.
 */
import { CoreMessageType, type Envelope, MACP_VERSION } from '@handover/core';
import { type Ack, decodeAckResponse, encodeMessage, encodeSendRequest, methods } from '@handover/wire';
import { given, validateSignal, validateTexts } from '../arguments.js';
import { type AuthConfig, ownerOf, resolveIdentity, validateAuth } from '../auth.js';
import { VERSION } from '../constants.js';
import { INTERNAL_ERROR } from '../error-codes.js';
import { MacpAckError, MacpSessionError, MacpUnsupportedError, toFailure } from '../errors.js';
import { readExactJson } from '../receipts/exact-json.js';
import { type DecisionReceipt, trustedKeysOf } from '../receipts/verify-receipt.js';
import { MacpStream } from '../stream/macp-stream.js';
import {
  readHistory,
  type SequencedEnvelope,
  type SubscribeOptions,
  subscribeSession,
} from '../stream/subscribe.js';
import { type CallIds, traced } from '../telemetry/traced.js';
import { type CallOptions, validateCall } from '../transport/call-options.js';
import type { ChannelSettings } from '../transport/channel.js';
import { either } from '../transport/either.js';
import { timeLeft } from '../transport/time-left.js';
import { decoded, Transport } from '../transport/transport.js';
import { validateId, validateSessionId, validateWhole } from '../validation.js';
import { type ProgressInput, progressEnvelope, type SignalInput, signalEnvelope } from './ambient.js';
import { toInitializeResult, toManifest, toMetadata, toMode, toPolicy } from './convert.js';
import { validateMode, validatePolicy } from './descriptors.js';
import { allPages } from './pages.js';
import type * as types from './types.js';
import * as watches from './watches.js';
import { toWhatIf, type WhatIfResult } from './what-if.js';

/** Where to connect, as whom, and with which defaults. */
export interface MacpClientOptions extends ChannelSettings {
  /** The credential of calls that bring none of their own; `Auth` makes it. */
  readonly auth?: AuthConfig | undefined;
  /** Milliseconds after which a call without its own deadline is given up; 30,000 by default. */
  readonly defaultDeadlineMs?: number | undefined;
  /** How the client names itself to the runtime. */
  readonly clientName?: string | undefined;
  /** Which version of it. */
  readonly clientVersion?: string | undefined;
}

/** Options of a call that is answered with an Ack. */
export interface SendOptions extends CallOptions {
  /** False returns a refusing Ack in place of throwing MacpAckError. */
  readonly raiseOnNack?: boolean | undefined;
}

const DEFAULT_DEADLINE_MS = 30_000;
/** What the field holds. */
const MAX_PAGE = 2_147_483_647;

/** A connection to a MACP runtime. */
export class MacpClient {
  /** The credential of calls that bring none of their own. */
  readonly auth: AuthConfig | undefined;
  /** Milliseconds after which a call without its own deadline is given up. */
  readonly defaultDeadlineMs: number;
  readonly #transport: Transport;
  readonly #name: string;
  readonly #version: string;
  #capabilities: types.RuntimeCapabilities | undefined;

  /** Connects lazily: the first call opens the connection. */
  constructor(options: MacpClientOptions) {
    given('options', options);
    const { clientName, clientVersion } = options;
    validateTexts({ clientName, clientVersion });
    this.auth = options.auth;
    this.defaultDeadlineMs = options.defaultDeadlineMs ?? DEFAULT_DEADLINE_MS;
    this.#transport = new Transport(options, options.auth, this.defaultDeadlineMs);
    this.#name = options.clientName ?? 'macp-sdk-typescript';
    this.#version = options.clientVersion ?? VERSION;
  }

  /** Fires when the client is closed; what iterates over its streams then ends quietly. */
  get closed(): AbortSignal {
    return this.#transport.closed;
  }

  /** The sender that a credential, or else the client's own, stands for; empty when it is not known. */
  senderHint(auth?: AuthConfig): string {
    return ownerOf(auth ?? this.auth);
  }

  /** Agrees on the protocol version and tells what the runtime can do. A number is a deadline in milliseconds. */
  async initialize(options: number | CallOptions = {}): Promise<types.InitializeResult> {
    const request = {
      supportedProtocolVersions: [MACP_VERSION],
      clientInfo: { name: this.#name, version: this.#version },
    };
    const call = typeof options === 'number' ? { deadlineMs: options } : options;
    return toInitializeResult(await this.#transport.unary('initialize', request, call));
  }

  /** Sends one envelope. To try again, send the same envelope: its message id makes that safe. */
  async send(envelope: Envelope, options: SendOptions = {}): Promise<Ack> {
    return this.#ack(
      'send',
      encoded('envelope', () => encodeSendRequest(given('envelope', envelope))),
      options,
      envelope,
    );
  }

  /** A session's metadata, for its members and observers. */
  async getSession(sessionId: string, options?: CallOptions): Promise<{ metadata: types.SessionMetadata }> {
    validateSessionId(sessionId);
    const { metadata } = await this.#transport.unary('getSession', { sessionId }, options);
    return { metadata: toMetadata(decoded(metadata, 'getSession')) };
  }

  /** Ends a session without an outcome. Cancelling an ended session changes nothing and is no error. */
  cancelSession(sessionId: string, reason = '', options: SendOptions = {}): Promise<Ack> {
    return this.#control('cancelSession', sessionId, reason, options);
  }

  /** Pauses an open session; its clock stands still. */
  suspendSession(sessionId: string, reason = '', options: SendOptions = {}): Promise<Ack> {
    return this.#control('suspendSession', sessionId, reason, options);
  }

  /** Lets a suspended session go on. */
  resumeSession(sessionId: string, reason = '', options: SendOptions = {}): Promise<Ack> {
    return this.#control('resumeSession', sessionId, reason, options);
  }

  /** All sessions that the caller may see, page after page. */
  async listSessions(
    options: CallOptions & { readonly pageSize?: number } = {},
  ): Promise<readonly types.SessionMetadata[]> {
    const { deadlineMs = this.defaultDeadlineMs } = given('options', options);
    const left = timeLeft({ ...options, deadlineMs });
    const sessions: types.SessionMetadata[] = [];
    const pages = allPages((pageToken) => this.listSessionsPage({ ...left(), pageToken }));
    for await (const page of pages) sessions.push(...page.sessions);
    return sessions;
  }

  /** One page of sessions. */
  async listSessionsPage(
    options: CallOptions & { readonly pageSize?: number; readonly pageToken?: string } = {},
  ): Promise<types.SessionsPage> {
    const { pageSize = 0, pageToken = '' } = given('options', options);
    validateWhole('pageSize', pageSize, 0, MAX_PAGE);
    validateTexts({ pageToken });
    const page = await this.#transport.unary('listSessions', { pageSize, pageToken }, options);
    return { sessions: page.sessions.map(toMetadata), nextPageToken: page.nextPageToken };
  }

  /** The manifest of an agent; without an id, the runtime's own. */
  async getManifest(agentId = '', options?: CallOptions): Promise<{ manifest: types.AgentManifest }> {
    validateTexts({ agentId });
    const { manifest } = await this.#transport.unary('getManifest', { agentId }, options);
    return { manifest: toManifest(decoded(manifest, 'getManifest')) };
  }

  /** The standard modes that the runtime serves. */
  async listModes(options?: CallOptions): Promise<{ modes: readonly types.ModeDescriptor[] }> {
    const { modes } = await this.#transport.unary('listModes', {}, options);
    return { modes: modes.map(toMode) };
  }

  /** The extension modes that were registered. */
  async listExtModes(options?: CallOptions): Promise<{ modes: readonly types.ModeDescriptor[] }> {
    const { modes } = await this.#transport.unary('listExtModes', {}, options);
    return { modes: modes.map(toMode) };
  }

  /** Registers an extension mode; Commitment must be among its terminal types. */
  async registerExtMode(
    descriptor: types.ModeDescriptor,
    options?: CallOptions,
  ): Promise<types.RegistryResult> {
    validateMode(descriptor);
    if (!descriptor.terminalMessageTypes.includes(CoreMessageType.Commitment))
      throw new MacpSessionError('terminalMessageTypes must include Commitment', 'terminalMessageTypes');
    const { messageTypes, terminalMessageTypes, schemaUris, ...texts } = descriptor;
    const modeDescriptor = {
      ...texts,
      messageTypes: [...messageTypes],
      terminalMessageTypes: [...terminalMessageTypes],
      schemaUris: { ...schemaUris },
    };
    const { ok, error } = await this.#transport.unary('registerExtMode', { modeDescriptor }, options);
    return { ok, error };
  }

  /** Removes an extension mode. */
  async unregisterExtMode(mode: string, options?: CallOptions): Promise<types.RegistryResult> {
    validateId('mode', mode);
    const { ok, error } = await this.#transport.unary('unregisterExtMode', { mode }, options);
    return { ok, error };
  }

  /** Makes an extension mode a standard one, under a new name if one is given. */
  async promoteMode(
    mode: string,
    promotedModeName = '',
    options?: CallOptions,
  ): Promise<types.RegistryResult & { readonly mode: string }> {
    validateId('mode', mode);
    validateTexts({ promotedModeName });
    const reply = await this.#transport.unary('promoteMode', { mode, promotedModeName }, options);
    return { ok: reply.ok, error: reply.error, mode: reply.mode };
  }

  /** The roots that the runtime knows. */
  async listRoots(options?: CallOptions): Promise<{ roots: readonly types.Root[] }> {
    const { roots } = await this.#transport.unary('listRoots', {}, options);
    return { roots: roots.map(({ uri, name }) => ({ uri, name })) };
  }

  /** Registers a policy, for example one that `buildHandoffPolicy` made. */
  async registerPolicy(policy: types.PolicyDescriptor, options?: CallOptions): Promise<types.RegistryResult> {
    const policyDescriptor = policyIn('policy', policy);
    const { ok, error } = await this.#transport.unary('registerPolicy', { policyDescriptor }, options);
    return { ok, error };
  }

  /** Removes a policy; sessions that are bound to it keep it. */
  async unregisterPolicy(policyId: string, options?: CallOptions): Promise<types.RegistryResult> {
    validateId('policyId', policyId);
    const { ok, error } = await this.#transport.unary('unregisterPolicy', { policyId }, options);
    return { ok, error };
  }

  /** One policy by its id. */
  async getPolicy(policyId: string, options?: CallOptions): Promise<types.PolicyDescriptor> {
    validateId('policyId', policyId);
    const { policyDescriptor } = await this.#transport.unary('getPolicy', { policyId }, options);
    return toPolicy(decoded(policyDescriptor, 'getPolicy'));
  }

  /** The policies of a mode and those for any mode; without a mode, all. */
  async listPolicies(mode = '', options?: CallOptions): Promise<readonly types.PolicyDescriptor[]> {
    validateTexts({ mode });
    const { descriptors } = await this.#transport.unary('listPolicies', { mode }, options);
    return descriptors.map(toPolicy);
  }

  /** What the runtime offers; once it has said so it is not asked again. */
  async capabilities(options?: CallOptions): Promise<types.RuntimeCapabilities> {
    // Each caller asks: the deadline of one must not end, or hold up, the question of another.
    this.#capabilities ??= (await this.initialize(options)).capabilities;
    return this.#capabilities;
  }

  /** The receipt of a resolved session: what it committed to, for anyone to check. `text` is what is signed. */
  async getDecisionReceipt(sessionId: string, options: CallOptions = {}): Promise<types.ReceiptText> {
    validateSessionId(sessionId);
    const left = timeLeft(given('options', options), sessionId);
    const { decisionReceipt } = await this.capabilities(left());
    offered(decisionReceipt.getDecisionReceipt, 'no decision receipts');
    const { receiptJson: text } = await this.#transport.unary('getDecisionReceipt', { sessionId }, left());
    return { text, receipt: decoded(readExactJson(text), 'getDecisionReceipt') as DecisionReceipt };
  }

  /** The public keys of the runtime, for `verifyReceipt`; ask for them where you trust the connection. */
  async getReceiptKeys(options: CallOptions = {}): Promise<types.ReceiptKeys> {
    const left = timeLeft(given('options', options));
    const { decisionReceipt } = await this.capabilities(left());
    offered(decisionReceipt.getDecisionReceipt, 'no decision receipts');
    const { jwksJson: text } = await this.#transport.unary('getReceiptKeys', {}, left());
    return { text, keys: trustedKeysOf(text) };
  }

  /** What would have come of a session under another policy. Nothing is stored or sent to anybody. */
  async whatIfReplay(
    sessionId: string,
    candidate: types.PolicyDescriptor,
    options: CallOptions = {},
  ): Promise<WhatIfResult> {
    validateSessionId(sessionId);
    const request = { sessionId, candidate: policyIn('candidate', candidate) };
    const left = timeLeft(given('options', options), sessionId);
    const { policyRegistry } = await this.capabilities(left());
    offered(policyRegistry.whatIfReplay, 'no what-if replay');
    return toWhatIf(await this.#transport.unary('whatIfReplay', request, left()));
  }

  /** Lifecycle events over one connection; SessionLifecycleWatcher reconnects. */
  watchSessions(options: watches.WatchOptions = {}): AsyncGenerator<types.SessionLifecycleEvent, void, void> {
    return watches.watchSessions(this.#transport, options);
  }

  /** Full lists of policies over one connection; PolicyWatcher reconnects. */
  watchPolicies(options: watches.WatchOptions = {}): AsyncGenerator<types.PoliciesChanged, void, void> {
    return watches.watchPolicies(this.#transport, options);
  }

  /** Changes of the mode registry over one connection; ModeRegistryWatcher reconnects. */
  watchModeRegistry(options: watches.WatchOptions = {}): AsyncGenerator<types.RegistryChanged, void, void> {
    return watches.watchModeRegistry(this.#transport, options);
  }

  /** Changes of the roots over one connection; RootsWatcher reconnects. */
  watchRoots(options: watches.WatchOptions = {}): AsyncGenerator<types.RootsChanged, void, void> {
    return watches.watchRoots(this.#transport, options);
  }

  /** Signals and progress over one connection; SignalWatcher reconnects. */
  watchSignals(options: watches.WatchOptions = {}): AsyncGenerator<Envelope, void, void> {
    return watches.watchSignals(this.#transport, options);
  }

  /** A two-way stream, to send on or to subscribe with. */
  openStream(options: { readonly auth?: AuthConfig | undefined } = {}): MacpStream {
    validateAuth(given('options', options).auth);
    return new MacpStream(this.#transport.duplex(options.auth), this.#transport.endpoint, this.closed);
  }

  /** The accepted history of a session and what follows; reconnects and goes on where it was. */
  subscribe(
    sessionId: string,
    options: SubscribeOptions = {},
  ): AsyncGenerator<SequencedEnvelope, void, void> {
    const signal = endingOf(this.closed, options);
    return subscribeSession((auth) => this.openStream(auth), sessionId, { ...options, signal });
  }

  /** The accepted history of a session up to now. */
  readHistory(
    sessionId: string,
    options: Omit<SubscribeOptions, 'reconnect'> = {},
  ): AsyncGenerator<SequencedEnvelope, void, void> {
    const signal = endingOf(this.closed, options);
    return readHistory((auth) => this.openStream(auth), sessionId, { ...options, signal });
  }

  /** Tells everyone who watches signals. */
  async sendSignal(input: SignalInput, options: SendOptions = {}): Promise<Ack> {
    const own = given('input', input).auth ?? given('options', options).auth;
    const { sender, auth } = resolveIdentity(this.auth, own, input.sender);
    return this.send(signalEnvelope(input, sender), { ...options, auth });
  }

  /** Reports progress, to everyone or to the members of one session. */
  async sendProgress(input: ProgressInput, options: SendOptions = {}): Promise<Ack> {
    const own = given('input', input).auth ?? given('options', options).auth;
    const { sender, auth } = resolveIdentity(this.auth, own, input.sender);
    return this.send(progressEnvelope(input, sender), { ...options, auth });
  }

  /** Closes the connection; open streams and watches end. */
  close(): void {
    this.#transport.close();
  }

  /** Closes the client at the end of the block that began with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  async #control(
    key: 'cancelSession' | 'suspendSession' | 'resumeSession',
    sessionId: string,
    reason: string,
    options: SendOptions,
  ): Promise<Ack> {
    validateSessionId(sessionId);
    validateTexts({ reason });
    return this.#ack(key, encodeMessage(methods[key].input, { sessionId, reason }), options, { sessionId });
  }

  async #ack(
    key: keyof typeof methods,
    request: Uint8Array,
    options: SendOptions,
    ids: CallIds,
  ): Promise<Ack> {
    validateCall(options);
    let refused: Ack | undefined;
    const said = traced(key, ids, async (trace) => {
      const ack = decoded(
        decodeAckResponse(await this.#transport.unaryBytes(key, request, options, ids, trace)),
        key,
      );
      if (ack.ok) return ack;
      refused = ack;
      throw new MacpAckError(failureOf(ack), ack);
    });
    if (options.raiseOnNack !== false) return said;
    return said.catch((error: unknown) => {
      if (refused) return refused;
      throw error;
    });
  }
}

/** Without what only the runtime sets. */
function policyIn(argument: string, policy: types.PolicyDescriptor) {
  validatePolicy(argument, policy);
  const { policyId, mode, description, rules, schemaVersion } = policy;
  return { policyId, mode, description, rules, schemaVersion };
}

/** What ends an iteration, checked before it begins. */
function endingOf(closed: AbortSignal, options: { readonly signal?: AbortSignal | undefined }): AbortSignal {
  const { signal } = given('options', options);
  validateSignal(signal);
  return either(closed, signal);
}

/** What cannot be written is a mistake of whoever made it. */
function encoded(argument: string, encode: () => Uint8Array): Uint8Array {
  try {
    return encode();
  } catch (cause) {
    if (cause instanceof MacpSessionError) throw cause;
    throw new MacpSessionError(`${argument} cannot be written: ${String(cause)}`, argument);
  }
}

/** What a runtime does not advertise is not asked for. */
function offered(isOffered: boolean, what: string): void {
  if (!isOffered) throw new MacpUnsupportedError(`the runtime offers ${what}; nothing was sent`);
}

function failureOf({ error, sessionId, messageId }: Ack) {
  if (error) return toFailure(error);
  const reasons = { reasons: [], denials: [], retryAfterMs: undefined };
  return { code: INTERNAL_ERROR, message: 'refused without a reason', sessionId, messageId, ...reasons };
}
