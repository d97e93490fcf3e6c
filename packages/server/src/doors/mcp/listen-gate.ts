/**
 * Sits between the wire of a connection and the SDK. The SDK would follow any address that `subscriptions/listen`
 * names. The gate authorises each address first and removes those that the caller may not see from the request.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Subscription } from './changes/subscriptions.js';
import { isListen, listenUris, withUris } from './listen-request.js';

export class ListenGate implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #wire: Transport;
  readonly #subscription: () => Subscription;
  readonly #onClose: () => void;
  /** Addresses by the listen request that asked for them. */
  readonly #listens = new Map<RequestId, readonly string[]>();

  constructor(wire: Transport, subscription: () => Subscription, onClose: () => void) {
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
    return this.#wire.send(message, options);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && isListen(message)) {
      this.#authorised(message).then(
        (narrowed) => narrowed && this.onmessage?.(narrowed),
        (thrown: unknown) => this.onerror?.(thrown instanceof Error ? thrown : new Error('listen failed')),
      );
      return;
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#cancelled(message.params?.requestId as RequestId | undefined);
    this.onmessage?.(message);
  }

  /** Undefined when it was cancelled in the meantime. */
  async #authorised(message: JSONRPCRequest): Promise<JSONRPCRequest | undefined> {
    const { id } = message;
    const subscription = this.#subscription();
    this.#listens.set(id, []);
    const allowed: string[] = [];
    for (const uri of listenUris(message)) if (await subscription.follow(uri)) allowed.push(uri);
    if (!this.#listens.has(id)) return undefined;
    this.#listens.set(id, allowed);
    return withUris(message, allowed);
  }

  #cancelled(id: RequestId | undefined): void {
    const uris = id === undefined ? undefined : this.#listens.get(id);
    if (id === undefined || !uris) return;
    this.#listens.delete(id);
    const others = new Set([...this.#listens.values()].flat());
    const subscription = this.#subscription();
    for (const uri of uris) if (!others.has(uri)) subscription.unfollow(uri);
  }
}
