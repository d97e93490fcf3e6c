/** The table of secrets that were handed out, as keyed hashes. No part of the log; each change is a transaction of its own. */
import type { StreamRef } from '@handover/core';
import type { CredentialRecord, CredentialStore } from '@handover/engine';
import { BEGIN, COMMIT, ROLLBACK } from './locks.js';
import type { Pool } from './pool.js';
import { bytes, integer, text } from './rows.js';
import type { Step, Value } from './stage.js';

const ONE_STREAM = 'kind = $1 AND name = $2 AND tenant = $3';
const PUT: Step = {
  name: 'put-credential',
  text: `INSERT INTO credentials (kind, name, tenant, hash, rights, expires_at, revoked, sealed)
    VALUES ($1, $2, $3, $4, $5, $6::int8, $7::boolean, $8::bytea)`,
};
/** Nobody puts another between the count and the insert. It is held for one flush, and links are not made often. */
const LOCK: Step = { name: 'lock-credentials', text: 'LOCK TABLE credentials IN SHARE ROW EXCLUSIVE MODE' };
const ALIKE: Step = {
  name: 'count-credentials',
  text: `SELECT count(*) FROM credentials WHERE ${ONE_STREAM} AND rights = $4`,
};
const REMOVE: Step = {
  name: 'remove-credential',
  text: `DELETE FROM credentials WHERE ${ONE_STREAM} AND hash = $4`,
};
const FIND: Step = {
  name: 'find-credentials',
  text: `SELECT tenant, hash, rights, expires_at, revoked::text, sealed FROM credentials WHERE kind = $1 AND name = $2
    ORDER BY tenant, hash`,
};
const REVOKE: Step = {
  name: 'revoke-credentials',
  text: `UPDATE credentials SET revoked = true, sealed = NULL WHERE ${ONE_STREAM}`,
};
const ERASE: Step = {
  name: 'erase-credentials',
  text: `UPDATE credentials SET sealed = NULL WHERE ${ONE_STREAM}`,
};
const PURGE: Step = {
  name: 'purge-credentials',
  text: `WITH gone AS (DELETE FROM credentials WHERE expires_at <= $1::int8 RETURNING 1) SELECT count(*) FROM gone`,
};

export function createCredentials(pool: Pool): CredentialStore {
  const change = (step: Step, values: readonly Value[]) =>
    pool.change('the change of a link', async (connection) => {
      await connection.run([{ ...step, values }]);
    });
  return {
    put: (record) => change(PUT, columns(record)),
    putWithin: (record, most) =>
      pool.change('the link', async (connection) => {
        const counted = { ...ALIKE, values: [...named(record.stream), record.rights] };
        try {
          const done = await connection.run([BEGIN, LOCK, counted]);
          const isRoom = integer(done[2]?.rows[0]?.[0]) < most;
          await connection.run(isRoom ? [{ ...PUT, values: columns(record) }, COMMIT] : [ROLLBACK]);
          return isRoom;
        } catch (thrown) {
          if (!connection.isLost) await connection.run([ROLLBACK]);
          throw thrown;
        }
      }),
    remove: (stream, hash) => change(REMOVE, [...named(stream), hash]),
    async find(kind, id) {
      const [done] = await pool.read([{ ...FIND, values: [kind, id] }]);
      return (done?.rows ?? []).map(([tenant, hash, rights, expiresAt, revoked, sealed]) => ({
        stream: { tenant: text(tenant), kind, id } as StreamRef,
        hash: text(hash),
        rights: text(rights),
        expiresAt: integer(expiresAt),
        revoked: revoked === 'true',
        sealed: sealed === null ? null : bytes(sealed),
      }));
    },
    revoke: (stream) => change(REVOKE, named(stream)),
    erase: (stream) => change(ERASE, named(stream)),
    purge: (upTo) =>
      pool.change('the removal of expired links', async (connection) => {
        const [done] = await connection.run([{ ...PURGE, values: [upTo] }]);
        return integer(done?.rows[0]?.[0]);
      }),
  };
}

function columns({ stream, hash, rights, expiresAt, revoked, sealed }: CredentialRecord): Value[] {
  return [...named(stream), hash, rights, expiresAt, String(revoked), sealed && Buffer.from(sealed)];
}

const named = ({ kind, id, tenant }: StreamRef): Value[] => [kind, id, tenant];
