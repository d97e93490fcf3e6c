/** Server-sent events as text. JSON has no line ends of its own, so a value is always one data line. */
import type { Json } from '@handover/core';

export interface ServerSentEvent {
  readonly event: 'envelope' | 'error' | 'end';
  /** Where a client that comes again goes on; absent, it keeps the last one. */
  readonly id?: number;
  readonly data: Json;
}

export const HEARTBEAT = Buffer.from(':\n\n');

export function encodeEvent({ event, id, data }: ServerSentEvent): Buffer {
  const place = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
