/**
 * The state of one page, as signals, and how the page reads it from the server.
 *
 * D1. The server's record is the truth. The page keeps no other state of the request, except what it is doing right now
 *     and what is in the outbox.
 * D2. The page reads the record again while it is visible: often while something moves or a prompt of its own is open, seldom
 *     once it is over, for what turns up later changes even that.
 * D3. What is shown must be what the digest says, and stay what it was when the page was opened; else nothing is signed.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Api, ApiError } from '../api/api.js';
import { digestOf, hasOwnTexts } from '../format/digest.js';
import type { ChainInfo } from '../model/chain-info.js';
import { isMoving, isOver } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';

export type Gone = 'no-secret' | 'not-found' | 'expired' | 'unreachable' | 'busy';

export type View =
  | { readonly kind: 'loading' }
  | { readonly kind: 'gone'; readonly why: Gone }
  | { readonly kind: 'record'; readonly record: HandoffRecord; readonly chain: ChainInfo };

export interface Notice {
  readonly tone: 'info' | 'error';
  readonly text: string;
  /** It tells of the record as it was at this time, and goes when the record changes. */
  readonly of?: string;
  /** It tells that the server did not answer, and goes when it does. */
  readonly isOutage?: boolean;
}

/** What the page is doing: at most one thing at a time. */
export interface Busy {
  readonly stepId: string;
  readonly phase: 'checking' | 'wallet' | 'sending' | 'reporting';
}

export interface Review {
  readonly api: Api;
  readonly view: Signal<View>;
  readonly record: ReadonlySignal<HandoffRecord | undefined>;
  readonly chain: ReadonlySignal<ChainInfo | undefined>;
  /** Of what is shown, computed here. */
  readonly digest: ReadonlySignal<string | undefined>;
  /** D3 does not hold. */
  readonly isChanged: ReadonlySignal<boolean>;
  readonly notice: Signal<Notice | undefined>;
  readonly busy: Signal<Busy | undefined>;
  refresh(): Promise<void>;
  /** Reads the record again while something may change; runs for the life of the page. */
  watch(): void;
}

/** Every so many looks of the clock. */
const POLL_MS = 1_000;
const EVERY = { moving: 2, open: 5, over: 10 } as const;

export function createReview(api: Api): Review {
  const view = signal<View>({ kind: 'loading' });
  const record = computed(() => (view.value.kind === 'record' ? view.value.record : undefined));
  const chain = computed(() => (view.value.kind === 'record' ? view.value.chain : undefined));
  const digest = computed(() => record.value && digestOf(record.value));
  const first = signal<string | undefined>(undefined);
  const isChanged = computed(
    () =>
      record.value !== undefined &&
      (digest.value !== record.value.digest || digest.value !== first.value || !hasOwnTexts(record.value)),
  );
  const notice = signal<Notice | undefined>(undefined);
  const refresh = async () => {
    const before = view.value;
    const next = await load(api, before);
    view.value = next;
    if (next.kind !== 'record' || next === before) return;
    first.value ??= next.record.digest;
    if (notice.value && isPast(notice.value, next.record)) notice.value = undefined;
  };
  const busy = signal<Busy | undefined>(undefined);
  const watch = () => {
    let looks = 0;
    const look = () => {
      looks += 1;
      // While a prompt is open here, what the agent does meanwhile must be seen soon.
      const every = busy.value && record.value ? EVERY.moving : pauseOf(view.value);
      if (every === undefined || looks < every || document.visibilityState !== 'visible') return;
      looks = 0;
      void refresh();
    };
    window.setInterval(look, POLL_MS);
    // Show what others have done meanwhile as soon as somebody looks: back in this tab, or from the wallet's own window.
    const lookNow = () => {
      if (document.visibilityState !== 'visible' || !record.value) return;
      looks = 0;
      void refresh();
    };
    document.addEventListener('visibilitychange', lookNow);
    window.addEventListener('focus', lookNow);
  };
  return {
    api,
    view,
    record,
    chain,
    digest,
    isChanged,
    notice,
    busy,
    refresh,
    watch,
  };
}

/** What it tells is no longer so. */
const isPast = ({ of, isOutage = false }: Notice, { updatedAt }: HandoffRecord): boolean =>
  isOutage || (of !== undefined && of !== updatedAt);

function pauseOf(view: View): number | undefined {
  if (view.kind === 'gone') return view.why === 'unreachable' ? EVERY.moving : undefined;
  if (view.kind === 'loading') return undefined;
  if (isOver(view.record)) return EVERY.over;
  return isMoving(view.record) ? EVERY.moving : EVERY.open;
}

async function load(api: Api, before: View): Promise<View> {
  try {
    const record = await api.read();
    const chain = before.kind === 'record' ? before.chain : await api.chain(record.chainId);
    return { kind: 'record', record, chain };
  } catch (thrown) {
    const why = goneBecause(thrown);
    // A short outage does not clear the screen.
    return before.kind === 'record' && (why === 'unreachable' || why === 'busy')
      ? before
      : { kind: 'gone', why };
  }
}

function goneBecause(thrown: unknown): Gone {
  const status = thrown instanceof ApiError ? thrown.status : 0;
  if (status === 404 || status === 401 || status === 403) return 'not-found';
  if (status === 410) return 'expired';
  return status === 429 ? 'busy' : 'unreachable';
}
