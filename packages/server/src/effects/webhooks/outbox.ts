/**
 * What is left to deliver, and how far the feed has been read.
 *
 * B1. Everything in the feed up to `cursor` has been delivered, given up, or is in `pending`. The three are written
 *     together, whole or not at all, in a small file of the data folder.
 * B2. The file may be behind: after a crash some deliveries are made again, under the same id. It is never ahead.
 * B3. Both lists are bounded: a full `pending` stops the reading of the feed, a full `dead` forgets its oldest.
 *
 * It is a file and not part of the log for three reasons: no decision depends on it, it may change several times a
 * second, and a server that is started on a copy of the log must not call anybody.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cursor } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { OUTBOX_FILE, OUTBOX_FORMAT, readOutbox, type StoredOutbox, takeOutbox } from './outbox-file.js';
import type { DeadLetter, Delivery } from './types.js';

const SAVE_MS = 200;

export class Outbox {
  readonly pending = new Set<Delivery>();
  cursor: Cursor;
  #dead: DeadLetter[];
  readonly #path: string | undefined;
  readonly #log: Log;
  #saving: NodeJS.Timeout | undefined;
  #retired = false;

  /** Without a folder the outbox ends with the process. `from` is where to begin when there is no bookmark. */
  constructor(folder: string | undefined, from: Cursor, log: Log) {
    this.#path = folder === undefined ? undefined : join(folder, OUTBOX_FILE);
    this.#log = log;
    const stored = this.#path === undefined ? undefined : load(this.#path, log);
    this.cursor = stored?.cursor ?? from;
    this.#dead = [...(stored?.dead ?? [])];
    for (const delivery of stored?.pending ?? []) this.pending.add(delivery);
  }

  get dead(): readonly DeadLetter[] {
    return this.#dead;
  }

  get isFull(): boolean {
    return this.pending.size >= fixedLimits.webhooksPending.value;
  }

  /** Saves at once where it begins. Otherwise a crash before the first save would make the next start begin later. */
  begin(at: Cursor): void {
    this.cursor = at;
    this.#save();
  }

  /** Notes how far the feed has been read, and the deliveries that came of it. */
  advance(cursor: Cursor, deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) this.pending.add(delivery);
    this.cursor = cursor;
    this.#changed();
  }

  /** Removes a delivery. With `next`, it is to be tried again later. */
  settle(delivery: Delivery, next?: Delivery): void {
    this.pending.delete(delivery);
    if (next) this.pending.add(next);
    this.#changed();
  }

  giveUp(delivery: Delivery, letter: DeadLetter): void {
    this.#dead = [...this.#dead, letter].slice(-fixedLimits.webhooksDead.value);
    this.settle(delivery);
  }

  /** No address is configured any more: forgets the place in the feed and keeps the dead letters. */
  retire(): void {
    this.#retired = true;
    if (this.#path !== undefined && existsSync(this.#path)) this.#changed();
  }

  close(): void {
    if (this.#saving === undefined) return;
    clearTimeout(this.#saving);
    this.#save();
  }

  #changed(): void {
    this.#saving ??= setTimeout(() => this.#save(), SAVE_MS);
  }

  #save(): void {
    this.#saving = undefined;
    if (this.#path === undefined) return;
    const stored: StoredOutbox = {
      format: OUTBOX_FORMAT,
      cursor: this.#retired ? null : this.cursor,
      pending: [...this.pending],
      dead: this.#dead,
    };
    try {
      writeFileAtomic(this.#path, `${JSON.stringify(stored)}\n`);
    } catch (error) {
      // The bookmark stays behind, so some deliveries may be repeated.
      this.#log.error('webhooks.not_saved', { error });
    }
  }
}

/** For `handover webhooks dead` without a running server. */
export function readDeadLetters(folder: string): readonly DeadLetter[] {
  return readOutbox(join(folder, OUTBOX_FILE))?.dead ?? [];
}

function load(path: string, log: Log): StoredOutbox | undefined {
  const taken = takeOutbox(path);
  if (taken === undefined || !('setAside' in taken)) return taken;
  log.error('webhooks.bookmark_lost', { file: taken.setAside });
  return undefined;
}
