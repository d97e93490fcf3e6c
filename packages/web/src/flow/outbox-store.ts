/**
 * What a wallet was asked and what it gave, kept in this browser until the server knows it. It outlives the tab and the
 * page: any page of this server can tell it later, for an entry holds all that telling needs.
 */
import type { Claim } from './family.js';

/** A post to the API of a record. */
export interface Report {
  readonly action: 'status' | 'progress';
  readonly body: object;
}

export interface OutboxEntry {
  readonly v: 1;
  /** The page's own id of the ask, and the key of this entry: it is there before the server has heard of it. */
  readonly clientAsk: string;
  /** Of the API of the record. */
  readonly path: string;
  readonly id: string;
  readonly stepIds: readonly string[];
  readonly account: string;
  readonly chainId: number;
  /** The post that asks. Sent again, it gives the same ask and another token. */
  readonly ask: Report;
  readonly askId?: string;
  readonly token?: string;
  /** wanted: the server was asked, the wallet not yet. asking: the wallet has the request. answered: it said something. */
  readonly state: 'wanted' | 'asking' | 'answered';
  /** What the server must be told. */
  readonly report?: Report;
  /** What is told when the page leaves before the wallet has answered. */
  readonly unanswered: Report;
  /** What the wallet gave, for people. */
  readonly claim?: Claim;
  readonly at: number;
  /** Why the server did not take it. */
  readonly refusal?: { readonly status: number; readonly text: string };
}

const PREFIX = 'handover.outbox.';
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export interface OutboxStore {
  all(): readonly OutboxEntry[];
  put(entry: OutboxEntry): void;
  drop(clientAsk: string): void;
  /** The browser does not keep it: it is lost with this page. */
  isAtRisk(clientAsk: string): boolean;
}

export function openOutboxStore(storage: Storage | undefined = lastingStorage()): OutboxStore {
  /** What the storage did not take: there is none, or it is full. */
  const memory = new Map<string, OutboxEntry>();
  return {
    all: () =>
      [...new Map([...(storage ? stored(storage) : []), ...memory]).values()].sort((a, b) => a.at - b.at),
    put: (entry) => {
      if (storage && isKept(storage, entry)) memory.delete(entry.clientAsk);
      else memory.set(entry.clientAsk, entry);
    },
    drop: (clientAsk) => {
      memory.delete(clientAsk);
      storage?.removeItem(PREFIX + clientAsk);
    },
    isAtRisk: (clientAsk) => memory.has(clientAsk),
  };
}

function isKept(storage: Storage, entry: OutboxEntry): boolean {
  try {
    storage.setItem(PREFIX + entry.clientAsk, JSON.stringify(entry));
    return true;
  } catch {
    return false;
  }
}

/** Private windows of some browsers have a storage that refuses everything. */
function lastingStorage(): Storage | undefined {
  try {
    const { localStorage } = window;
    localStorage.setItem(`${PREFIX}try`, '');
    localStorage.removeItem(`${PREFIX}try`);
    return localStorage;
  } catch {
    return undefined;
  }
}

function* stored(storage: Storage): Iterable<readonly [string, OutboxEntry]> {
  for (const key of Object.keys(storage)) {
    if (!key.startsWith(PREFIX)) continue;
    const entry = read(storage.getItem(key));
    if (!entry || Date.now() - entry.at > KEPT_MS) storage.removeItem(key);
    else yield [entry.clientAsk, entry];
  }
}

function read(text: string | null): OutboxEntry | undefined {
  try {
    const value = JSON.parse(text ?? '') as OutboxEntry;
    return value.v === 1 && typeof value.clientAsk === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
