/**
 * The writing half: runs on the writer thread, owns the only connection that writes.
 *
 * W1. A batch is one transaction. A failure before COMMIT is rolled back and the rollback is verified; then certainly
 *     nothing is stored.
 * W2. If the rollback cannot be verified, or COMMIT itself fails, the outcome is unknown and this writer never writes
 *     again: a COMMIT that "failed" in its fsync was found alive after a crash in every one of 40 tries.
 */
import { createAppender, Refused, single } from './appender.js';
import type { Database } from './driver.js';
import { Unpacker } from './pack.js';
import { messageOf, ResultCode, resultCode, SqliteError } from './sqlite-error.js';

export type CommitReply =
  | { readonly kind: 'stored'; readonly first: number }
  | { readonly kind: 'conflict'; readonly streams: readonly string[] }
  | { readonly kind: 'notStored'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Writer {
  /** The last position in the file. */
  position(): number;
  commit(packedAppends: Uint8Array): CommitReply;
  seen(packedQuestions: Uint8Array): Uint8Array<ArrayBuffer>;
  /** How many bytes of payload are stored, the batches before included. */
  usage(packedQuestion: Uint8Array): number;
}

const UNIQUE = 2067;
const PRIMARY_KEY = 1555;

export function createWriter(db: Database): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  const appender = createAppender(db);
  let dead: string | undefined;

  function commit(packed: Uint8Array): CommitReply {
    if (dead !== undefined) return die(dead);
    const first = appender.position() + 1;
    try {
      begin.run([]);
      const u = new Unpacker(packed);
      while (!u.done) appender.append(u);
      appender.finish();
    } catch (thrown) {
      return undo(thrown);
    }
    try {
      end.run([]);
    } catch (thrown) {
      return die(`COMMIT failed: ${messageOf(thrown)}`);
    }
    appender.keep();
    return { kind: 'stored', first };
  }

  function undo(thrown: unknown): CommitReply {
    appender.forget();
    const flaw = rollBack();
    if (flaw !== undefined) return die(`${messageOf(thrown)}, and the rollback failed: ${flaw}`);
    if (thrown instanceof Refused || isUniqueViolation(thrown)) return { kind: 'conflict', streams: [] };
    const full = resultCode(thrown) === ResultCode.FULL;
    return {
      kind: 'notStored',
      reason: full ? 'the disk of the data folder is full; free some space' : messageOf(thrown),
    };
  }

  /** Says what is wrong, or nothing when the transaction is certainly gone. */
  function rollBack(): string | undefined {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite ends the transaction itself on some errors; what counts is checked next.
    }
    try {
      // BEGIN would fail inside a transaction, and the file must end where it did before.
      db.exec('BEGIN');
      const last = single(db, 'SELECT coalesce(max(pos), 0) FROM entries');
      db.exec('ROLLBACK');
      return last === appender.position()
        ? undefined
        : `the file ends at ${last}, not ${appender.position()}`;
    } catch (thrown) {
      return messageOf(thrown);
    }
  }

  function die(reason: string): CommitReply {
    dead = reason;
    return { kind: 'unknown', reason };
  }

  return { position: appender.position, commit, seen: appender.seen, usage: appender.usage };
}

function isUniqueViolation(thrown: unknown): boolean {
  return thrown instanceof SqliteError && (thrown.extended === UNIQUE || thrown.extended === PRIMARY_KEY);
}
