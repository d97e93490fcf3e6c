/**
 * The table of receipts that were made. Like the credentials it is no part of the log: changes run on the writer's
 * connection between batches, each a transaction of its own, look-ups on the reader's. The first text of a stream and a
 * format stays.
 */
import type { StreamRef } from '@handover/core';
import type { ReceiptStore } from '@handover/engine';
import type { Database } from './driver.js';
import type { Request } from './protocol.js';
import { blob } from './rows.js';

export interface FindReceipt {
  readonly verb: 'receipt.find';
  readonly stream: StreamRef;
  readonly format: string;
}

export type ChangeReceipts =
  | {
      readonly verb: 'receipt.put';
      readonly stream: StreamRef;
      readonly format: string;
      readonly text: string;
    }
  | { readonly verb: 'receipt.remove'; readonly stream: StreamRef };

export const changesReceipts = (request: Request): request is ChangeReceipts =>
  request.verb === 'receipt.put' || request.verb === 'receipt.remove';

const ONE_STREAM = 'kind = ? AND name = ? AND tenant = ?';

/** The reading half. */
export function createReceiptFinder(db: Database): (request: FindReceipt) => string | undefined {
  const find = db.prepare(`SELECT CAST(text AS BLOB) FROM receipts WHERE ${ONE_STREAM} AND format = ?`);
  return ({ stream, format }) => {
    const [row] = find.all([...named(stream), utf8(format)]);
    return row && Buffer.from(blob(row[0])).toString();
  };
}

/** The writing half. */
export function createReceiptTable(db: Database): (request: ChangeReceipts) => unknown {
  const insert = db.prepare('INSERT INTO receipts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const find = createReceiptFinder(db);
  const remove = db.prepare(`DELETE FROM receipts WHERE ${ONE_STREAM}`);
  return (request) => {
    const { stream } = request;
    if (request.verb === 'receipt.remove') return remove.run(named(stream));
    const { format, text } = request;
    insert.run([...named(stream), utf8(format), utf8(text)]);
    return find({ verb: 'receipt.find', stream, format });
  };
}

/** The verbs of the port, over the two threads. */
export function createReceiptVerbs(
  change: (request: ChangeReceipts) => Promise<unknown>,
  find: (request: FindReceipt) => Promise<unknown>,
): ReceiptStore {
  return {
    put: async (stream, format, text) => String(await change({ verb: 'receipt.put', stream, format, text })),
    find: async (stream, format) =>
      (await find({ verb: 'receipt.find', stream, format })) as string | undefined,
    remove: async (stream) => void (await change({ verb: 'receipt.remove', stream })),
  };
}

const named = ({ kind, id, tenant }: StreamRef) => [utf8(kind), utf8(id), utf8(tenant)];
const utf8 = (value: string): Uint8Array => Buffer.from(value, 'utf8');
