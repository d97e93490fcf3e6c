/**
 * What a wallet was asked and what it gave, kept in this browser until the server knows it. It outlives the tab and the
 * page: any page of this server can tell it later, for an entry holds all that telling needs.
 */
import type { Claim } from './family.js';

/** A post that tells the server how an ask ended. */
export interface Report {
  readonly action: 'status' | 'progress';
  readonly body: object;
}

export interface OutboxEntry {
  readonly v: 1;
  /** Of the API of the record. */
  readonly path: string;
  readonly id: string;
  readonly stepIds: readonly string[];
  readonly askId: string;
  readonly token: string;
  readonly account: string;
  readonly chainId: number;
  /** asking: the wallet has the request. answered: the server must be told. */
  readonly state: 'asking' | 'answered';
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
  /** False: this browser keeps nothing, and what is here is lost with the page. */
  readonly isLasting: boolean;
  all(): readonly OutboxEntry[];
  put(entry: OutboxEntry): void;
  drop(askId: string): void;
}

export function openOutboxStore(storage: Storage | undefined = lastingStorage()): OutboxStore {
  const memory = new Map<string, OutboxEntry>();
  return {
    isLasting: storage !== undefined,
    all: () =>
      [...new Map([...(storage ? stored(storage) : []), ...memory]).values()].sort((a, b) => a.at - b.at),
    put: (entry) => {
      // In memory, too: storage may be full.
      memory.set(entry.askId, entry);
      try {
        storage?.setItem(PREFIX + entry.askId, JSON.stringify(entry));
      } catch {
        // The page shows what it holds, and warns before it is left.
      }
    },
    drop: (askId) => {
      memory.delete(askId);
      storage?.removeItem(PREFIX + askId);
    },
  };
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
    else yield [entry.askId, entry];
  }
}

function read(text: string | null): OutboxEntry | undefined {
  try {
    const value = JSON.parse(text ?? '') as OutboxEntry;
    return value.v === 1 && typeof value.token === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
