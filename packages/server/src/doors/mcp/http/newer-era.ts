/**
 * The newer era over HTTP: every request stands alone and gets a server object of its own.
 *
 * M1. Short calls are answered with one JSON body. The answer of a tool that waits is streamed from the start, so that
 *     neither the door's deadline nor a proxy ends the call.
 * M2. Each `subscriptions/listen` gets a handler and a bus of its own. The SDK's bus tells every client everything.
 *     This one tells its subscriber only what it was authorised for (changes/subscriptions.ts).
 */
import { isFields } from '@handover/core';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import type { Listener } from '../../../services/listening/listener.js';
import { Notices } from '../changes/notices.js';
import type { Change } from '../changes/subscriber.js';
import type { McpDependencies } from '../dependencies.js';
import { isListen, listenUris, namesTooMany, wantsLists, withUris } from '../listen-request.js';
import { createMcpServer } from '../mcp-server.js';
import { authInfoOf, connectionIn, connectionOf, principalIn, principalOf } from './auth-info.js';
import type { Exchange } from './exchange.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';
import type { RpcMessage } from './rpc-message.js';
import { WatchedBody } from './watched-body.js';

export class NewerEra {
  readonly #deps: McpDependencies;
  readonly #quick: McpHttpHandler;
  readonly #waiting: McpHttpHandler;
  readonly #listens = new Set<McpHttpHandler>();

  constructor(deps: McpDependencies) {
    this.#deps = deps;
    this.#quick = this.#handler({});
    this.#waiting = this.#handler({ responseMode: 'sse' });
  }

  handle(exchange: Exchange<RpcMessage>): Promise<Response> {
    const { request, message } = exchange;
    if (isListen(message)) return this.#admitListen(exchange);
    const handler = this.#waits(message) ? this.#waiting : this.#quick;
    return handler.fetch(request, { authInfo: authInfoOf(exchange), parsedBody: message });
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick, this.#waiting, ...this.#listens].map((handler) => handler.close()));
  }

  #handler(options: Parameters<typeof createMcpHandler>[1]): McpHttpHandler {
    // The header is safe to use: the SDK has compared it with the message before it asks for a server.
    const factory = ({ era, requestInfo, authInfo }: McpRequestContext) =>
      createMcpServer(this.#deps, {
        era,
        caller: principalOf,
        connection: connectionOf,
        opener: { principal: principalIn(authInfo), connection: connectionIn(authInfo) },
        method: requestInfo?.headers.get('mcp-method') ?? null,
      });
    const onerror = (error: Error) => this.#deps.log.debug('mcp.request_error', { message: error.message });
    return createMcpHandler(factory, { legacy: 'reject', onerror, ...options });
  }

  #waits({ method, params }: RpcMessage): boolean {
    if (method !== 'tools/call' || typeof params?.name !== 'string') return false;
    const waits = this.#deps.tools.find(params.name)?.waits ?? false;
    return typeof waits === 'boolean' ? waits : isFields(params.arguments) && waits(params.arguments);
  }

  async #admitListen(exchange: Exchange<RpcMessage>): Promise<Response> {
    const { message, principal, disconnect } = exchange;
    const id = message.id ?? null;
    const flaw = namesTooMany(message);
    if (flaw !== undefined) return rpcError(200, RpcCode.Params, flaw, id);
    const admitted = this.#deps.listeners.admit(principal, disconnect);
    if ('rejection' in admitted) return rpcError(200, RpcCode.Internal, admitted.rejection.message, id);
    return this.#listen(exchange, admitted.value);
  }

  async #listen(exchange: Exchange<RpcMessage>, listener: Listener): Promise<Response> {
    const { request, message, principal, disconnect } = exchange;
    const { streams, subscriptions } = this.#deps;
    let tell: ((event: ServerEvent) => void) | undefined;
    let body: WatchedBody | undefined;
    const notices = new Notices({
      takesOne: () => body?.takesOne() ?? false,
      deliver: (change) => tell?.(eventOf(change)),
    });
    const subscription = subscriptions.open({
      principal,
      lists: wantsLists(message),
      send: (change) => notices.push(change),
    });
    const end = (): void => {
      subscription.close();
      listener.leave();
      this.#listens.delete(handler);
    };
    const bus = {
      publish: () => {},
      subscribe: (listens: (event: ServerEvent) => void) => {
        tell = listens;
        return end;
      },
    };
    const handler = this.#handler({ bus });
    this.#listens.add(handler);
    try {
      const allowed: string[] = [];
      for (const uri of listenUris(message))
        if ((await subscription.follow(uri)) === 'followed') allowed.push(uri);
      const parsedBody = withUris(message, allowed);
      const response = await handler.fetch(request, { authInfo: authInfoOf(exchange), parsedBody });
      if (!tell || !response.body) {
        end();
        return response;
      }
      const onRoom = () => notices.flush();
      body = new WatchedBody(response.body, {
        streams,
        gone: request.signal,
        disconnect,
        onRoom,
        onEnd: end,
      });
      return body.respond(response);
    } catch (thrown) {
      end();
      throw thrown;
    }
  }
}

function eventOf(change: Change): ServerEvent {
  if (change.kind === 'listed') return { kind: 'resources_list_changed' };
  return { kind: 'resource_updated', uri: change.uri };
}
