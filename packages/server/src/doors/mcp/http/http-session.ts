/** One HTTP session (older era): a transport and a server object, bound to the caller that opened it. */
import { createHash, randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../../services/connection.js';
import { Notices } from '../changes/notices.js';
import type { Subscription } from '../changes/subscriptions.js';
import type { McpDependencies } from '../dependencies.js';
import { createMcpServer } from '../mcp-server.js';
import { sendChange } from '../send-change.js';
import { authInfoOf, connectionOf, principalOf } from './auth-info.js';
import type { Exchange } from './exchange.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';
import { PostsUnderWay } from './posts-under-way.js';
import { WatchedBody } from './watched-body.js';
import { WatchedTransport } from './watched-transport.js';

export interface LegacySessionOptions {
  readonly deps: McpDependencies;
  readonly principal: Principal;
  readonly now: () => number;
  /** From where it was opened. */
  readonly connection: Connection;
  onClose(id: string): void;
}

export class LegacySession {
  readonly id = randomUUID();
  readonly caller: string;
  /** One session is one window, where the client does not name one. */
  readonly #window = { instance: createHash('sha256').update(this.id).digest('hex').slice(0, 8) };
  readonly #since: number;
  readonly #deps: McpDependencies;
  readonly #now: () => number;
  readonly #posts = new PostsUnderWay();
  readonly #transport: WatchedTransport;
  readonly #server: Server;
  readonly #notices: Notices;
  #subscription: Subscription | undefined;
  /** The GET stream: it carries the messages that the client did not ask for. */
  #stream: WatchedBody | undefined;
  #underWay = 0;
  #lastUsed: number;

  constructor({ deps, principal, now, connection, onClose }: LegacySessionOptions) {
    this.caller = callerKey(principal);
    this.#since = connection.since;
    this.#deps = deps;
    this.#now = now;
    this.#lastUsed = now();
    this.#notices = new Notices({
      takesOne: () => this.#stream?.takesOne() ?? false,
      deliver: (change) => sendChange(this.#server, change),
    });
    const subscribed = (): Subscription => {
      this.#subscription ??= deps.subscriptions.open({
        principal,
        lists: true,
        // Without a stream there is nowhere to send it; a client that opens one reads what is there then.
        send: (change) => this.#stream && this.#notices.push(change),
      });
      return this.#subscription;
    };
    const subscriptionOf = () => ({ value: subscribed() });
    this.#server = createMcpServer(deps, {
      era: 'legacy',
      caller: principalOf,
      connection: connectionOf,
      opener: { principal, connection },
      subscriptionOf,
    });
    this.#server.oninitialized = () => void subscribed();
    this.#transport = new WatchedTransport(this.id, (message) => this.#posts.sent(message));
    this.#server.onclose = () => {
      this.#subscription?.close();
      onClose(this.id);
    };
  }

  connect(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  /** The client has asked for it and was answered. */
  get initialized(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** A request is being answered, or a stream is open. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  /** Milliseconds since the session was last in use; 0 while it is. */
  get idleMs(): number {
    return this.busy ? 0 : this.#now() - this.#lastUsed;
  }

  async handle(exchange: Exchange): Promise<Response> {
    if (exchange.request.method !== 'GET') return this.#answer(exchange, () => {});
    const admitted = this.#deps.listeners.admit(exchange.principal, exchange.disconnect);
    if ('rejection' in admitted) return rpcError(429, RpcCode.Server, admitted.rejection.message);
    return this.#answer(exchange, () => admitted.value.leave());
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** The session is in use until the answer has been sent, or cannot be. */
  async #answer(exchange: Exchange, onEnd: () => void): Promise<Response> {
    const { request, message, disconnect } = exchange;
    let body: WatchedBody | undefined;
    const begun = this.#posts.begin(message, () => body?.end(false));
    if (begun instanceof Response) return begun;
    this.#underWay++;
    const ended = () => {
      this.#underWay--;
      this.#lastUsed = this.#now();
      onEnd();
    };
    const response = await this.#ask(exchange).catch((thrown: unknown) => {
      begun.undo();
      ended();
      throw thrown;
    });
    if (!response.ok) begun.undo();
    this.#posts.posted(message);
    if (!response.body) {
      ended();
      return response;
    }
    body = new WatchedBody(response.body, {
      streams: this.#deps.streams,
      gone: request.signal,
      disconnect,
      onRoom: () => this.#notices.flush(),
      onEnd: () => {
        if (this.#stream === body) this.#stream = undefined;
        ended();
      },
    });
    if (request.method === 'GET' && response.ok) this.#stream = body;
    return body.respond(response);
  }

  #ask({ request, message, principal, connection }: Exchange): Promise<Response> {
    const authInfo = authInfoOf({
      principal,
      connection: { ...this.#window, ...connection, since: this.#since },
    });
    return this.#transport.handleRequest(request, {
      authInfo,
      ...(message !== undefined && { parsedBody: message }),
    });
  }
}
