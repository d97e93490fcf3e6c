/**
 * Sits between the wire of a connection and the SDK. The SDK would follow any address that `subscriptions/listen`
 * names. The gate authorises each address first and removes those that the caller may not see from the request.
 *
 * G1. A listen request that names too many addresses, or is one too many, is refused before anything is looked up.
 * G2. An address is followed for as long as a listen request needs it. One that is cancelled or refused, at whatever
 *     moment, leaves nothing behind.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../../services/outcome.js';
import type { Subscription } from './changes/subscriptions.js';
import { isListen, listenUris, namesTooMany, withUris } from './listen-request.js';

const MAX_LISTENS = fixedLimits.mcpListensPerConnection.value;
const MAX_FOLLOWED = fixedLimits.mcpAddressesPerListener.value;
const { InvalidParams, InternalError } = ProtocolErrorCode;

type Refusal = readonly [code: number, message: string];

export class ListenGate implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #wire: Transport;
  readonly #subscription: () => Outcome<Subscription>;
  readonly #onClose: () => void;
  /** Addresses by the listen request for which they are followed. */
  readonly #listens = new Map<RequestId, Set<string>>();

  constructor(wire: Transport, subscription: () => Outcome<Subscription>, onClose: () => void) {
    this.#wire = wire;
    this.#subscription = subscription;
    this.#onClose = onClose;
  }

  async start(): Promise<void> {
    this.#wire.onmessage = (message) => this.#receive(message);
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      this.#onClose();
      this.onclose?.();
    };
    await this.#wire.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    // The SDK has refused it, for a reason of its own.
    if (isJSONRPCErrorResponse(message) && message.id !== undefined) this.#forget(message.id);
    return this.#wire.send(message, options);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && isListen(message)) {
      void this.#listen(message);
      return;
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#forget(message.params?.requestId as RequestId | undefined);
    this.onmessage?.(message);
  }

  async #listen(message: JSONRPCRequest): Promise<void> {
    const refuse = ([code, text]: Refusal): Promise<void> => {
      this.#forget(message.id);
      return this.#wire.send({ jsonrpc: '2.0', id: message.id, error: { code, message: text } });
    };
    try {
      const refusal = this.#tooMany(message) ?? (await this.#authorise(message));
      if (refusal) await refuse(refusal);
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error('listen failed'));
      await refuse([InternalError, 'The addresses cannot be looked up now; try again']).catch(() => {});
    }
  }

  #tooMany(message: JSONRPCRequest): Refusal | undefined {
    const flaw = namesTooMany(message);
    if (flaw !== undefined) return [InvalidParams, flaw];
    if (this.#listens.size < MAX_LISTENS) return undefined;
    return [
      InternalError,
      `This connection has ${MAX_LISTENS} listen requests, which is the most; cancel one`,
    ];
  }

  /** Passes the request on with the addresses that the caller may see, unless it was cancelled meanwhile. */
  async #authorise(message: JSONRPCRequest): Promise<Refusal | undefined> {
    const opened = this.#subscription();
    if ('rejection' in opened) return [InternalError, opened.rejection.message];
    const { value: subscription } = opened;
    this.#forget(message.id);
    const followed = new Set<string>();
    this.#listens.set(message.id, followed);
    for (const uri of listenUris(message)) {
      const result = await subscription.follow(uri);
      if (result === 'full')
        return [InvalidParams, `This connection follows ${MAX_FOLLOWED} addresses, which is the most`];
      if (result === 'followed') followed.add(uri);
      if (this.#listens.get(message.id) !== followed) return this.#unfollow(followed);
    }
    this.onmessage?.(withUris(message, [...followed]));
    return undefined;
  }

  #forget(id: RequestId | undefined): void {
    const followed = id === undefined ? undefined : this.#listens.get(id);
    if (id === undefined || !followed) return;
    this.#listens.delete(id);
    this.#unfollow(followed);
  }

  /** Those that no other listen request needs. */
  #unfollow(uris: ReadonlySet<string>): undefined {
    const opened = this.#subscription();
    if ('rejection' in opened) return;
    const needed = new Set([...this.#listens.values()].flatMap((others) => [...others]));
    for (const uri of uris) if (!needed.has(uri)) opened.value.unfollow(uri);
  }
}
