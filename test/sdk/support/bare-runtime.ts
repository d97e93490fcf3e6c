/**
 * A runtime that answers Initialize and nothing else, and counts what it is asked: it advertises nothing. Streams end at
 * once, unless they are told to stay.
 */
import { type Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { encodeMessage, type MethodKey, methods } from '@handover/wire';
import { MacpClient } from 'macp-sdk-typescript';

const bytes = (message: Uint8Array) => Buffer.from(message);

function described<Requests extends boolean, Responses extends boolean>(
  key: MethodKey,
  requestStream: Requests,
  responseStream: Responses,
) {
  const { path, input } = methods[key];
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: bytes,
    requestDeserialize: (message: Buffer) => message,
    responseSerialize: bytes,
    responseDeserialize: (message: Buffer) => message,
    originalName: input.name,
  };
}

interface Call {
  readonly metadata: Metadata;
  getPeer(): string;
}

interface Options {
  readonly streamsStay?: boolean;
  /** What an answer to Initialize waits for. */
  readonly answersAfter?: Promise<unknown>;
}

export async function startBareRuntime({ streamsStay = false, answersAfter }: Options = {}) {
  const asked: string[] = [];
  /** What was asked on each connection, in order. */
  const byConnection = new Map<string, string[]>();
  let open = 0;
  const traceparents: (string | undefined)[] = [];
  const server = new Server();
  const { output } = methods.initialize;
  const definition = {
    initialize: described('initialize', false as const, false as const),
    watchRoots: described('watchRoots', false as const, true as const),
    streamSession: described('streamSession', true as const, true as const),
  };
  const note = (name: string, call: Call) => {
    asked.push(name);
    byConnection.set(call.getPeer(), [...(byConnection.get(call.getPeer()) ?? []), name]);
    traceparents.push(call.metadata.get('traceparent')[0]?.toString());
  };
  const streams =
    (name: string) => (call: Call & { end(): void; once(event: 'cancelled', leave: () => void): void }) => {
      note(name, call);
      if (!streamsStay) return call.end();
      open++;
      call.once('cancelled', () => open--);
    };
  server.addService(definition, {
    watchRoots: streams('watchRoots'),
    streamSession: streams('streamSession'),
    async initialize(call: Call, answer: (error: null, reply: Uint8Array) => void) {
      note('initialize', call);
      await answersAfter;
      answer(null, encodeMessage(output, { selectedProtocolVersion: '1.0' }));
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new MacpClient({ address: `127.0.0.1:${port}` });
  return {
    client,
    asked,
    byConnection,
    traceparents,
    open: () => open,
    stop() {
      client.close();
      server.forceShutdown();
    },
  };
}
