/** Every gRPC method, with metadata of any kind, half-closed and cancelled calls. */
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { type Ack, decodeAckResponse, decodeStreamFrame, methods } from '@handover/wire';
import type { Flaw } from '../target.js';
import { bytesOf, type GrpcCase, grpcCase } from './grpc-cases.js';
import { saw } from './outcomes.js';
import { serverTarget } from './server-target.js';
import type { ServerUnderTest } from './server-under-test.js';

const DEADLINE_MS = 15_000;
/** Codes with which a server admits that something went wrong inside. */
const INSIDE = new Set<status>([status.INTERNAL, status.UNKNOWN, status.DATA_LOSS]);
const INTERNAL = 'INTERNAL_ERROR';

export const grpc = serverTarget<GrpcCase>({ name: 'grpc', generate: grpcCase, send: sendGrpc });

function metadataOf(one: GrpcCase, server: ServerUnderTest): Metadata {
  const metadata = new Metadata();
  const bearer = server.bearer(one.as);
  if (bearer !== undefined) metadata.set('authorization', `Bearer ${bearer}`);
  for (const [name, value] of one.metadata)
    try {
      metadata.set(name, name.endsWith('-bin') ? Buffer.from(value) : value);
    } catch {
      // The client refuses to send it.
    }
  return metadata;
}

async function sendGrpc(one: GrpcCase, server: ServerUnderTest): Promise<Flaw | undefined> {
  const options = { 'grpc.use_local_subchannel_pool': 1 };
  const client = new Client(server.grpc, credentials.createInsecure(), options);
  const { path, name, responseStream, requestStream } = methods[one.method];
  const call = client.makeBidiStreamRequest<Uint8Array, Buffer>(
    one.other ?? path,
    (bytes) => Buffer.from(bytes),
    (bytes) => bytes,
    metadataOf(one, server),
    { deadline: Date.now() + DEADLINE_MS },
  );
  const ended = new Promise<{ code: status; details: string }>((resolve) => call.on('status', resolve));
  const codes = new Set<string>();
  call.on('error', () => {});
  call.on('data', (bytes: Buffer) => {
    for (const code of codesIn(one, bytes, server)) codes.add(code);
  });
  for (const part of one.parts) call.write(bytesOf(part, one.method));
  call.end();
  // Watches end when the client says so.
  const leaves = one.end === 'cancel' || one.other !== null || (responseStream && !requestStream);
  if (leaves) setTimeout(() => call.cancel(), one.afterMs);
  const { code, details } = await ended;
  client.close();
  saw('grpc', status[code]);
  return judge(one.other ?? name, code, details, leaves, codes, one);
}

/** The codes of refusals in an answer; what it names is kept for later. */
function codesIn(one: GrpcCase, bytes: Buffer, server: ServerUnderTest): readonly string[] {
  if (one.other !== null) return [];
  if (one.method === 'streamSession') {
    const frame = decodeStreamFrame(bytes);
    return frame?.kind === 'error' ? [frame.error.code] : [];
  }
  const ack: Ack | undefined = decodeAckResponse(bytes);
  if (one.method !== 'send' || !ack) return [];
  if (ack.ok) server.known.add('session', ack.sessionId);
  saw('grpc', `Ack ${ack.error?.code ?? 'ok'}`);
  return ack.error ? [ack.error.code] : [];
}

function judge(
  name: string,
  code: status,
  details: string,
  left: boolean,
  codes: ReadonlySet<string>,
  { metadata }: GrpcCase,
): Flaw | undefined {
  const asksForLess = metadata.some(([key]) => key === 'grpc-timeout');
  if (code === status.DEADLINE_EXCEEDED && !asksForLess)
    return { kind: 'unanswered', what: `${name}: ${details}` };
  if (codes.has(INTERNAL)) return { kind: 'internal', what: `${name}: ${INTERNAL}` };
  const isGone = code === status.UNAVAILABLE && !left;
  return INSIDE.has(code) || isGone
    ? { kind: 'internal', what: `${name}: ${status[code]} ${details}` }
    : undefined;
}
