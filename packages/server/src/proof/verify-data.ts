/**
 * `handover verify` of a whole store: every stream is audited, both list tables are rebuilt from the log and compared,
 * kept receipts are compared with it, and the database itself is checked. One stream is in memory at a time.
 *
 * D1. It names all flaws that it can: a flaw in one stream does not stop the check of the others.
 * D2. Involvements of a flawed stream are not judged: its log cannot say what they should be.
 * D3. Of a kept receipt it says who signed it only with the keys of the folder, and nothing where another key signed.
 * D4. It cannot see that entries were cut off the end together with what the lists say of them, nor which of two
 *     streams was written first. It does not look at bytes of a database file that hold no value (about 7 %, more in a
 *     small one).
 */
import {
  type Codec,
  canonicalJson,
  FaultCode,
  HandoverError,
  MACP_RECEIPT_FORMAT,
  MacpReceiptFold,
  type SoundStream,
  StreamKind,
  type StreamRef,
  streamKey,
  type TrustedKey,
} from '@handover/core';
import type { ListedStream } from '@handover/engine';
import { openSqliteReadOnly, type SqliteReadOnly } from '../store/sqlite/index.js';
import { entryPages } from './entry-pages.js';
import { type InvolvementSource, involvementFlaws, involvementRow } from './involvements.js';
import { keptReceiptFlaw, strayReceiptFlaws } from './kept-receipts.js';
import type { LocatedFlaw } from './located-flaw.js';
import { folderKeys } from './receipt-keys.js';
import { SetComparison } from './set-comparison.js';
import { sqliteFlaws } from './sqlite-checks.js';
import { verifyPages } from './verify-pages.js';

export interface DataReport {
  readonly streams: number;
  readonly entries: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Sessions by state. */
  readonly sessions: Readonly<Record<string, number>>;
  /** The last position of the log. */
  readonly position: number;
  readonly flaws: readonly LocatedFlaw[];
  /** Flaws beyond those that are named. */
  readonly moreFlaws: number;
}

export interface VerifyDataOptions {
  readonly codec: Codec;
  /** Called after every 10,000 streams. */
  readonly onProgress?: (streams: number, entries: number) => void;
}

const PROGRESS_EVERY = 10_000;
const NAMED_FLAWS = 1_000;

export async function verifyData(path: string, options: VerifyDataOptions): Promise<DataReport> {
  const flaws = new FlawList();
  const view = await flaws.watch(() => openSqliteReadOnly(path));
  if (!view) return { ...new Tally().report(0), ...flaws.report() };
  try {
    const tally = new Tally();
    await flaws.watch(async () => flaws.add(...(await sqliteFlaws(path))));
    await flaws.watch(() => auditStreams(view, { ...options, trusted: keysBeside(path) }, tally, flaws));
    const exists = async (ref: StreamRef) =>
      ref.kind === StreamKind.Session && (await view.load(ref, 0, 1)).length > 0;
    await flaws.watch(async () => flaws.add(...(await strayReceiptFlaws(view.keptReceipts(), exists))));
    return { ...tally.report(await view.position()), ...flaws.report() };
  } finally {
    await view.close();
  }
}

async function auditStreams(
  view: SqliteReadOnly,
  { codec, onProgress, trusted }: VerifyDataOptions & { readonly trusted: readonly TrustedKey[] },
  tally: Tally,
  flaws: FlawList,
): Promise<void> {
  const involved = new SetComparison();
  const flawed = new Set<string>();
  for (const listed of view.streams()) {
    const { ref } = listed;
    const fold = new MacpReceiptFold(codec);
    const verdict = await verifyPages(ref, entryPages(view, ref), codec, (entry) => fold.add(entry));
    tally.add(ref, verdict.head.seq, verdict.ok ? verdict.listing.state : 'flawed');
    if (tally.streams % PROGRESS_EVERY === 0) onProgress?.(tally.streams, tally.entries);
    if (verdict.ok) {
      flaws.add(...rowFlaws(listed, verdict));
      const kept = verdict.session && (await view.receipts.find(ref, MACP_RECEIPT_FORMAT));
      if (verdict.session && kept !== undefined) {
        const fromLog = fold.result(verdict.session, verdict.head, NOT_FROM_THE_LOG);
        const what = keptReceiptFlaw(kept, fromLog, codec, trusted);
        if (what !== undefined) flaws.add({ ref, what });
      }
      for (const one of verdict.involved) involved.expected(involvementRow(ref, one));
    } else {
      flaws.add({ ref, ...verdict.flaw });
      flawed.add(streamKey(ref));
    }
  }
  const source: InvolvementSource = { view, flawed, expected: (ref) => expectedOf(view, ref, codec) };
  flaws.add(...(await involvementFlaws(source, involved)));
}

/** Who issued a receipt, and when. */
const NOT_FROM_THE_LOG = { issuer: '', issuedAt: 0 };

/** The keys of the folder that is checked. A file alone has none. */
function keysBeside(path: string): readonly TrustedKey[] {
  try {
    return folderKeys(path);
  } catch {
    return [];
  }
}

async function expectedOf(
  view: SqliteReadOnly,
  ref: StreamRef,
  codec: Codec,
): Promise<SoundStream['involved']> {
  const verdict = await verifyPages(ref, entryPages(view, ref), codec);
  return verdict.ok ? verdict.involved : [];
}

function rowFlaws({ ref, row }: ListedStream, { listing, dues }: SoundStream): LocatedFlaw[] {
  const flaws: string[] = [];
  const compare = (column: string, is: string | number, should: string | number) => {
    if (is !== should)
      flaws.push(`${column} is ${JSON.stringify(is)}; the log gives ${JSON.stringify(should)}`);
  };
  compare('state', row.state, listing.state);
  compare('created_at', row.createdAt, listing.createdAt);
  if (row.summary !== canonicalJson(listing.summary)) flaws.push('summary is not what the log gives');
  if (!dues.has(row.due)) flaws.push(`due is ${row.due}; the log gives ${[...dues].at(-1)}`);
  return flaws.map((what) => ({ ref, what: `list row: ${what}` }));
}

class Tally {
  streams = 0;
  entries = 0;
  readonly #kinds: Record<string, number> = {};
  readonly #sessions: Record<string, number> = {};

  add({ kind }: StreamRef, entries: number, state: string): void {
    this.streams++;
    this.entries += entries;
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
    if (kind === 'session') this.#sessions[state] = (this.#sessions[state] ?? 0) + 1;
  }

  report(position: number): Omit<DataReport, 'flaws' | 'moreFlaws'> {
    const { streams, entries } = this;
    return { streams, entries, kinds: this.#kinds, sessions: this.#sessions, position };
  }
}

class FlawList {
  readonly #flaws: LocatedFlaw[] = [];
  #more = 0;

  add(...flaws: readonly LocatedFlaw[]): void {
    for (const flaw of flaws) {
      if (this.#flaws.length < NAMED_FLAWS) this.#flaws.push(flaw);
      else this.#more++;
    }
  }

  /** Damage that stops a part of the work is a flaw like any other; any other error is not about the data. */
  async watch<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      const fault = HandoverError.from(thrown);
      if (fault.code !== FaultCode.DATA_LOSS) throw thrown;
      this.add({ what: fault.shortMessage });
      return undefined;
    }
  }

  report(): Pick<DataReport, 'flaws' | 'moreFlaws'> {
    return { flaws: this.#flaws, moreFlaws: this.#more };
  }
}
