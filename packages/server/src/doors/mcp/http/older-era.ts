/**
 * The older era over HTTP: HTTP sessions, by `Mcp-Session-Id`.
 *
 * L1. A session belongs to the caller that opened it. Anybody else gets 404 for its id, and so do all after its end.
 * L2. The number of sessions is bounded, per caller and in all. A new session closes the one that has been idle longest
 *     if there is no room; the client of that one starts again. A session that is in use is not closed for it.
 *     Opening one counts in the caller's rate, so that nobody goes through sessions without end.
 * L3. A session without traffic and without an open stream ends after a while.
 */
import type { Rejection } from '@handover/core';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { callerKey } from '../../../auth/caller-key.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { wholeSeconds } from '../../../services/macp/error-details.js';
import type { McpDependencies } from '../dependencies.js';
import type { Exchange } from './exchange.js';
import { LegacySession } from './http-session.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';
import { isRpcMessage } from './rpc-message.js';

export interface LegacyLimits {
  readonly idleMs: number;
  readonly perCaller: number;
  readonly inAll: number;
}

export const LEGACY_LIMITS: LegacyLimits = {
  idleMs: fixedLimits.mcpSessionIdleMs.value,
  perCaller: fixedLimits.mcpSessionsPerCaller.value,
  inAll: fixedLimits.mcpSessionsInAll.value,
};
const ALL_IN_USE = 'Too many sessions are open, and all are in use; end one first';
const NOT_FOUND =
  'Session not found: it has ended, or belongs to somebody else; initialize again, without Mcp-Session-Id';
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

  async handle(exchange: Exchange): Promise<Response> {
    const id = exchange.request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (!session || session.caller !== callerKey(exchange.principal))
        return rpcError(404, RpcCode.Session, NOT_FOUND);
      return session.handle(exchange);
    }
    if (!isInitializeRequest(exchange.message))
      return rpcError(400, RpcCode.Server, 'Bad Request: Mcp-Session-Id header is required');
    return this.#open(exchange);
  }

  sweep(): void {
    for (const session of this.#sessions.values())
      if (session.idleMs > this.#limits.idleMs) session.close().catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #open(exchange: Exchange): Promise<Response> {
    const { principal, connection, message } = exchange;
    const limited = this.#deps.rate(principal);
    if (limited) return tooOften(limited, message);
    if (!this.#makeRoom(callerKey(principal))) return rpcError(429, RpcCode.Server, ALL_IN_USE);
    const session = new LegacySession({
      deps: this.#deps,
      principal,
      now: this.#now,
      connection,
      onClose: (id) => this.#sessions.delete(id),
    });
    // From now on it has its place, so that those who come at the same time do not take the same one.
    this.#sessions.set(session.id, session);
    try {
      await session.connect();
      return await session.handle(exchange);
    } finally {
      if (!session.initialized) await session.close();
    }
  }

  /** False: everybody there is in use. */
  #makeRoom(caller: string): boolean {
    const all = [...this.#sessions.values()];
    const own = all.filter((session) => session.caller === caller);
    const { perCaller, inAll } = this.#limits;
    const crowded = own.length >= perCaller ? own : all.length >= inAll ? all : undefined;
    if (!crowded) return true;
    const [idlest] = crowded.filter(({ busy }) => !busy).toSorted((one, other) => other.idleMs - one.idleMs);
    if (!idlest) return false;
    // Not found from now on; what else its end takes, nobody has to wait for.
    this.#sessions.delete(idlest.id);
    idlest.close().catch(() => {});
    return true;
  }
}

function tooOften({ message: text, details }: Rejection, message: unknown): Response {
  const id = isRpcMessage(message) ? (message.id ?? null) : null;
  const response = rpcError(429, RpcCode.Server, text, id);
  if (typeof details?.retryAfterMs === 'number')
    response.headers.set('Retry-After', wholeSeconds(details.retryAfterMs));
  return response;
}
