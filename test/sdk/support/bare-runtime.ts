/** A runtime that answers Initialize and nothing else, and counts what it is asked: it advertises nothing. Streams end at once. */
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

export async function startBareRuntime() {
  const asked: string[] = [];
  const traceparents: (string | undefined)[] = [];
  const server = new Server();
  const { output } = methods.initialize;
  const definition = {
    initialize: described('initialize', false as const, false as const),
    watchRoots: described('watchRoots', false as const, true as const),
    streamSession: described('streamSession', true as const, true as const),
  };
  const endsAtOnce = (name: string) => (call: { readonly metadata: Metadata; end(): void }) => {
    asked.push(name);
    traceparents.push(call.metadata.get('traceparent')[0]?.toString());
    call.end();
  };
  server.addService(definition, {
    watchRoots: endsAtOnce('watchRoots'),
    streamSession: endsAtOnce('streamSession'),
    initialize({ metadata }: { metadata: Metadata }, answer: (error: null, reply: Uint8Array) => void) {
      asked.push('initialize');
      traceparents.push(metadata.get('traceparent')[0]?.toString());
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
    traceparents,
    stop() {
      client.close();
      server.forceShutdown();
    },
  };
}
