/**
 * The asks of all records that wait for an answer, or for the chain, in memory: how many a creator has, and which accounts
 * could have signed for whom. It is made anew after a start, from every record that is not over.
 */
import { type AskState, isSoughtAtAll, type OperationState, type StreamRef, streamKey } from '@handover/core';
import type { OperationRecord } from '../../services/operations/record.js';

/** An ask that may have been signed by this account. */
export interface AccountAsk {
  readonly ref: StreamRef<'operation'>;
  readonly ask: string;
  readonly at: number;
}

interface Kept {
  readonly creator: string;
  readonly waiting: number;
  readonly accounts: readonly { readonly key: string; readonly ask: AccountAsk }[];
}

const creatorKey = (tenant: string, creator: string): string => `${tenant}\n${creator}`;
const accountKey = (chainId: number, account: string): string => `${chainId}/${account}`;

export class OpenAskIndex {
  readonly #records = new Map<string, Kept>();
  readonly #creators = new Map<string, number>();
  readonly #accounts = new Map<string, Set<AccountAsk>>();

  /** How many asks of a creator's records are open or unclear. */
  of(tenant: string, creator: string): number {
    return this.#creators.get(creatorKey(tenant, creator)) ?? 0;
  }

  /** Oldest first. */
  byAccount(chainId: number, account: string): readonly AccountAsk[] {
    const found = [...(this.#accounts.get(accountKey(chainId, account)) ?? [])];
    return found.sort((a, b) => a.at - b.at || (a.ask < b.ask ? -1 : 1));
  }

  update({ ref, state }: OperationRecord): void {
    this.forget(ref);
    // Nobody looks for them any more, so what is signed is another's.
    const asks = state.windowOver ? [] : state.asks;
    const open = asks.filter((ask) => isSoughtAtAll(state, ask) || isClaimedOnly(state, ask));
    if (open.length === 0) return;
    const accounts = open.flatMap(({ id, at, account }) =>
      account === undefined ? [] : [{ key: accountKey(state.chainId, account), ask: { ref, ask: id, at } }],
    );
    const creator = creatorKey(ref.tenant, state.creator);
    const waiting = open.filter(({ standing }) => standing === 'open' || standing === 'unclear').length;
    this.#records.set(streamKey(ref), { creator, waiting, accounts });
    this.#creators.set(creator, (this.#creators.get(creator) ?? 0) + waiting);
    for (const { key, ask } of accounts) {
      const own = this.#accounts.get(key) ?? new Set();
      own.add(ask);
      this.#accounts.set(key, own);
    }
  }

  forget(ref: StreamRef<'operation'>): void {
    const key = streamKey(ref);
    const kept = this.#records.get(key);
    if (!kept) return;
    this.#records.delete(key);
    const left = (this.#creators.get(kept.creator) ?? 0) - kept.waiting;
    if (left > 0) this.#creators.set(kept.creator, left);
    else this.#creators.delete(kept.creator);
    for (const { key: account, ask } of kept.accounts) {
      const own = this.#accounts.get(account);
      own?.delete(ask);
      if (own?.size === 0) this.#accounts.delete(account);
    }
  }
}

/** What it was answered with is not settled: it may turn out to be another's. */
function isClaimedOnly({ steps }: OperationState, { id, standing }: AskState): boolean {
  if (standing !== 'claimed') return false;
  return steps.some(({ claims }) => claims.some((claim) => claim.ask === id && claim.standing === 'open'));
}
