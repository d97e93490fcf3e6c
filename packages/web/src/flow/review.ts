/**
 * The state of one page, as signals, and how the page reads it from the server.
 *
 * D1. The server's record is the truth. The page keeps no other state of the request, except what it is doing right now
 *     and a claim that it could not report yet.
 * D2. The page reads the record again only while it is visible and something may change without it.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Api, ApiError } from '../api/api.js';
import { digestOf } from '../format/digest.js';
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
  readonly digest: Signal<string | undefined>;
  readonly notice: Signal<Notice | undefined>;
  readonly busy: Signal<Busy | undefined>;
  refresh(): Promise<void>;
  /** Reads the record again while something may change; runs for the life of the page. */
  watch(): void;
}

const POLL_MS = 2_000;

export function createReview(api: Api): Review {
  const view = signal<View>({ kind: 'loading' });
  const record = computed(() => (view.value.kind === 'record' ? view.value.record : undefined));
  const chain = computed(() => (view.value.kind === 'record' ? view.value.chain : undefined));
  const digest = signal<string | undefined>(undefined);
  const refresh = async () => {
    view.value = await load(api, view.value);
    const { value } = record;
    if (value && digest.value === undefined) digest.value = await digestOf(value).catch(() => undefined);
  };
  const watch = () => {
    const look = () => {
      const { value } = view;
      const again =
        value.kind === 'record'
          ? isMoving(value.record)
          : value.kind === 'gone' && value.why === 'unreachable';
      if (again && document.visibilityState === 'visible') void refresh();
    };
    window.setInterval(look, POLL_MS);
    // Show what another tab has done meanwhile as soon as this tab becomes visible.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && record.value && !isOver(record.value)) void refresh();
    });
  };
  return {
    api,
    view,
    record,
    chain,
    digest,
    notice: signal(undefined),
    busy: signal(undefined),
    refresh,
    watch,
  };
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
