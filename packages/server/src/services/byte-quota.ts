/**
 * How many bytes of payload an agent, and a tenant, may have in the log.
 *
 * Y1. The store knows the sum exactly and keeps it through restarts and crashes; asking for it reads no history.
 * Y2. What is under way counts, too, so that a burst cannot pass the limit while each of its messages is being stored.
 * Y3. Beyond the limit only what is new is refused: a repetition still gets its answer, and what the rules refuse is
 *     refused by them.
 */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';
import type { Engine } from '@handover/engine';
import type { Principal } from '../auth/principal.js';
import type { Metrics } from '../observe/metrics.js';
import type { Audit } from '../observe/security-log.js';
import type { SettingsNow } from './configuration/types.js';

export interface ByteQuotaParts {
  readonly engine: Pick<Engine, 'usage'>;
  readonly settingsNow: SettingsNow;
  readonly metrics: Pick<Metrics, 'rateLimited'>;
  readonly audit: Audit;
}

/** Whose bytes are limited, and by which setting. */
interface Scope {
  readonly key: string;
  readonly query: { readonly tenant: string; readonly actor?: string };
  readonly limit: number;
  readonly quota: 'bytes_agent' | 'bytes_tenant';
  readonly setting: string;
}

export class ByteQuota {
  readonly #parts: ByteQuotaParts;
  /** Bytes under way, by scope. */
  readonly #pending = new Map<string, number>();

  constructor(parts: ByteQuotaParts) {
    this.#parts = parts;
  }

  /** Calls `store` with the refusal that new entries must get, if there is no room for so many bytes. */
  async within<T>(
    principal: Principal,
    bytes: number,
    store: (refuseNew: Rejection | undefined) => Promise<T>,
  ): Promise<T> {
    const scopes = this.#scopes(principal);
    if (scopes.length === 0) return store(undefined);
    for (const { key } of scopes) this.#add(key, bytes);
    try {
      return await store(await this.#refusal(principal, scopes, bytes));
    } finally {
      for (const { key } of scopes) this.#add(key, -bytes);
    }
  }

  #scopes({ tenant, agent }: Principal): readonly Scope[] {
    const { quotaBytesAgent, quotaBytesTenant } = this.#parts.settingsNow();
    const scopes: Scope[] = [
      {
        key: `${tenant}\n${agent}`,
        query: { tenant, actor: agent },
        limit: quotaBytesAgent,
        quota: 'bytes_agent',
        setting: 'HANDOVER_QUOTA_BYTES_AGENT',
      },
      {
        key: tenant,
        query: { tenant },
        limit: quotaBytesTenant,
        quota: 'bytes_tenant',
        setting: 'HANDOVER_QUOTA_BYTES_TENANT',
      },
    ];
    return scopes.filter(({ limit }) => limit > 0);
  }

  async #refusal(
    principal: Principal,
    scopes: readonly Scope[],
    bytes: number,
  ): Promise<Rejection | undefined> {
    for (const { key, query, limit, quota, setting } of scopes) {
      const used = await this.#parts.engine.usage(query);
      if (used + (this.#pending.get(key) ?? 0) <= limit) continue;
      this.#parts.metrics.rateLimited(quota);
      this.#parts.audit.quotaHit({ actor: principal, quota });
      const whose = quota === 'bytes_agent' ? 'this agent has' : 'this tenant has';
      const message =
        `${whose} stored ${used} bytes and may store ${limit}, and this may take up to ${bytes} more; ask the operator to raise ${setting} ` +
        '(answers, Commitments and controls are still taken)';
      return rejectWith(RejectionCode.RATE_LIMITED, message, { quota, usedBytes: used, limitBytes: limit });
    }
    return undefined;
  }

  #add(key: string, bytes: number): void {
    const sum = (this.#pending.get(key) ?? 0) + bytes;
    if (sum === 0) this.#pending.delete(key);
    else this.#pending.set(key, sum);
  }
}
