/** Server-sent events of the binding: a message has no event name, and no time to wait is set. */
import { type BindingError, errorBody } from './errors.js';

export const KEEPALIVE = Buffer.from(': keepalive\n\n');
/** Beats of the door's streams, one every 15 seconds, that pass in silence before it. */
export const KEEPALIVE_BEATS = 3;

/** `json` has no line ends. */
export function messageEvent(json: string, id?: number): Buffer {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}data: ${json}\n\n`);
}

export function errorEvent(error: BindingError): Buffer {
  return Buffer.from(`event: error\ndata: ${errorBody(error)}\n\n`);
}
