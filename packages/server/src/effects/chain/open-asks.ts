/**
 * The asks of all records that wait for an answer, or for the chain, in memory: how many a creator has, and which accounts
 * could have signed for whom. It is made anew after a start, from every record that is not over.
 */
import { type AskState, isSoughtAtAll, type OperationState, type StreamRef, streamKey } from '@handover/core';
import type { OperationRecord } from '../../services/operations/record.js';
import { toldNames } from './asks-and-claims.js';

/** An ask that may have been signed by this account. */
export interface AccountAsk {
  readonly ref: StreamRef<'operation'>;
  readonly ask: string;
  readonly at: number;
  /** Of whose request; the same for all requests of one creator. */
  readonly creator: string;
  /** The lower, the more somebody waits for it. */
  readonly rank: number;
  /** What its page told of it, by each name, and when. */
  readonly told: readonly { readonly name: string; readonly at: number }[];
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

  /** In no order. */
  byAccount(chainId: number, account: string): readonly AccountAsk[] {
    return [...(this.#accounts.get(accountKey(chainId, account)) ?? [])];
  }

  update({ ref, state }: OperationRecord): void {
    this.forget(ref);
    // Nobody looks for them any more, so what is signed is another's.
    const asks = state.windowOver ? [] : state.asks;
    const open = asks.filter((ask) => isSoughtAtAll(state, ask) || isClaimedOnly(state, ask));
    if (open.length === 0) return;
    const creator = creatorKey(ref.tenant, state.creator);
    const accounts = open.flatMap(({ id, at, account, standing }) => {
      if (account === undefined) return [];
      const ask = { ref, ask: id, at, creator, rank: RANKS[standing] ?? 2, told: toldOf(state, id) };
      return [{ key: accountKey(state.chainId, account), ask }];
    });
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

/** One that was said not to be signed can be had by the hundred, in one record. */
const RANKS: Readonly<Partial<Record<AskState['standing'], number>>> = { open: 0, unclear: 0, quiet: 1 };

const toldOf = ({ steps }: OperationState, id: string): AccountAsk['told'] =>
  steps
    .flatMap(({ claims }) => claims.filter(({ ask }) => ask === id))
    .flatMap((claim) => toldNames(claim).map((name) => ({ name, at: claim.at })));

/** What it was answered with is not settled: it may turn out to be another's. */
function isClaimedOnly({ steps }: OperationState, { id, standing }: AskState): boolean {
  if (standing !== 'claimed') return false;
  return steps.some(({ claims }) => claims.some((claim) => claim.ask === id && claim.standing === 'open'));
}
