/** What the store of receipts promises: the first text stays, of each stream and format, until the stream goes. */
import { StreamKind } from '@handover/core';
import { BEGINNING } from '../cursor.js';
import { assert, assertEqual, type ContractCase, onStore } from './case.js';
import { streamRef } from './fixtures.js';

const stream = streamRef('s-1', 'tenant-a');
const FORMAT = 'macp-receipt/1';
/** Of each kind of letter one, and one that ends some texts. */
const TEXT = '{"a":"é 🜂 \\u0000"}\u0000';

export const receiptCases: readonly ContractCase[] = [
  onStore('the first receipt of a stream stays, whoever comes later', async (s) => {
    assertEqual(await s.receipts.find(stream, FORMAT), undefined, 'before');
    assertEqual(await s.receipts.put(stream, FORMAT, TEXT), TEXT, 'the first');
    assertEqual(await s.receipts.put(stream, FORMAT, 'another'), TEXT, 'the second');
    assertEqual(await s.receipts.find(stream, FORMAT), TEXT, 'found');
    assertEqual(await s.behind(BEGINNING), 0, 'the log does not move');
  }),
  onStore('of several at once one is kept, and all are told which', async (s) => {
    const texts = await Promise.all(['1', '2', '3'].map((text) => s.receipts.put(stream, FORMAT, text)));
    assertEqual(new Set(texts).size, 1, 'told');
    assertEqual(await s.receipts.find(stream, FORMAT), texts[0], 'found');
  }),
  onStore('formats, tenants and kinds are kept apart', async (s) => {
    const others = [streamRef('s-1', 'tenant-b'), streamRef('s-1', 'tenant-a', StreamKind.Operation)];
    await s.receipts.put(stream, FORMAT, TEXT);
    assertEqual(await s.receipts.find(stream, 'other/1'), undefined, 'another format');
    for (const other of others)
      assertEqual(await s.receipts.find(other, FORMAT), undefined, 'another stream');
    assertEqual(await s.receipts.put(stream, 'other/1', 'x'), 'x', 'put');
    for (const other of others) assertEqual(await s.receipts.put(other, FORMAT, 'y'), 'y', 'put elsewhere');
    assertEqual(await s.receipts.find(stream, FORMAT), TEXT, 'as it was');
  }),
  onStore('receipts go with their stream, and no others do', async (s) => {
    const other = streamRef('s-2', 'tenant-a');
    for (const ref of [stream, other]) await s.receipts.put(ref, FORMAT, TEXT);
    await s.receipts.put(stream, 'other/1', 'x');
    await s.receipts.remove(stream);
    for (const format of [FORMAT, 'other/1'])
      assertEqual(await s.receipts.find(stream, format), undefined, format);
    assertEqual(await s.receipts.find(other, FORMAT), TEXT, 'another stream');
    await s.receipts.remove(stream);
  }),
  {
    name: 'a receipt survives a restart',
    skipWithoutReopen: 'this store lasts as long as its process',
    async run(open, reopen) {
      assert(reopen !== undefined, 'this case needs reopen');
      const first = await open();
      await first.receipts.put(stream, FORMAT, TEXT);
      const second = await reopen(first);
      try {
        assertEqual(await second.receipts.find(stream, FORMAT), TEXT, 'found');
        assertEqual(await second.receipts.put(stream, FORMAT, 'another'), TEXT, 'the first');
      } finally {
        await second.close();
      }
    },
  },
];
