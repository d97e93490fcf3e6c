/**
 * Works off what the server does not know yet (docs/spec/review.md 1.5).
 *
 * O1. An entry is written before the wallet is called and changed in the turn in which it answers. It goes when the server
 *     has taken it.
 * O2. Every page of this server works off all entries, its own or not: at load, when the network or the page comes back,
 *     and again and again with growing pauses.
 * O3. When the page leaves while a wallet was asked, the server is told that nobody knows how that ends.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { OutboxEntry, OutboxStore, Report } from './outbox-store.js';

export interface Outbox {
  readonly entries: ReadonlySignal<readonly OutboxEntry[]>;
  /** When the next attempt comes; undefined: there is nothing to tell. */
  readonly nextAt: ReadonlySignal<number | undefined>;
  /** The wallet is about to be asked. */
  asking(entry: Omit<OutboxEntry, 'v' | 'state' | 'report'>): void;
  /** The wallet has answered. Resolves when the server has taken it, or has refused it. */
  answered(askId: string, report: Report, claim?: OutboxEntry['claim']): Promise<void>;
  reportNow(): Promise<void>;
  start(): void;
}

const WAITS_MS = [0, 1_000, 2_000, 5_000, 15_000, 60_000];
const OPTIONS: RequestInit = {
  method: 'POST',
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  redirect: 'error',
};

export function createOutbox(store: OutboxStore): Outbox {
  const entries = signal(store.all());
  const nextAt = signal<number | undefined>(undefined);
  /** Asks of this very page: others may be asked in another tab. */
  const own = new Set<string>();
  let attempt = 0;
  let timer: number | undefined;
  let working: Promise<void> | undefined;

  const show = () => {
    entries.value = store.all();
  };
  const change = (entry: OutboxEntry) => {
    store.put(entry);
    show();
  };

  const tell = async (entry: OutboxEntry): Promise<void> => {
    const { report, path, token, askId } = entry;
    if (!report) return;
    const answer = await post(path, token, report).catch(() => undefined);
    if (!answer || answer.status === 429 || answer.status >= 500) return;
    // 409: the server knows more than this entry does.
    if (answer.ok || answer.status === 409) {
      store.drop(askId);
      own.delete(askId);
      return;
    }
    store.put({ ...entry, refusal: { status: answer.status, text: await sentenceOf(answer) } });
  };

  const waiting = () => store.all().filter(({ state, refusal }) => state === 'answered' && !refusal);

  const work = async (): Promise<void> => {
    window.clearTimeout(timer);
    for (const entry of waiting()) await tell(entry);
    show();
    schedule();
  };

  const schedule = () => {
    if (waiting().length === 0) {
      attempt = 0;
      nextAt.value = undefined;
      return;
    }
    attempt = Math.min(attempt + 1, WAITS_MS.length - 1);
    const wait = WAITS_MS[attempt] ?? 0;
    nextAt.value = Date.now() + wait;
    timer = window.setTimeout(() => void reportNow(), wait);
  };

  const reportNow = (): Promise<void> => {
    working ??= work().finally(() => {
      working = undefined;
    });
    return working;
  };

  const leaving = () => {
    for (const entry of store.all()) {
      const report = entry.report ?? (own.has(entry.askId) ? entry.unanswered : undefined);
      if (report && !entry.refusal) void post(entry.path, entry.token, report, true).catch(() => undefined);
    }
  };

  return {
    entries,
    nextAt,
    asking: (entry) => {
      own.add(entry.askId);
      change({ ...entry, v: 1, state: 'asking' });
    },
    answered: async (askId, report, claim) => {
      const entry = store.all().find((one) => one.askId === askId);
      if (!entry) return;
      change({ ...entry, state: 'answered', report, ...(claim && { claim }) });
      await reportNow();
    },
    reportNow,
    start: () => {
      void reportNow();
      window.addEventListener('online', () => void reportNow());
      window.addEventListener('pagehide', leaving);
      // Another tab has changed something.
      window.addEventListener('storage', show);
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') void reportNow();
      });
      window.addEventListener('beforeunload', (event) => {
        if (!store.isLasting && store.all().length > 0) event.preventDefault();
      });
    },
  };
}

function post(path: string, token: string, { action, body }: Report, keepalive = false): Promise<Response> {
  const headers = { Authorization: `Ask ${token}`, 'Content-Type': 'application/json' };
  return fetch(`${path}/${action}`, { ...OPTIONS, headers, body: JSON.stringify(body), keepalive });
}

async function sentenceOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const said =
    body !== null && typeof body === 'object' && 'message' in body && typeof body.message === 'string'
      ? body.message
      : undefined;
  return said ?? `The server answered ${answer.status}.`;
}
