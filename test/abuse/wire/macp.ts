/** Messages of MACP that are as heavy as they may be. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import { codec } from '../../kit/codec.js';
import { context, envelopeOf, offer, start } from '../../kit/envelopes.js';
import { GrpcClient } from '../../kit/grpc-client.js';

/** A little less than the largest payload. */
const HEAVY_BYTES = 1_048_576 - 1_024;

export const heavySignal = (sender: string): Envelope => signal(sender, HEAVY_BYTES);

export function signal(sender: string, bytes: number): Envelope {
  const data = new Uint8Array(bytes);
  const payload = codec.encode('Signal', {
    signalType: 'noise',
    data,
    confidence: 1,
    correlationSessionId: '',
  });
  return envelopeOf('', sender, 'Signal', payload, { mode: '' });
}

export const heavyContext = (sessionId: string, sender: string): Envelope =>
  context(sessionId, 'h1', 'x'.repeat(HEAVY_BYTES), sender);

/** Starts a session with an offer and so many megabytes of context. */
export async function heavySession(client: GrpcClient, sender: string, target: string, megabytes: number) {
  const sessionId = randomUUID();
  const begin = start(sessionId, sender, { participants: [sender, target], ttlMs: 3_600_000 });
  for (const envelope of [begin, offer(sessionId, 'h1', target, sender)]) await sent(client, envelope);
  for (let n = 0; n < megabytes; n++) await sent(client, heavyContext(sessionId, sender));
  return sessionId;
}

async function sent(client: GrpcClient, envelope: Envelope): Promise<void> {
  const { ok, error } = await client.send(envelope);
  if (!ok) throw new Error(`${envelope.messageType}: ${error?.code}`);
}

/** The code of the Ack, of the status, or `OK`. */
export async function codeOfSend(client: GrpcClient, envelope: Envelope): Promise<string> {
  try {
    const { ok, error } = await client.send(envelope);
    return ok ? 'OK' : (error?.code ?? 'refused');
  } catch (thrown) {
    return status[(thrown as { code?: number }).code ?? status.UNKNOWN] ?? 'UNKNOWN';
  }
}

export const grpcAs = (grpc: string, bearer: string | null): GrpcClient => new GrpcClient(grpc, { bearer });
