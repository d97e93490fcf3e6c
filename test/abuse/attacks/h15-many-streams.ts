/** H15: streams on one connection until another call on it gets no answer. */
import { randomUUID } from 'node:crypto';
import { start } from '../../kit/envelopes.js';
import type { GrpcClient } from '../../kit/grpc-client.js';
import type { GrpcStream } from '../../kit/grpc-stream.js';
import { Token } from '../arena/identities.js';
import type { Attack } from '../attack.js';
import { grpcAs } from '../wire/macp.js';

const DEADLINE_MS = 3_000;

export const manyStreams: Attack = {
  row: 'H15',
  title: 'streams that fill a connection',

  async probe({ serve, say }) {
    const { grpc } = await serve();
    const client = grpcAs(grpc, Token.attacker);
    const streams: GrpcStream[] = [];
    for (const count of [127, 128, 1_023, 1_100]) {
      while (streams.length < count) streams.push(client.stream());
      const ended = () => streams.filter((stream) => stream.ended).length;
      say(
        `Send beside ${count} open streams of its connection: ${await sending(client)}; ${ended()} streams were ended`,
      );
      const [first] = streams.flatMap((stream) => stream.ended ?? []);
      if (first) say(`the first of them with: ${first.details}`);
    }
    client.close();
  },
};

async function sending(client: GrpcClient): Promise<string> {
  const envelope = start(randomUUID(), 'attacker', { participants: ['attacker', 'b'] });
  const begun = performance.now();
  const answer = await client.send(envelope, undefined, DEADLINE_MS).then(
    ({ ok, error }) => (ok ? 'OK' : (error?.code ?? 'refused')),
    (error: { details?: string }) => `no answer (${error.details ?? String(error)})`,
  );
  return `${answer.slice(0, 120)} after ${((performance.now() - begun) / 1_000).toFixed(1)} s`;
}
