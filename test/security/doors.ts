/** One message through each way in, and the one thing they all say of it: `ok`, or the code of the refusal. */
import { type Envelope, envelopeToJson } from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { until } from '../kit/until.js';

export type Say = (envelope: Envelope, bearer: string) => Promise<string>;

export interface WaysIn {
  readonly send: Say;
  readonly stream: Say;
  readonly http: Say;
  close(): void;
}

export function waysInto(grpc: string, http: string): WaysIn {
  const client = new GrpcClient(grpc);
  return {
    send: async (envelope, bearer) => {
      const { ok, error } = await client.send(envelope, bearer);
      return ok ? 'ok' : (error?.code ?? '');
    },
    stream: (envelope, bearer) => sayOnStream(client, envelope, bearer),
    http: async (envelope, bearer) => {
      const response = await fetch(`${http}/macp/envelope`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body: JSON.stringify(envelopeToJson(envelope, codec)),
      });
      const { ok, error } = (await response.json()) as { ok: boolean; error?: { code: string } };
      return ok ? 'ok' : (error?.code ?? '');
    },
    close: () => client.close(),
  };
}

/**
 * A stream has no Acks. After the message comes one that is always refused inline: what was said before its refusal is
 * the answer, and silence means that it was accepted.
 */
async function sayOnStream(client: GrpcClient, envelope: Envelope, bearer: string): Promise<string> {
  const stream = client.stream(bearer);
  const last = { ...envelope, macpVersion: '0', messageId: `after-${envelope.messageId}` };
  stream.send(envelope).send(last);
  const errors = () => stream.frames.flatMap((frame) => (frame.kind === 'error' ? [frame.error] : []));
  await until(
    () => stream.ended !== undefined || errors().some(({ messageId }) => messageId === last.messageId),
  );
  const refusal = errors().find(({ messageId }) => messageId === envelope.messageId);
  const ended = stream.ended && (await stream.statusName());
  stream.cancel();
  return refusal?.code ?? ended ?? 'ok';
}
