/** Server-sent events as text. `JSON.stringify` writes no line ends, so a value is always one data line. */
import type { Json } from '@handover/core';

export interface ServerSentEvent {
  readonly event: 'envelope' | 'error' | 'end';
  /** A client that reconnects goes on after this id. Without one, it keeps the id of the event before. */
  readonly id?: number;
  readonly data: Json;
}

export const HEARTBEAT = Buffer.from(':\n\n');

export function encodeEvent({ event, id, data }: ServerSentEvent): Buffer {
  const place = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
