/**
 * What the store's threads hand to one another, and what it makes of a row whose bytes are not what was stored: an
 * entry, or DATA_LOSS, and nothing else.
 */
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, type Entry, FaultCode, HandoverError, StreamKind } from '@handover/core';
import {
  packAppends,
  unpackEntries,
  unpackFeed,
  unpackListed,
} from '../../../packages/server/src/store/sqlite/messages.js';
import { Packer, Unpacker } from '../../../packages/server/src/store/sqlite/pack.js';
import {
  packEntryRow,
  packHeadRow,
  packListedRow,
  packRefRow,
} from '../../../packages/server/src/store/sqlite/rows.js';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json } from '../values/json.js';
import type { Random } from '../values/random.js';
import { mutateBytes, mutateText, text, word } from '../values/texts.js';

const STREAM = { tenant: 'default', kind: StreamKind.Session, id: 's' } as const;
const utf8 = (of: string): Buffer => Buffer.from(of);

/** The columns of one entry: numbers as they are, everything else as base64. */
function row(random: Random): Json[] {
  const facts = canonicalJson(json(random) as never);
  const texts = [word(random), word(random)];
  const hashes = Array.from({ length: 3 }, () => Buffer.from(random.bytes(32)));
  const blobs = [...texts.map(utf8), ...hashes, utf8(random.oneIn(4) ? mutateText(random, facts) : facts)];
  const damaged = blobs.map((blob) => (random.oneIn(12) ? Buffer.from(mutateBytes(random, blob)) : blob));
  const base64 = damaged.map((blob) => blob.toString('base64'));
  const seq = random.oneIn(8) ? random.between(0, 3) : 1;
  const tail = [random.bytes(16), random.bytes(random.size(200))].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  );
  return [seq, random.word(), utf8(word(random)).toString('base64'), 1, ...base64, ...tail].map((value) =>
    random.oneIn(60) ? random.pick<Json>([null, 1.5, 2 ** 60, '']) : value,
  );
}

export const store = decoderTarget({
  name: 'store',
  generate: (random) => ({ row: row(random), text: text(random) }),
  check(input) {
    const { row: columns, text: said } = input as { row: Json[]; text: string };
    const values = columns.map((value) =>
      typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value,
    );
    const p = new Packer();
    const entries = orLoss(() => {
      packEntryRow(p, values);
      return unpackEntries(p.finish(), STREAM, 0);
    });
    if (typeof entries === 'string') return entries;
    for (const entry of entries ?? [])
      if (!isWhole(entry)) return 'an entry without facts passed for a stored one';
    return feedFlaw(values) ?? listFlaw(values) ?? packFlaw(entries?.[0], said);
  },
});

const isWhole = ({ facts }: Entry): boolean =>
  typeof facts === 'object' && facts !== null && !Array.isArray(facts);

function orLoss<T>(work: () => T): T | string | undefined {
  try {
    return work();
  } catch (thrown) {
    const isLoss = thrown instanceof HandoverError && thrown.code === FaultCode.DATA_LOSS;
    return isLoss ? undefined : `a damaged row gives ${String(thrown)}`;
  }
}

function feedFlaw(values: readonly unknown[]): string | undefined {
  const read = orLoss(() => {
    const p = new Packer().number(7);
    packRefRow(p, [values[2], values[4], values[5]]);
    packHeadRow(p, values);
    return unpackFeed(p.finish());
  });
  return typeof read === 'string' ? read : undefined;
}

function listFlaw(values: readonly unknown[]): string | undefined {
  const read = orLoss(() => {
    const p = new Packer();
    packListedRow(p, [values[2], values[4], values[5], values[0], values[9], null, values[9]]);
    return unpackListed(p.finish());
  });
  return typeof read === 'string' ? read : undefined;
}

/** The way in: what the writer unpacks is what the engine packed. */
function packFlaw(entry: Entry | undefined, said: string): string | undefined {
  const p = new Packer(1).text(said).nullable(null).bytes(utf8(said));
  const u = new Unpacker(p.finish());
  const read = [u.text(), u.nullable(), Buffer.from(u.bytes())];
  if (!isDeepStrictEqual(read, [utf8(said).toString(), null, utf8(said)]))
    return 'a text does not come back the same';
  if (!entry || [entry.payloadHash, entry.prev, entry.hash].some((hash) => hash.length !== 64))
    return undefined;
  const packed = packAppends([{ stream: STREAM, involved: [], entries: [entry] }]);
  const from = new Unpacker(packed);
  for (let part = 0; part < 3; part++) from.text();
  from.number();
  const count = from.number();
  return count === 1 && from.number() === entry.seq ? undefined : 'an entry does not come back the same';
}
