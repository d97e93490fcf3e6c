/**
 * The newer era over HTTP: every request stands alone and gets a server object of its own.
 *
 * M1. Short calls are answered with one JSON body. The answer of a tool that waits is streamed from the start, so that
 *     neither the door's deadline nor a proxy ends the call.
 * M2. Each `subscriptions/listen` gets a handler and a bus of its own. The SDK's bus tells every client everything.
 *     This one tells its subscriber only what it was authorised for (changes/subscriptions.ts).
 */
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import type { McpDependencies } from '../dependencies.js';
import { isListen, listenUris, withUris } from '../listen-request.js';
import { createMcpServer } from '../mcp-server.js';
import { authInfoOf, principalOf } from './auth-info.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';
import type { RpcMessage } from './rpc-message.js';

const MAX_LISTENS = 1_024;
const MAX_LISTENS_PER_CALLER = 32;

export class NewerEra {
  readonly #deps: McpDependencies;
  readonly #quick: McpHttpHandler;
  readonly #waiting: McpHttpHandler;
  readonly #listens = new Map<McpHttpHandler, string>();

  constructor(deps: McpDependencies) {
    this.#deps = deps;
    this.#quick = this.#handler({});
    this.#waiting = this.#handler({ responseMode: 'sse' });
  }

  handle(request: Request, message: RpcMessage, principal: Principal): Promise<Response> {
    if (isListen(message)) return this.#listen(request, message, principal);
    const handler = this.#waits(message) ? this.#waiting : this.#quick;
    return handler.fetch(request, { authInfo: authInfoOf(principal), parsedBody: message });
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#quick, this.#waiting, ...this.#listens.keys()].map((handler) => handler.close()),
    );
  }

  #handler(options: Parameters<typeof createMcpHandler>[1]): McpHttpHandler {
    // The header is safe to use: the SDK has compared it with the message before it asks for a server.
    const factory = ({ era, requestInfo }: McpRequestContext) =>
      createMcpServer(this.#deps, {
        era,
        caller: principalOf,
        method: requestInfo?.headers.get('mcp-method') ?? null,
      });
    const onerror = (error: Error) => this.#deps.log.debug('mcp.request_error', { message: error.message });
    return createMcpHandler(factory, { legacy: 'reject', onerror, ...options });
  }

  #waits({ method, params }: RpcMessage): boolean {
    if (method !== 'tools/call' || typeof params?.name !== 'string') return false;
    return this.#deps.tools.find(params.name)?.waits === true;
  }

  async #listen(request: Request, message: RpcMessage, principal: Principal): Promise<Response> {
    const caller = callerKey(principal);
    const own = [...this.#listens.values()].filter((key) => key === caller).length;
    if (this.#listens.size >= MAX_LISTENS || own >= MAX_LISTENS_PER_CALLER)
      return rpcError(200, RpcCode.Internal, 'Subscription limit reached', message.id ?? null);
    let tell: ((event: ServerEvent) => void) | undefined;
    const subscription = this.#deps.subscriptions.open({
      principal,
      lists: true,
      send: (change) =>
        tell?.(
          change.kind === 'listed'
            ? { kind: 'resources_list_changed' }
            : { kind: 'resource_updated', uri: change.uri },
        ),
    });
    const end = (): void => {
      subscription.close();
      this.#listens.delete(handler);
    };
    const bus = {
      publish: () => {},
      subscribe: (listener: (event: ServerEvent) => void) => {
        tell = listener;
        return end;
      },
    };
    const handler = this.#handler({ bus });
    this.#listens.set(handler, caller);
    const allowed: string[] = [];
    for (const uri of new Set(listenUris(message))) if (await subscription.follow(uri)) allowed.push(uri);
    const parsedBody = withUris(message, allowed);
    const response = await handler.fetch(request, { authInfo: authInfoOf(principal), parsedBody });
    if (!tell) end();
    return response;
  }
}
