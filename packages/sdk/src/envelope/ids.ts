import { randomUUID } from 'node:crypto';

/** A fresh session id (UUID v4). */
export function newSessionId(): string {
  return randomUUID();
}

/** A fresh message id (UUID v4). */
export function newMessageId(): string {
  return randomUUID();
}

/** A fresh commitment id (UUID v4). */
export function newCommitmentId(): string {
  return randomUUID();
}

/** The clock of this machine, in milliseconds. */
export function nowUnixMs(): number {
  return Date.now();
}
