/**
 * The table of secrets that were handed out. It lives on the writer's connection, each change a transaction of its own
 * between batches; the log and its positions know nothing of it.
 */
import type { StreamKind, StreamRef } from '@handover/core';
import type { CredentialRecord, CredentialStore } from '@handover/engine';
import type { Database } from './driver.js';
import type { Request } from './protocol.js';
import { blob, integer } from './rows.js';

export type CredentialRequest =
  | { readonly verb: 'credential.put'; readonly record: CredentialRecord }
  | { readonly verb: 'credential.find'; readonly kind: StreamKind; readonly id: string }
  | { readonly verb: 'credential.revoke'; readonly stream: StreamRef }
  | { readonly verb: 'credential.erase'; readonly stream: StreamRef }
  | { readonly verb: 'credential.purge'; readonly upTo: number };

export function isCredentialRequest(request: Request): request is CredentialRequest {
  return request.verb.startsWith('credential.');
}

const ONE_STREAM = 'kind = ? AND name = ? AND tenant = ?';

export function createCredentialTable(db: Database): (request: CredentialRequest) => unknown {
  const insert = db.prepare('INSERT INTO credentials VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const find = db.prepare(
    `SELECT CAST(tenant AS BLOB), CAST(hash AS BLOB), CAST(rights AS BLOB), CAST(expires_at AS INTEGER),
     CAST(revoked AS INTEGER), CAST(sealed AS BLOB) FROM credentials WHERE kind = ? AND name = ?`,
  );
  const revoke = db.prepare(`UPDATE credentials SET revoked = 1, sealed = NULL WHERE ${ONE_STREAM}`);
  const erase = db.prepare(`UPDATE credentials SET sealed = NULL WHERE ${ONE_STREAM}`);
  const expired = db.prepare('SELECT count(*) FROM credentials WHERE expires_at <= ?');
  const purge = db.prepare('DELETE FROM credentials WHERE expires_at <= ?');

  return (request) => {
    switch (request.verb) {
      case 'credential.put': {
        const { stream, hash, rights, expiresAt, revoked, sealed } = request.record;
        insert.run([...named(stream), utf8(hash), utf8(rights), expiresAt, revoked ? 1 : 0, sealed]);
        return undefined;
      }
      case 'credential.find':
        return find
          .all([utf8(request.kind), utf8(request.id)])
          .map((row) => recordOf(row, request.kind, request.id));
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

/** The verbs of the port, over the writer thread. */
export function createCredentialVerbs(
  ask: (request: CredentialRequest) => Promise<unknown>,
): CredentialStore {
  return {
    put: async (record) => void (await ask({ verb: 'credential.put', record })),
    find: async (kind, id) =>
      (await ask({ verb: 'credential.find', kind, id })) as readonly CredentialRecord[],
    revoke: async (stream) => void (await ask({ verb: 'credential.revoke', stream })),
    erase: async (stream) => void (await ask({ verb: 'credential.erase', stream })),
    purge: async (upTo) => Number(await ask({ verb: 'credential.purge', upTo })),
  };
}

const named = ({ kind, id, tenant }: StreamRef) => [utf8(kind), utf8(id), utf8(tenant)];
const utf8 = (value: string): Uint8Array => Buffer.from(value, 'utf8');
const text = (value: unknown): string => Buffer.from(blob(value)).toString();
