/** A runtime that answers Initialize and nothing else, and counts what it is asked: it advertises nothing. */
import { type Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { encodeMessage, methods } from '@handover/wire';
import { MacpClient } from 'macp-sdk-typescript';

const bytes = (message: Uint8Array) => Buffer.from(message);

export async function startBareRuntime() {
  const asked: string[] = [];
  const traceparents: (string | undefined)[] = [];
  const server = new Server();
  const { path, input, output } = methods.initialize;
  const definition = {
    initialize: {
      path,
      requestStream: false as const,
      responseStream: false as const,
      requestSerialize: bytes,
      requestDeserialize: (message: Buffer) => message,
      responseSerialize: bytes,
      responseDeserialize: (message: Buffer) => message,
      originalName: input.name,
    },
  };
  server.addService(definition, {
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
