/** One listening socket: Node's server around an app, with TLS when there is a certificate, and an orderly end. */
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Address, formatAddress } from '../../config/address.js';
import { cannotListen, type ListenPlace } from '../../config/cannot-listen.js';
import type { Cidr } from '../../config/cidr.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { TlsSettings } from '../../config/read-tls.js';
import type { Log } from '../../observe/log.js';
import { ConnectionRoom } from './connection-room.js';
import { ConnectionTurns, type CutReason, type TurnLimits } from './connection-turns.js';
import { type HeldAnswers, measuredResponse } from './held-answers.js';
import type { HttpApp } from './http-types.js';
import { minuteLine } from './minute-line.js';
import { gatePeers } from './peer-gate.js';
import { refuseBadHeads } from './refused-heads.js';

export interface ListenerOptions {
  readonly app: HttpApp;
  readonly address: Address;
  /** Which setting names the port, for whoever finds it taken. */
  readonly setting: Pick<ListenPlace, 'setting' | 'example'>;
  readonly tls?: TlsSettings;
  /** Without TLS, only this machine and these addresses may connect. */
  readonly trustedProxy?: Cidr | undefined;
  readonly requestTimeoutMs: number;
  readonly turns: TurnLimits;
  readonly connections: number;
  /** Of all listeners together. */
  readonly answers: HeldAnswers;
  onCut(reason: CutReason): void;
  /** Of requests that never reach the app. */
  answered(status: number): void;
  readonly log: Log;
}

export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

export interface Listener extends Listening {
  /** Takes no more connections, waits for answers under way, and cuts off at the deadline. */
  close(deadline: AbortSignal): Promise<void>;
}

/** Node's time-out is this much later than the app's own deadline, which gives a better answer. */
const BACKSTOP_MS = 5_000;
const IDLE_SWEEP_MS = 50;

export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { address, tls, trustedProxy, log } = options;
  const { server, turns } = serverFor(options);
  if (!tls) gatePeers(server, trustedProxy, log, turns.connected);
  else server.on('secureConnection', turns.connected);
  refuseBadHeads(server, options.answered);
  capConnections(server, options);
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) => reject(cannotListen({ ...options.setting, ...address }, cause));
    server.once('error', refused);
    server.listen(address.port, address.host, () => {
      server.off('error', refused);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const { host } = address;
  const url = `${tls ? 'https' : 'http'}://${formatAddress({ host, port })}`;
  return { url, host, port, close: (deadline) => closeServer(server, deadline) };
}

function serverFor({ app, tls, requestTimeoutMs, turns: limits, answers, onCut }: ListenerOptions) {
  const begin = getRequestListener(app.fetch, {
    // A message that cannot become a Request (its Host is not a host, for example) never reaches the app.
    errorHandler: () => new Response(null, { status: 400 }),
  });
  const turns = new ConnectionTurns({ limits, begin, onCut });
  const options: ServerOptions<typeof IncomingMessage, typeof ServerResponse> = {
    requestTimeout: requestTimeoutMs + BACKSTOP_MS,
    headersTimeout: Math.min(requestTimeoutMs, fixedLimits.httpHeadMs.value),
    maxHeaderSize: fixedLimits.httpHeaderBytes.value,
    connectionsCheckingInterval: 1_000,
    ServerResponse: measuredResponse(answers),
    // The app refuses a request without a Host, in its turn; Node would answer all of a connection at once.
    requireHostHeader: false,
  };
  const server: Server = tls
    ? createTlsServer({ ...options, ...secrets(tls) }, turns.requested)
    : createServer(options, turns.requested);
  server.on('checkExpectation', turns.expected);
  return { server, turns };
}

function capConnections(server: Server, { connections, address, log }: ListenerOptions): void {
  const room = new ConnectionRoom(connections);
  const note = minuteLine((refused, peer: string | undefined) =>
    log.warn('http.connections_full', { peer, refused, connections, address: formatAddress(address) }),
  );
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (!room.enter(socket)) note(remoteAddress);
  });
  server.prependListener('request', ({ socket }: IncomingMessage) => room.asked(socket));
}

/** Reads the files here, so that no object of ours that outlives this call holds the private key. */
function secrets({ certPath, keyPath, clientCaPath }: TlsSettings) {
  return {
    cert: readFileSync(certPath),
    key: readFileSync(keyPath),
    minVersion: 'TLSv1.2' as const,
    ...(clientCaPath !== undefined && {
      ca: readFileSync(clientCaPath),
      requestCert: true,
      rejectUnauthorized: true,
    }),
  };
}

async function closeServer(server: Server, deadline: AbortSignal): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = () => server.closeAllConnections();
  if (deadline.aborted) cut();
  deadline.addEventListener('abort', cut, { once: true });
  // A connection becomes idle only after its answer, so idle connections are closed repeatedly.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  await closed;
  clearInterval(sweep);
  deadline.removeEventListener('abort', cut);
}
