/**
 * The table of secrets that were handed out. Changes run on the writer's connection, each a transaction of its own between
 * batches; look-ups run on the reader's. A change resolves after its commit, so a look-up that follows sees it. The log and
 * its positions know nothing of this table.
 */
import type { StreamKind, StreamRef } from '@handover/core';
import type { CredentialRecord, CredentialStore } from '@handover/engine';
import type { Database } from './driver.js';
import type { Request } from './protocol.js';
import { blob, integer } from './rows.js';

export interface FindCredentials {
  readonly verb: 'credential.find';
  readonly kind: StreamKind;
  readonly id: string;
}

export type ChangeCredentials =
  | { readonly verb: 'credential.put'; readonly record: CredentialRecord; readonly most?: number }
  | { readonly verb: 'credential.remove'; readonly stream: StreamRef; readonly hash: string }
  | { readonly verb: 'credential.revoke'; readonly stream: StreamRef }
  | { readonly verb: 'credential.erase'; readonly stream: StreamRef }
  | { readonly verb: 'credential.purge'; readonly upTo: number };

const CHANGES: ReadonlySet<string> = new Set<ChangeCredentials['verb']>([
  'credential.put',
  'credential.remove',
  'credential.revoke',
  'credential.erase',
  'credential.purge',
]);

export const changesCredentials = (request: Request): request is ChangeCredentials =>
  CHANGES.has(request.verb);

const ONE_STREAM = 'kind = ? AND name = ? AND tenant = ?';

/** The reading half. */
export function createCredentialFinder(
  db: Database,
): (request: FindCredentials) => readonly CredentialRecord[] {
  const find = db.prepare(
    `SELECT CAST(tenant AS BLOB), CAST(hash AS BLOB), CAST(rights AS BLOB), CAST(expires_at AS INTEGER),
     CAST(revoked AS INTEGER), CAST(sealed AS BLOB) FROM credentials WHERE kind = ? AND name = ?`,
  );
  return ({ kind, id }) => find.all([utf8(kind), utf8(id)]).map((row) => recordOf(row, kind, id));
}

/** The writing half. */
export function createCredentialTable(db: Database): (request: ChangeCredentials) => unknown {
  const insert = db.prepare('INSERT INTO credentials VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const alike = db.prepare(`SELECT count(*) FROM credentials WHERE ${ONE_STREAM} AND rights = ?`);
  const remove = db.prepare(`DELETE FROM credentials WHERE ${ONE_STREAM} AND hash = ?`);
  const revoke = db.prepare(`UPDATE credentials SET revoked = 1, sealed = NULL WHERE ${ONE_STREAM}`);
  const erase = db.prepare(`UPDATE credentials SET sealed = NULL WHERE ${ONE_STREAM}`);
  const expired = db.prepare('SELECT count(*) FROM credentials WHERE expires_at <= ?');
  const purge = db.prepare('DELETE FROM credentials WHERE expires_at <= ?');

  return (request) => {
    switch (request.verb) {
      case 'credential.put': {
        const { stream, hash, rights, expiresAt, revoked, sealed } = request.record;
        const { most = Number.POSITIVE_INFINITY } = request;
        // Changes come one after the other, so nothing is put between the count and the insert.
        if (integer(alike.all([...named(stream), utf8(rights)])[0]?.[0]) >= most) return false;
        insert.run([...named(stream), utf8(hash), utf8(rights), expiresAt, revoked ? 1 : 0, sealed]);
        return true;
      }
      case 'credential.remove':
        return remove.run([...named(request.stream), utf8(request.hash)]);
      case 'credential.revoke':
        return revoke.run(named(request.stream));
      case 'credential.erase':
        return erase.run(named(request.stream));
      case 'credential.purge': {
        const count = integer(expired.all([request.upTo])[0]?.[0]);
        purge.run([request.upTo]);
        return count;
      }
    }
  };
}

function recordOf(row: readonly unknown[], kind: StreamKind, id: string): CredentialRecord {
  const [tenant, hash, rights, expiresAt, revoked, sealed] = row;
  return {
    stream: { tenant: text(tenant), kind, id },
    hash: text(hash),
    rights: text(rights),
    expiresAt: integer(expiresAt),
    revoked: integer(revoked) === 1,
    sealed: sealed === null ? null : new Uint8Array(blob(sealed)),
  };
}

/** The verbs of the port, over the two threads. */
export function createCredentialVerbs(
  change: (request: ChangeCredentials) => Promise<unknown>,
  find: (request: FindCredentials) => Promise<unknown>,
): CredentialStore {
  return {
    put: async (record) => void (await change({ verb: 'credential.put', record })),
    putWithin: async (record, most) => (await change({ verb: 'credential.put', record, most })) === true,
    remove: async (stream, hash) => void (await change({ verb: 'credential.remove', stream, hash })),
    find: async (kind, id) =>
      (await find({ verb: 'credential.find', kind, id })) as readonly CredentialRecord[],
    revoke: async (stream) => void (await change({ verb: 'credential.revoke', stream })),
    erase: async (stream) => void (await change({ verb: 'credential.erase', stream })),
    purge: async (upTo) => Number(await change({ verb: 'credential.purge', upTo })),
  };
}

const named = ({ kind, id, tenant }: StreamRef) => [utf8(kind), utf8(id), utf8(tenant)];
const utf8 = (value: string): Uint8Array => Buffer.from(value, 'utf8');
const text = (value: unknown): string => Buffer.from(blob(value)).toString();
