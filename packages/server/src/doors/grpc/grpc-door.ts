/**
 * The gRPC door: macp.v1.MACPRuntimeService, health and reflection on one port. It translates; every rule is behind it.
 *
 * G1. Bytes that are not the message of a method are INVALID_ARGUMENT, never a broken stream.
 * G2. A slow reader costs a bounded amount of memory and is told where to go on.
 * G3. Closing: health says so, streams and watches end with UNAVAILABLE, calls under way are answered; what is left
 *     after the drain time is cut off.
 */
import { Server, type ServerOptions, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { FaultCode, HandoverError } from '@handover/core';
import type { MethodKey } from '@handover/wire';
import { formatAddress } from '../../ops/configuration/address.js';
import type { TlsSettings } from '../../ops/configuration/read-tls.js';
import type { Log } from '../../ops/log.js';
import type { DoorContext, GrpcRuntime } from './context.js';
import { createIdentify } from './credentials.js';
import { discoveryMethods } from './discovery-methods.js';
import { addHealth } from './health.js';
import { LiveCalls } from './live-calls.js';
import { modeMethods } from './mode-methods.js';
import { policyMethods } from './policy-methods.js';
import { addReflection } from './reflection.js';
import { RequestDeadlines } from './request-deadlines.js';
import { sendMethod } from './send-method.js';
import { rawService } from './service.js';
import { sessionMethods } from './session-methods.js';
import { streamSessionMethod } from './stream-session/stream-session-method.js';
import { serverCredentials } from './tls.js';
import { watchMethods } from './watch-methods.js';

export interface GrpcDoorOptions extends GrpcRuntime {
  readonly address: { readonly host: string; readonly port: number };
  /** Without it the door speaks plaintext; where that is allowed is decided by the configuration. */
  readonly tls?: TlsSettings;
  readonly maxConcurrentStreams: number;
  readonly requestTimeoutMs: number;
  readonly log: Log;
}

export interface GrpcDoor {
  /** Resolves to where it listens: port 0 means any free one. */
  listen(): Promise<{ readonly host: string; readonly port: number }>;
  close(drainMs: number): Promise<void>;
  /** Streams and watches that are open. */
  readonly liveCalls: number;
}

/** What an envelope may weigh beyond its payload (macp.md 6.4). */
const ENVELOPE_ALLOWANCE_BYTES = 65_536;
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

export function createGrpcDoor(options: GrpcDoorOptions): GrpcDoor {
  const { address, tls, requestTimeoutMs } = options;
  const live = new LiveCalls();
  const deadlines = new RequestDeadlines(requestTimeoutMs);
  const identify = createIdentify(tls?.clientCaPath !== undefined);
  const server = new Server(serverOptions(options));
  server.addService(rawService, implementation({ ...options, live, deadlines, identify }));
  const health = addHealth(server, live);
  addReflection(server);
  return {
    get liveCalls() {
      return live.count;
    },
    async listen() {
      return { host: address.host, port: await bind(server, address, tls) };
    },
    async close(drainMs) {
      health.notServing();
      live.endAll();
      await drained(server, drainMs);
      deadlines.close();
    },
  };
}

function implementation(
  context: DoorContext,
): Record<MethodKey, UntypedServiceImplementation[string]> & UntypedServiceImplementation {
  return {
    ...discoveryMethods(context),
    send: sendMethod(context),
    streamSession: streamSessionMethod(context),
    ...sessionMethods(context),
    ...modeMethods(context),
    ...policyMethods(context),
    ...watchMethods(context),
  };
}

function serverOptions({ parts, maxConcurrentStreams }: GrpcDoorOptions): ServerOptions {
  return {
    'grpc.max_receive_message_length': parts.maxPayloadBytes + ENVELOPE_ALLOWANCE_BYTES,
    'grpc.max_concurrent_streams': maxConcurrentStreams,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    // Its bookkeeping costs each call and nobody can ask for it here.
    'grpc.enable_channelz': 0,
  };
}

function bind(
  server: Server,
  address: GrpcDoorOptions['address'],
  tls: TlsSettings | undefined,
): Promise<number> {
  const where = formatAddress(address);
  return new Promise((resolve, reject) => {
    server.bindAsync(where, serverCredentials(tls), (cause, port) => {
      if (!cause) return resolve(port);
      const message = `MACP_BIND_ADDR: cannot listen on ${where}`;
      reject(new HandoverError(FaultCode.CONFIGURATION, message, { next: 'fatal', cause }));
    });
  });
}

async function drained(server: Server, drainMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([new Promise<void>((resolve) => server.tryShutdown(() => resolve())), deadline]);
  clearTimeout(timer);
  server.forceShutdown();
}
