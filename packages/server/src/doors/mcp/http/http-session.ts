/** One HTTP session (older era): a transport and a server object, bound to the caller that opened it. */
import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import type { Subscription } from '../changes/subscriptions.js';
import type { McpDependencies } from '../dependencies.js';
import { createMcpServer } from '../mcp-server.js';
import { sendChange } from '../send-change.js';
import { authInfoOf, principalOf } from './auth-info.js';

export interface LegacySessionOptions {
  readonly deps: McpDependencies;
  readonly principal: Principal;
  readonly now: () => number;
  onOpen(id: string, session: LegacySession): void;
  onClose(id: string): void;
}

export class LegacySession {
  readonly caller: string;
  readonly #now: () => number;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: Server;
  #subscription: Subscription | undefined;
  #busy = 0;
  #lastUsed: number;

  constructor({ deps, principal, now, onOpen, onClose }: LegacySessionOptions) {
    this.caller = callerKey(principal);
    this.#now = now;
    this.#lastUsed = now();
    const subscribed = (): Subscription => {
      this.#subscription ??= deps.subscriptions.open({
        principal,
        lists: true,
        send: (change) => sendChange(this.#server, change),
      });
      return this.#subscription;
    };
    this.#server = createMcpServer(deps, { era: 'legacy', caller: principalOf, subscriptionOf: subscribed });
    this.#server.oninitialized = () => void subscribed();
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => onOpen(id, this),
      onsessionclosed: (id) => onClose(id),
    });
    this.#server.onclose = () => {
      this.#subscription?.close();
      const { sessionId } = this.#transport;
      if (sessionId !== undefined) onClose(sessionId);
    };
  }

  connect(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  /** Milliseconds since the last request began or the last GET stream ended; 0 while a GET stream is open. */
  get idleMs(): number {
    return this.#busy > 0 ? 0 : this.#now() - this.#lastUsed;
  }

  async handle(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    this.#lastUsed = this.#now();
    const response = await this.#transport.handleRequest(request, {
      authInfo: authInfoOf(principal),
      ...(parsedBody !== undefined && { parsedBody }),
    });
    if (request.method === 'GET' && response.ok) this.#hold(request.signal);
    return response;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** A GET stream carries the messages that the client did not ask for. While it is open, the session is in use. */
  #hold(gone: AbortSignal): void {
    this.#busy += 1;
    gone.addEventListener(
      'abort',
      () => {
        this.#busy -= 1;
        this.#lastUsed = this.#now();
      },
      { once: true },
    );
  }
}
