/** H16: how a client learns when to come again, and how soon a developer meets the limit. */
import { randomUUID } from 'node:crypto';
import { Client, credentials, Metadata, type StatusObject } from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import { decodeAckResponse, encodeSendRequest, methods } from '@handover/wire';
import { start } from '../../kit/envelopes.js';
import { Token } from '../arena/identities.js';
import type { Attack } from '../attack.js';
import { startJson } from '../bodies/json.js';
import { bearer, post } from '../wire/http.js';

const STARTS = 61;

export const startLimits: Attack = {
  row: 'H16',
  title: 'limits that say too little',

  async probe({ serve, launch, say }) {
    const { grpc, http } = await serve();
    say(
      `start ${STARTS} of an agent in a minute over gRPC: ${await lastStart(grpc, Token.attacker, 'attacker')}`,
    );
    const body = startJson('"participants":["attacker","b"]');
    const { status, headers, text } = await post(`${http}/macp/envelope`, body, bearer(Token.attacker));
    const { error } = JSON.parse(text) as { error?: { details?: unknown } };
    say(
      `the next over HTTP: ${status}, retry-after ${headers['retry-after'] ?? 'absent'}, details ${JSON.stringify(error?.details ?? 'absent')}`,
    );
    const dev = await launch({ env: {}, args: ['--dev'] });
    say(`start ${STARTS} in dev mode: ${await lastStart(dev.grpc, 'attacker', 'attacker')}`);
  },
};

async function lastStart(grpc: string, token: string, sender: string): Promise<string> {
  const client = new Client(grpc, credentials.createInsecure());
  let last = '';
  for (let n = 0; n < STARTS; n++)
    last = await sent(client, token, start(randomUUID(), sender, { participants: [sender, 'b'] }));
  client.close();
  return last;
}

/** The Ack and the trailers. */
function sent(client: Client, token: string, envelope: Envelope): Promise<string> {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return new Promise((resolve) => {
    let shown = '';
    const call = client.makeUnaryRequest(
      methods.send.path,
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => bytes,
      encodeSendRequest(envelope),
      metadata,
      (failure, bytes) => {
        const ack = bytes && decodeAckResponse(bytes);
        const details = Buffer.from(ack?.error?.details ?? []).toString('utf8');
        shown = ack?.ok ? 'OK' : `${ack?.error?.code ?? failure?.code}, details ${details || 'empty'}`;
      },
    );
    call.on('status', ({ metadata: trailers }: StatusObject) => {
      const [wait] = trailers.get('retry-after');
      setImmediate(() =>
        resolve(shown === 'OK' ? shown : `${shown}, retry-after in the trailers ${wait ?? 'absent'}`),
      );
    });
  });
}
