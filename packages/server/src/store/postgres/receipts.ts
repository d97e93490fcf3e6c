/** The table of receipts as they were given out. No part of the log. The first text of a stream and a format stays. */
import type { StreamRef } from '@handover/core';
import type { ReceiptStore } from '@handover/engine';
import type { Pool } from './pool.js';
import { bytes } from './rows.js';
import type { Step, Value } from './stage.js';

const ONE_STREAM = 'kind = $1 AND name = $2 AND tenant = $3';
const PUT: Step = {
  name: 'put-receipt',
  text: `INSERT INTO receipts (kind, name, tenant, format, text) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
};
const FIND: Step = {
  name: 'find-receipt',
  text: `SELECT text FROM receipts WHERE ${ONE_STREAM} AND format = $4`,
};
const REMOVE: Step = { name: 'remove-receipts', text: `DELETE FROM receipts WHERE ${ONE_STREAM}` };

export function createReceipts(pool: Pool): ReceiptStore {
  return {
    put: (stream, format, given) =>
      pool.change('the receipt', async (connection) => {
        await connection.run([{ ...PUT, values: [...named(stream), format, Buffer.from(given, 'utf8')] }]);
        // A flush of its own: another node may have put one that this flush did not see.
        const [done] = await connection.run([{ ...FIND, values: [...named(stream), format] }]);
        return textOf(done?.rows[0]?.[0]);
      }),
    async find(stream, format) {
      const [done] = await pool.read([{ ...FIND, values: [...named(stream), format] }]);
      const [row] = done?.rows ?? [];
      return row && textOf(row[0]);
    },
    remove: (stream) =>
      pool.change('the removal of receipts', async (connection) => {
        await connection.run([{ ...REMOVE, values: named(stream) }]);
      }),
  };
}

/** Kept as bytes: a text of PostgreSQL holds no NUL. */
const textOf = (value: string | null | undefined): string => Buffer.from(bytes(value)).toString();

const named = ({ kind, id, tenant }: StreamRef): Value[] => [kind, id, tenant];
