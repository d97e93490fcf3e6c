/** Reading a body: bounded in bytes before it is kept, and in depth before it is parsed. */
import { type Codec, type Rejection, RejectionCode, reject } from '@handover/core';
import type { Outcome, Refused } from '../../services/outcome.js';
import type { HttpContext } from './http-types.js';
import { jsonDepth } from './json-depth.js';

/** No valid body is nested more than a handful of levels. */
const MAX_DEPTH = 32;
const ENVELOPE_ROOM = 128 * 1024;
const EMPTY = new Uint8Array(0);

/** A payload in base64, and room for the rest of the envelope. */
export function bodyLimit(maxPayloadBytes: number): number {
  return Math.ceil(maxPayloadBytes / 3) * 4 + ENVELOPE_ROOM;
}

export async function readBody(c: HttpContext, limit: number): Promise<Outcome<Uint8Array>> {
  try {
    const bytes = await bytesOf(c, limit);
    c.set('received', true);
    return bytes ? { value: bytes } : { rejection: tooLarge(limit) };
  } catch {
    return invalid('the body did not arrive whole');
  }
}

/** An empty body is undefined. */
export function parseJson(bytes: Uint8Array, codec: Codec): Outcome<unknown> {
  if (bytes.length === 0) return { value: undefined };
  const text = codec.text(bytes);
  if (text === undefined) return invalid('the body is not UTF-8');
  if (jsonDepth(text, MAX_DEPTH) > MAX_DEPTH)
    return invalid(`the body is nested more than ${MAX_DEPTH} deep`);
  try {
    return { value: JSON.parse(text) };
  } catch {
    return invalid('the body is not JSON');
  }
}

/** Undefined when the body is larger than the limit. Node enforces a length that the client announces. */
async function bytesOf(c: HttpContext, limit: number): Promise<Uint8Array | undefined> {
  const announced = c.req.header('content-length');
  if (announced !== undefined) {
    if (!(Number(announced) <= limit)) return undefined;
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    return bytes.length <= limit ? bytes : undefined;
  }
  const stream = c.req.raw.body;
  return stream ? counted(stream, limit) : EMPTY;
}

async function counted(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
}

function tooLarge(limit: number): Rejection {
  return reject(RejectionCode.PAYLOAD_TOO_LARGE, `the body has more than ${limit} bytes`);
}

function invalid(message: string): Refused {
  return { rejection: reject(RejectionCode.INVALID_ENVELOPE, message) };
}
