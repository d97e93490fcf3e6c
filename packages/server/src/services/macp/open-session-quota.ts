/**
 * How many sessions an identity may have that have not ended. This operational limit is not part of the rules and is checked before
 * them. A suspended session counts, too: it is open again whenever its initiator likes.
 */
import { type Rejection, RejectionCode, reject, SessionStatus, StreamKind } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { ServiceDependencies } from '../dependencies.js';
import { sessionRef } from '../stream-refs.js';

export class OpenSessionQuota {
  readonly #deps: ServiceDependencies;
  /** Starts under way, so that a burst cannot pass the limit while each is being stored. */
  readonly #starting = new Map<string, number>();

  constructor(deps: ServiceDependencies) {
    this.#deps = deps;
  }

  async whileStarting<T>(
    principal: Principal,
    sessionId: string,
    start: () => Promise<T>,
    refuse: (rejection: Rejection) => T,
  ): Promise<T> {
    const { maxOpenSessions, tenant, agent } = principal;
    if (maxOpenSessions === undefined) return start();
    const key = `${tenant}\n${agent}`;
    const before = this.#starting.get(key) ?? 0;
    this.#starting.set(key, before + 1);
    try {
      const room = maxOpenSessions - before;
      if ((await this.#hasRoom(principal, room)) || (await this.#isKnown(principal, sessionId)))
        return await start();
      this.#deps.metrics.rateLimited('open_sessions');
      this.#deps.audit.quotaHit({ actor: principal, quota: 'open_sessions' });
      const message = `this identity has ${maxOpenSessions} sessions that are open or suspended, as many as max_open_sessions of its credential allows; end one first`;
      return refuse(reject(RejectionCode.RATE_LIMITED, message));
    } finally {
      const now = (this.#starting.get(key) ?? 1) - 1;
      if (now === 0) this.#starting.delete(key);
      else this.#starting.set(key, now);
    }
  }

  async #hasRoom(principal: Principal, room: number): Promise<boolean> {
    if ((await this.#countOpen(principal)) < room) return true;
    // Sessions whose time is up do not count (docs/spec/macp.md 2.4, row 16). `catchUp` records those that are still
    // open.
    await this.#deps.engine.catchUp();
    return (await this.#countOpen(principal)) < room;
  }

  async #countOpen({ tenant, agent }: Principal): Promise<number> {
    const own = { tenant, agent, kind: StreamKind.Session, role: 'initiator' };
    const counts = [SessionStatus.Open, SessionStatus.Suspended].map((state) =>
      this.#deps.engine.count({ ...own, state }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** A repeated start opens nothing: it is answered as a duplicate (row 11 comes first). */
  async #isKnown({ tenant }: Principal, sessionId: string): Promise<boolean> {
    return (await this.#deps.engine.query(sessionRef(tenant, sessionId))) !== undefined;
  }
}
