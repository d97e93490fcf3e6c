/** What the store of credentials promises: it finds, revokes and erases them, and removes them when they expire. */

import { StreamKind } from '@handover/core';
import { BEGINNING } from '../cursor.js';
import type { CredentialRecord } from '../store.js';
import { assert, assertEqual, type ContractCase, onStore } from './case.js';
import { bytes, hex, streamRef } from './fixtures.js';

const stream = streamRef('op_1', 'tenant-a', StreamKind.Operation);

function record(over: Partial<CredentialRecord> = {}): CredentialRecord {
  return {
    stream,
    hash: hex(7),
    rights: 'view act',
    expiresAt: 100,
    revoked: false,
    sealed: bytes(40),
    ...over,
  };
}

export const credentialCases: readonly ContractCase[] = [
  onStore('a credential is found by kind and id, whatever its tenant', async (s) => {
    await s.credentials.put(record());
    await s.credentials.put(
      record({ stream: streamRef('op_2', 'tenant-a', StreamKind.Operation), sealed: null }),
    );
    assertEqual(await s.credentials.find(StreamKind.Operation, 'op_1'), [record()], 'found');
    assertEqual(await s.credentials.find(StreamKind.Session, 'op_1'), [], 'another kind');
    assertEqual((await s.credentials.find(StreamKind.Operation, 'op_2'))[0]?.sealed, null, 'nothing sealed');
    assertEqual(await s.behind(BEGINNING), 0, 'the log does not move');
  }),
  onStore('of several at once no more are put than a stream may have, of one kind of rights', async (s) => {
    await s.credentials.put(record({ rights: 'other' }));
    const put = await Promise.all(
      [1, 2, 3, 4].map((n) => s.credentials.putWithin(record({ hash: hex(n) }), 2)),
    );
    assertEqual(put.filter((one) => one).length, 2, 'put');
    const elsewhere = streamRef('op_1', 'tenant-b', StreamKind.Operation);
    assert(await s.credentials.putWithin(record({ stream: elsewhere }), 1), 'another tenant');
    assertEqual((await s.credentials.find(StreamKind.Operation, 'op_1')).length, 4, 'found');
  }),
  onStore('one that is removed makes room, and takes nothing else with it', async (s) => {
    await s.credentials.put(record());
    await s.credentials.put(record({ hash: hex(8) }));
    await s.credentials.remove(stream, hex(7));
    await s.credentials.remove(stream, hex(9));
    await s.credentials.remove(streamRef('op_1', 'tenant-b', StreamKind.Operation), hex(8));
    const left = [record({ hash: hex(8) })];
    assertEqual(await s.credentials.find(StreamKind.Operation, 'op_1'), left, 'left');
    assert(await s.credentials.putWithin(record(), 2), 'room');
  }),
  onStore('erasing keeps the credential, revoking takes it back', async (s) => {
    await s.credentials.put(record());
    await s.credentials.erase(stream);
    assertEqual(await s.credentials.find(StreamKind.Operation, 'op_1'), [record({ sealed: null })], 'erased');
    await s.credentials.revoke(stream);
    const revoked = [record({ sealed: null, revoked: true })];
    assertEqual(await s.credentials.find(StreamKind.Operation, 'op_1'), revoked, 'revoked');
    await s.credentials.revoke(streamRef('op_9', 'tenant-a', StreamKind.Operation));
  }),
  onStore('what has expired is removed, and nothing else', async (s) => {
    await s.credentials.put(record());
    await s.credentials.put(record({ hash: hex(8), expiresAt: 101 }));
    assertEqual(await s.credentials.purge(100), 1, 'removed');
    const left = await s.credentials.find(StreamKind.Operation, 'op_1');
    assertEqual(
      left.map(({ hash }) => hash),
      [hex(8)],
      'left',
    );
  }),
  {
    name: 'a credential survives a restart',
    skipWithoutReopen: 'this store lasts as long as its process',
    async run(open, reopen) {
      assert(reopen !== undefined, 'this case needs reopen');
      const first = await open();
      await first.credentials.put(record());
      const second = await reopen(first);
      try {
        assertEqual(await second.credentials.find(StreamKind.Operation, 'op_1'), [record()], 'found');
      } finally {
        await second.close();
      }
    },
  },
];
