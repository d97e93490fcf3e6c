/**
 * Works off what the server does not know yet (docs/spec/review.md 1.5).
 *
 * O1. An entry is written before the server is asked, so before the wallet is, and changed in the turn in which the wallet
 *     answers. It goes when the server has taken it.
 * O2. Every page of this server works off all entries, its own or not: at load, when the network or the page comes back,
 *     and again and again with growing pauses. It needs the token of the ask alone.
 * O3. When the page leaves while a wallet was asked, the server is told that nobody knows how that ends.
 * O4. What the wallet gave is never replaced by a word that says less.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { AskGrant, Claim } from './family.js';
import type { OutboxEntry, OutboxStore, Report } from './outbox-store.js';
import { postReport, sentenceOf } from './post-report.js';

export interface Outbox {
  readonly entries: ReadonlySignal<readonly OutboxEntry[]>;
  /** When the next attempt comes; undefined: there is nothing to tell. */
  readonly nextAt: ReadonlySignal<number | undefined>;
  /** The server is about to be asked. */
  want(entry: Omit<OutboxEntry, 'v' | 'state' | 'report'>): OutboxEntry;
  /** The server has granted the ask; `isOwn`: this page now calls the wallet. */
  granted(entry: OutboxEntry, grant: AskGrant, isOwn: boolean): OutboxEntry;
  /** There is no such ask. */
  forget(entry: OutboxEntry): void;
  /** This page gave up before the wallet was called: to be told once the ask is known. */
  abandon(entry: OutboxEntry, report: Report): void;
  /** True: the server has taken it, or knows better. */
  answered(entry: OutboxEntry, report: Report, claim?: Claim): Promise<boolean>;
  /** Also what the server has refused before. */
  reportNow(): Promise<void>;
  start(): void;
}

const WAITS_MS = [0, 1_000, 2_000, 5_000, 15_000, 60_000];

const isUntold = ({ state, token, report }: OutboxEntry): boolean =>
  state === 'answered' && token !== undefined && report !== undefined;

const tagOf = ({ clientAsk, report }: OutboxEntry): string => `${clientAsk} ${JSON.stringify(report)}`;

export function createOutbox(store: OutboxStore): Outbox {
  const entries = signal(store.all());
  const nextAt = signal<number | undefined>(undefined);
  /** Prompts of this very page that are not answered. */
  const own = new Map<string, OutboxEntry>();
  let attempt = 0;
  let timer: number | undefined;
  let working: Promise<void> | undefined;

  const show = () => {
    entries.value = store.all();
  };
  const change = (entry: OutboxEntry): OutboxEntry => {
    store.put(entry);
    show();
    return entry;
  };
  const find = (clientAsk: string) => store.all().find((one) => one.clientAsk === clientAsk);

  const tell = async (entry: OutboxEntry): Promise<void> => {
    const answer = await postReport(entry.path, entry.token ?? '', entry.report as Report);
    if (!answer || answer.status === 429 || answer.status >= 500) return;
    const text = answer.ok ? '' : await sentenceOf(answer);
    const now = find(entry.clientAsk);
    // Another tab may have told it, or the wallet may have said more.
    if (!now || tagOf(now) !== tagOf(entry)) return;
    // 409 for a word: the server knows more than it says.
    if (answer.ok || (answer.status === 409 && !entry.claim)) store.drop(entry.clientAsk);
    else store.put({ ...entry, refusal: { status: answer.status, text } });
  };

  const untold = (refused: boolean) =>
    store.all().filter((entry) => isUntold(entry) && (refused || !entry.refusal));

  const work = async (refused: boolean): Promise<void> => {
    window.clearTimeout(timer);
    const tried = new Set<string>();
    const next = () => untold(refused).find((entry) => !tried.has(tagOf(entry)));
    for (let entry = next(); entry; entry = next()) {
      tried.add(tagOf(entry));
      await tell(entry);
    }
    show();
    schedule();
  };

  const schedule = () => {
    if (untold(false).length === 0) {
      attempt = 0;
      nextAt.value = undefined;
      return;
    }
    attempt = Math.min(attempt + 1, WAITS_MS.length - 1);
    const wait = WAITS_MS[attempt] ?? 0;
    nextAt.value = Date.now() + wait;
    timer = window.setTimeout(() => void report(), wait);
  };

  const report = (refused = false): Promise<void> => {
    working ??= work(refused).finally(() => {
      working = undefined;
    });
    return working;
  };

  const leaving = () => {
    for (const { path, token, unanswered } of own.values())
      void postReport(path, token ?? '', unanswered, true);
    for (const entry of untold(false))
      void postReport(entry.path, entry.token ?? '', entry.report as Report, true);
  };

  return {
    entries,
    nextAt,
    want: (entry) => change({ ...entry, v: 1, state: 'wanted' }),
    granted: (entry, { id, token }, isOwn) => {
      const state = entry.report ? 'answered' : 'asking';
      const asking: OutboxEntry = { ...entry, askId: id, token, state };
      if (isOwn) own.set(entry.clientAsk, asking);
      change(asking);
      if (entry.report) void report();
      return asking;
    },
    forget: ({ clientAsk }) => {
      store.drop(clientAsk);
      show();
    },
    abandon: (entry, end) => void change({ ...entry, report: end }),
    answered: async (entry, end, claim) => {
      own.delete(entry.clientAsk);
      if (!claim && find(entry.clientAsk)?.claim) return false;
      attempt = 0;
      const { refusal: _refusal, claim: _claim, ...rest } = entry;
      change({ ...rest, state: 'answered', report: end, ...(claim && { claim }) });
      // Twice: an attempt that runs already may have missed it.
      await working;
      await report();
      return find(entry.clientAsk) === undefined;
    },
    reportNow: () => report(true),
    start: () => {
      void report();
      window.addEventListener('online', () => void report());
      window.addEventListener('pagehide', leaving);
      // Another tab has changed something.
      window.addEventListener('storage', show);
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') void report();
      });
      window.addEventListener('beforeunload', (event) => {
        const open = store.all().filter(({ state }) => state !== 'wanted');
        if (open.some(({ clientAsk }) => store.isAtRisk(clientAsk))) event.preventDefault();
      });
    },
  };
}
