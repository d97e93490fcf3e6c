/** An RPC with one answer: JSON to its message, the answer back to JSON. One that comes in parts is written as it comes. */
import { decodeMessage, encodeMessage, JsonInParts, messageToJson } from '@handover/wire';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import { LongWork } from '../../../platform/long-work.js';
import type { Rpc } from '../../../services/macp/rpc/rpc.js';
import { addressGroupOf } from '../client-address.js';
import type { HttpContext, RouteDependencies } from '../http-types.js';
import type { OneForEach } from '../one-for-each.js';
import { invalidRequest, JSON_TYPE, refusalAnswer } from './errors.js';
import { messageIn, readRequest } from './request.js';

/** Making a large answer takes several turns of the event loop. */
const LARGE_BYTES = 65_536;

export async function answerUnary(
  c: HttpContext,
  route: RouteDependencies,
  rpc: Rpc,
  inTurn: OneForEach | undefined,
): Promise<Response> {
  const asked = await readRequest(c, route, { open: rpc.open, streams: false });
  if (asked instanceof Response) return asked;
  const bytes = messageIn(c, rpc.input, asked.body);
  if (bytes instanceof Response) return bytes;
  const { caller } = asked;
  const make = () => answer(c, rpc, caller, bytes);
  return inTurn ? inTurn.run(nameOf(c, caller), make) : make();
}

async function answer(
  c: HttpContext,
  rpc: Rpc,
  caller: Principal | undefined,
  bytes: Uint8Array,
): Promise<Response> {
  // Its turn came too late for whoever asked.
  if (c.env?.outgoing?.destroyed) return c.body(null, 503);
  const request = decodeMessage(rpc.input, bytes);
  if (!request) return invalidRequest(c, 'the body is not the message of this method');
  let parts: JsonInParts | undefined;
  const answered = await rpc.answer(caller, request, (part) => {
    parts ??= new JsonInParts(rpc.output);
    parts.add(encodeMessage(rpc.output, part));
  });
  if ('rejection' in answered) {
    const { sessionId } = request as { readonly sessionId?: unknown };
    return refusalAnswer(c, answered.rejection, typeof sessionId === 'string' ? sessionId : '');
  }
  const message = encodeMessage(rpc.output, answered.value);
  if (parts) return c.body(await bytesOf(parts.pieces(message)), 200, JSON_TYPE);
  if (message.length > LARGE_BYTES) await new Promise((resolve) => setImmediate(resolve));
  return c.body(messageToJson(rpc.output, message) ?? '', 200, JSON_TYPE);
}

async function bytesOf(pieces: Iterable<string>): Promise<Uint8Array<ArrayBuffer>> {
  const work = new LongWork();
  const bytes: Uint8Array[] = [];
  for (const piece of pieces) {
    bytes.push(Buffer.from(piece));
    await work.did(piece.length);
  }
  return Buffer.concat(bytes);
}

function nameOf(c: HttpContext, caller: Principal | undefined): string {
  return caller ? callerKey(caller) : (addressGroupOf(c) ?? 'unknown');
}
