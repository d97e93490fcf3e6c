/**
 * The receipt of a session in the protocol's own format, for the operator. There is one for ever: what is kept is read, and
 * a new one is made by the running server, or here under the folder's lock when none runs.
 */
import { MACP_RECEIPT_FORMAT, StreamKind, type StreamRef } from '@handover/core';
import type { Store } from '@handover/engine';
import { visitServer } from '../doors/socket/local-client.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { makeDecisionReceipt } from '../proof/decision-receipt.js';
import { folderReceiptKeys } from '../proof/receipt-keys.js';
import { openSqliteStore } from '../store/sqlite/index.js';
import { ExitCode } from './conventions/exit-code.js';
import { notAllowed, notFound, refused } from './conventions/failure.js';
import type { OutFlags } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import type { LogPlace } from './log-view.js';
import { writeOut } from './out-file.js';
import { receiptSettings } from './receipt-settings.js';
import { type SourceFlags, unsound, withStream } from './stream-source.js';

const TIMEOUT_MS = 60_000;

export function decisionReceiptOfSession(
  session: string,
  options: SourceFlags & OutFlags,
  output: Output,
): Promise<ExitCode> {
  const refOf = (tenant: string) => ({ tenant, kind: StreamKind.Session, id: session }) as const;
  return withStream(refOf, options, async ({ folder, place, ref, view }) => {
    const kept = await view.receipts.find(ref, MACP_RECEIPT_FORMAT);
    const text = kept ?? (await askServer(folder, ref)) ?? (await madeHere(place, ref));
    await writeOut([`${text}\n`], options, output);
    return ExitCode.Done;
  });
}

/** Undefined: no server runs on the folder. */
async function askServer(folder: string, ref: StreamRef<'session'>): Promise<string | undefined> {
  const body = { tenant: ref.tenant, session: ref.id };
  const visit = await visitServer(folder, { wanted: 'receipt', body }, TIMEOUT_MS);
  if (visit.kind === 'absent') return undefined;
  if (visit.kind === 'refused') throw notAllowed(visit.error);
  visit.socket.destroy();
  const { text, none, flaw } = visit.answer as Readonly<Record<string, string | undefined>>;
  if (text !== undefined) return text;
  if (none !== undefined) throw noReceipt(ref, none);
  throw refused(flaw ?? 'the server gave no receipt');
}

async function madeHere({ folder, url }: LogPlace, ref: StreamRef<'session'>): Promise<string> {
  const keys = folderReceiptKeys(folder, receiptSettings());
  const store = url === undefined ? await openSqliteStore({ directory: folder }) : await openDatabase(url);
  try {
    const made = await makeDecisionReceipt({ store, codec, keys, now: Date.now }, ref);
    if ('flaw' in made) throw unsound(ref, made.flaw);
    if ('none' in made) throw noReceipt(ref, made.none);
    return made.text;
  } finally {
    await store.close();
  }
}

/** Of two that make it at the same time, the first one's counts. */
async function openDatabase(url: string): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/index.js');
  return openPostgresStore({ url });
}

const noReceipt = ({ id }: StreamRef, why: string) => notFound(`no receipt for session ${id}: ${why}`);
