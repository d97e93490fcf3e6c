/**
 * The file of the outbox. A person may have edited it, and a disk may have damaged it: every value is checked, and a
 * file with a wrong one is set aside, so that the server starts all the same.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { isFields } from '@handover/core';
import { type Cursor, cursorFrom } from '@handover/engine';
import { type DeadLetter, type Delivery, type WebhookEvent, WebhookEventType } from './types.js';

export const OUTBOX_FILE = 'webhooks.json';
export const OUTBOX_FORMAT = 'handover-webhooks@2';
/** As 0.1.0 wrote it: the cursor was a number. */
const OLDER_FORMAT = 'handover-webhooks@1';

export interface StoredOutbox {
  readonly format: typeof OUTBOX_FORMAT;
  /** Null: no address was configured. Addresses that are configured later are told what happens from then on. */
  readonly cursor: Cursor | null;
  readonly pending: readonly Delivery[];
  readonly dead: readonly DeadLetter[];
}

/** Undefined when there is no file, or when something in it is wrong. */
export function readOutbox(path: string): StoredOutbox | undefined {
  try {
    return parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Reads the file. One that is there and cannot be used gets another name, which is returned. */
export function takeOutbox(path: string): StoredOutbox | { readonly setAside: string } | undefined {
  if (!existsSync(path)) return undefined;
  const stored = readOutbox(path);
  if (stored) return stored;
  renameSync(path, `${path}.unreadable`);
  return { setAside: `${OUTBOX_FILE}.unreadable` };
}

function parse(stored: unknown): StoredOutbox | undefined {
  if (!isFields(stored)) return undefined;
  const { pending, dead } = stored;
  const cursor = storedCursor(stored.format, stored.cursor);
  const whole = cursor !== undefined && isListOf(pending, isDelivery) && isListOf(dead, isDeadLetter);
  return whole ? { format: OUTBOX_FORMAT, cursor, pending, dead } : undefined;
}

/** Undefined when the format is unknown or the cursor does not fit the format. */
function storedCursor(format: unknown, cursor: unknown): Cursor | null | undefined {
  if (format !== OUTBOX_FORMAT && format !== OLDER_FORMAT) return undefined;
  if (cursor === null) return null;
  if (format === OUTBOX_FORMAT) return typeof cursor === 'string' ? cursorFrom(cursor) : undefined;
  return Number.isSafeInteger(cursor) ? cursorFrom(String(cursor)) : undefined;
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

const TYPES: ReadonlySet<unknown> = new Set(Object.values(WebhookEventType));
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function isEvent(value: unknown): value is WebhookEvent {
  if (!isFields(value)) return false;
  const { id, type, at, tenant, data } = value;
  return isText(id) && TYPES.has(type) && isCount(at) && isText(tenant) && isFields(data);
}

function isDelivery(value: unknown): value is Delivery {
  if (!isFields(value)) return false;
  const { event, endpointId, attempts, nextAt } = value;
  return isEvent(event) && isText(endpointId) && isCount(attempts) && isCount(nextAt);
}

function isDeadLetter(value: unknown): value is DeadLetter {
  if (!isFields(value)) return false;
  const { event, endpointId, url, attempts, failedAt, reason } = value;
  return (
    isEvent(event) &&
    isText(endpointId) &&
    isText(url) &&
    isCount(attempts) &&
    isCount(failedAt) &&
    isText(reason)
  );
}
