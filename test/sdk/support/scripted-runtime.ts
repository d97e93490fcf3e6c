/** A runtime whose answers a test scripts: for lists that do not end and reads that are not answered. */
import { Server, ServerCredentials, type ServerDuplexStream, type ServiceDefinition } from '@grpc/grpc-js';
import { corePayloads, handoffPayloads } from '@handover/core';
import {
  decodeMessage,
  decodeStreamRequest,
  encodeMessage,
  encodeStreamFrame,
  type MessageInitShape,
  type MethodKey,
  methods,
} from '@handover/wire';
import { Auth, buildEnvelope, MODE_HANDOFF } from 'macp-sdk-typescript';
import { encodePayload } from '../../../packages/sdk/src/envelope/build.js';

const bytes = (message: Uint8Array) => Buffer.from(message);

interface Script {
  /** The page behind a token. */
  page?(token: string): MessageInitShape<(typeof methods)['listSessions']['output']>;
  /** What a stream of a session says first, and how it goes on; undefined leaves it unanswered. */
  history?(sessionId: string): readonly Uint8Array[] | undefined;
}

const definition = Object.fromEntries(
  (['listSessions', 'watchSessions', 'streamSession'] as const).map((key) => [
    key,
    {
      path: methods[key].path,
      requestStream: key === 'streamSession',
      responseStream: key !== 'listSessions',
      requestSerialize: bytes,
      requestDeserialize: (message: Buffer) => message,
      responseSerialize: bytes,
      responseDeserialize: (message: Buffer) => message,
    },
  ]),
) as ServiceDefinition;

export async function startScriptedRuntime({ page, history }: Script) {
  const asked: string[] = [];
  const server = new Server();
  const input = (key: MethodKey, request: Uint8Array) => decodeMessage(methods[key].input, request);
  server.addService(definition, {
    listSessions({ request }: { request: Buffer }, answer: (error: null, reply: Uint8Array) => void) {
      const { pageToken } = input('listSessions', request) as { pageToken: string };
      asked.push(`page ${pageToken}`);
      answer(null, encodeMessage(methods.listSessions.output, page?.(pageToken) ?? {}));
    },
    watchSessions() {
      asked.push('watch');
    },
    streamSession(call: ServerDuplexStream<Buffer, Uint8Array>) {
      call.on('data', (request: Buffer) => {
        const sessionId = decodeStreamRequest(request)?.subscribeSessionId ?? '';
        asked.push(`read ${sessionId}`);
        for (const frame of history?.(sessionId) ?? []) call.write(frame);
        if (history?.(sessionId)) call.on('end', () => call.end());
      });
      call.on('error', () => undefined);
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return {
    address: `127.0.0.1:${port}`,
    auth: Auth.devAgent('bob'),
    asked,
    stop: () => server.forceShutdown(),
  };
}

/** An open session as a list shows it: alice has named bob. */
export function listed(sessionId: string) {
  return {
    sessionId,
    mode: MODE_HANDOFF,
    state: 1 as const,
    participants: ['alice', 'bob'],
    initiator: 'alice',
    expiresAtUnixMs: BigInt(Date.now() + 600_000),
  };
}

/** The history of a session in which alice offers h1 to bob. */
export function offerTo(bob: string, sessionId: string): readonly Uint8Array[] {
  const said = { mode: MODE_HANDOFF, sessionId, sender: 'alice' };
  const start = {
    intent: 'x',
    participants: ['alice', bob],
    ttlMs: 600_000,
    modeVersion: '1.0.0',
    configurationVersion: 'default',
    policyVersion: '',
    roots: [],
    contextId: '',
    extensions: {},
    maxSuspendMs: 0,
  };
  const offer = { handoffId: 'h1', targetParticipant: bob, scope: '', reason: '' };
  const envelopes = [
    { messageType: 'SessionStart', payload: encodePayload(corePayloads.SessionStart, start) },
    { messageType: 'HandoffOffer', payload: encodePayload(handoffPayloads.HandoffOffer, offer) },
  ];
  return envelopes.map((one) =>
    encodeStreamFrame({ kind: 'envelope', envelope: buildEnvelope({ ...said, ...one }) }),
  );
}
