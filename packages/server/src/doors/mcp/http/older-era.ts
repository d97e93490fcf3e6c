/**
 * The older era over HTTP: HTTP sessions, by `Mcp-Session-Id`.
 *
 * L1. A session belongs to the caller that opened it. Anybody else gets 404 for its id, and so do all after its end.
 * L2. The number of sessions is bounded, per caller and in all. A new session closes the one that has been idle longest
 *     if there is no room; the client of that one starts again.
 * L3. A session without traffic and without an open stream ends after half an hour.
 */
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import type { McpDependencies } from '../dependencies.js';
import { LegacySession } from './http-session.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';

export interface LegacyLimits {
  readonly idleMs: number;
  readonly perCaller: number;
  readonly inAll: number;
}

export const LEGACY_LIMITS: LegacyLimits = { idleMs: 1_800_000, perCaller: 64, inAll: 2_048 };
const SWEEPS_PER_IDLE_TIME = 30;

export class OlderEra {
  readonly #deps: McpDependencies;
  readonly #limits: LegacyLimits;
  readonly #now: () => number;
  /** In order of opening. */
  readonly #sessions = new Map<string, LegacySession>();
  readonly #sweep: NodeJS.Timeout;

  constructor(
    deps: McpDependencies,
    limits: LegacyLimits = LEGACY_LIMITS,
    now: () => number = () => performance.now(),
  ) {
    this.#deps = deps;
    this.#limits = limits;
    this.#now = now;
    const every = Math.max(1_000, limits.idleMs / SWEEPS_PER_IDLE_TIME);
    this.#sweep = setInterval(() => this.sweep(), every).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (!session || session.caller !== callerKey(principal))
        return rpcError(404, RpcCode.Session, 'Session not found');
      return session.handle(request, parsedBody, principal);
    }
    if (!isInitializeRequest(parsedBody))
      return rpcError(400, RpcCode.Server, 'Bad Request: Mcp-Session-Id header is required');
    return this.#open(request, parsedBody, principal);
  }

  sweep(): void {
    for (const session of this.#sessions.values())
      if (session.idleMs > this.#limits.idleMs) session.close().catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #open(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    await this.#makeRoom(callerKey(principal));
    const session = new LegacySession({
      deps: this.#deps,
      principal,
      now: this.#now,
      onOpen: (id, opened) => this.#sessions.set(id, opened),
      onClose: (id) => this.#sessions.delete(id),
    });
    await session.connect();
    return session.handle(request, parsedBody, principal);
  }

  async #makeRoom(caller: string): Promise<void> {
    const all = [...this.#sessions.values()];
    const own = all.filter((session) => session.caller === caller);
    const crowded = own.length >= this.#limits.perCaller ? own : all.length >= this.#limits.inAll ? all : [];
    const idlest = crowded.toSorted((one, other) => other.idleMs - one.idleMs)[0];
    await idlest?.close();
  }
}
