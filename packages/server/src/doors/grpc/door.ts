/**
 * The gRPC door: macp.v1.MACPRuntimeService, health and reflection on one port. It only translates; the services apply
 * the rules.
 *
 * G1. Bytes that do not decode as the message of a method get INVALID_ARGUMENT, never a broken stream.
 * G2. A slow reader costs a bounded amount of memory and is told where to go on.
 * G3. When the door closes, health reports NOT_SERVING, streams and watches end with UNAVAILABLE, and calls under way
 *     are answered. Calls that are left after the drain time are cut off.
 */
import {
  logVerbosity,
  Server,
  type ServerOptions,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { MethodKey } from '@handover/wire';
import { formatAddress } from '../../config/address.js';
import { cannotListen } from '../../config/cannot-listen.js';
import type { Configuration } from '../../config/configuration.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { TlsSettings } from '../../config/read-tls.js';
import type { Log } from '../../observe/log.js';
import type { AnswerRoom } from '../../services/answer-room.js';
import type { BodyBudget } from '../../services/body-budget.js';
import type { MacpServices } from '../../services/macp/macp-services.js';
import { createRpcs } from '../../services/macp/rpc/rpcs.js';
import { Answers } from './answers.js';
import { Arrivals } from './arrivals.js';
import { Callers } from './callers.js';
import { ConnectionStreams } from './connection-streams.js';
import type { Connections } from './connections/connections.js';
import { guardConnections, watchedConnections } from './connections/guard-connections.js';
import type { DoorContext } from './context.js';
import { createIdentify } from './credentials.js';
import { addHealth } from './health.js';
import { Intake } from './intake.js';
import { LiveCalls } from './live-calls.js';
import { sendMethod } from './methods/send.js';
import { OpenStreams } from './open-streams.js';
import { addReflection } from './reflection.js';
import { RequestDeadlines } from './request-deadlines.js';
import { rawService } from './service.js';
import { streamSessionMethod } from './stream-session/stream-session-method.js';
import { startInSlices } from './stream-starts.js';
import { serverCredentials } from './tls.js';
import { unaryMethod } from './unary.js';
import { watchMethod } from './watch.js';

export interface GrpcDoorOptions {
  readonly configuration: Pick<Configuration, 'grpc' | 'http' | 'tls' | 'limits'>;
  readonly services: MacpServices;
  readonly log: Log;
}

export interface GrpcDoor {
  /** Resolves to the address in use. With port 0 in the configuration, that is any free port. */
  listen(): Promise<{ readonly host: string; readonly port: number }>;
  /** Cuts off the remaining connections at the deadline, or after a short while if none is given. */
  close(deadline?: AbortSignal): Promise<void>;
  /** Streams and watches that are open. */
  readonly liveCalls: number;
  /** Bytes of requests whose calls have not begun. */
  readonly arriving: Pick<BodyBudget, 'inAll' | 'most'>;
  /** Bytes of answers that are being made or that clients have not taken. */
  readonly answers: Pick<AnswerRoom, 'held' | 'most'>;
  readonly connections: Pick<Connections, 'size'>;
}

/** How many bytes an envelope may have besides its payload (docs/spec/macp.md 6.4). */
const ENVELOPE_ALLOWANCE_BYTES = 65_536;
const KEEPALIVE_MS = 30_000;
const DEFAULT_DRAIN_MS = 1_000;

export function createGrpcDoor(options: GrpcDoorOptions): GrpcDoor {
  const { address } = options.configuration.grpc;
  const { tls } = options.configuration;
  const context = createContext(options);
  const { live, deadlines } = context;
  const { metrics } = options.services.deps;
  const arrivals = new Arrivals(deadlines, () => metrics.rateLimited('arriving_requests'));
  const answers = new Answers();
  const connections = watchedConnections(metrics, options.log, options.configuration.http.trustedProxy);
  const intake = new Intake({ callers: context.callers, arrivals, answers, connections });
  const server = new Server(serverOptions(options, intake));
  startInSlices(server, connections);
  guardConnections(server, connections);
  server.addService(rawService, announced(context, implementation(context)));
  const open = new OpenStreams(context).bounded(server);
  const health = addHealth(open);
  addReflection(open);
  return {
    get liveCalls() {
      return live.count;
    },
    arriving: arrivals.budget,
    answers: answers.room,
    connections,
    async listen() {
      return { host: address.host, port: await bind(server, address, tls) };
    },
    async close(deadline = AbortSignal.timeout(DEFAULT_DRAIN_MS)) {
      health.notServing();
      live.endAll();
      await drained(server, deadline);
      deadlines.close();
      answers.close();
      connections.close();
    },
  };
}

function createContext({ configuration, services, log }: GrpcDoorOptions): DoorContext {
  return {
    ...services,
    log,
    live: new LiveCalls(),
    connections: new ConnectionStreams(configuration.grpc.maxConcurrentStreams, () =>
      services.deps.metrics.rateLimited('connection_streams'),
    ),
    deadlines: new RequestDeadlines(configuration.limits.requestTimeoutMs),
    callers: new Callers(services.deps, createIdentify(configuration.tls?.clientCaPath !== undefined)),
  };
}

type Handler = UntypedServiceImplementation[string];

function implementation(context: DoorContext): Record<MethodKey, Handler> {
  const { unary, watches } = createRpcs(context);
  return {
    send: sendMethod(context),
    streamSession: streamSessionMethod(context),
    ...eachOf(unary, (rpc) => unaryMethod(context, rpc)),
    ...eachOf(watches, (rpc) => watchMethod(context, rpc)),
  };
}

function eachOf<K extends MethodKey, R>(
  rpcs: Readonly<Record<K, R>>,
  methodOf: (rpc: R) => Handler,
): Record<K, Handler> {
  const entries = Object.entries<R>(rpcs).map(([key, rpc]) => [key, methodOf(rpc)] as const);
  return Object.fromEntries(entries) as Record<K, Handler>;
}

/** Tells the loop guard which method was called last. */
function announced(
  { deps }: DoorContext,
  methods: Readonly<Record<string, Handler>>,
): UntypedServiceImplementation {
  const announce = ([key, method]: readonly [string, Handler]) => {
    const route = `grpc ${key}`;
    const handler = method as (...args: unknown[]) => unknown;
    const announcing = (...args: unknown[]) => {
      deps.loop.entered(route);
      return handler(...args);
    };
    return [key, announcing] as const;
  };
  return Object.fromEntries(Object.entries(methods).map(announce)) as UntypedServiceImplementation;
}

function serverOptions({ services, configuration }: GrpcDoorOptions, { interceptor }: Intake): ServerOptions {
  return {
    interceptors: [interceptor],
    'grpc.max_receive_message_length': services.deps.maxPayloadBytes + ENVELOPE_ALLOWANCE_BYTES,
    // Clients that reach this wait without a word. Streams are refused before that, and leave room for unary calls.
    'grpc.max_concurrent_streams': configuration.grpc.maxConcurrentStreams + fixedLimits.grpcUnaryRoom.value,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': fixedLimits.grpcSilentConnectionMs.value,
    // Channelz costs time on every call, and this server offers no way to query it.
    'grpc.enable_channelz': 0,
  };
}

function bind(
  server: Server,
  address: Configuration['grpc']['address'],
  tls: TlsSettings | undefined,
): Promise<number> {
  // Otherwise the library writes lines of its own to stderr, among those of the log.
  if (process.env.GRPC_VERBOSITY === undefined) setLogVerbosity(logVerbosity.NONE);
  return new Promise((resolve, reject) => {
    server.bindAsync(formatAddress(address), serverCredentials(tls), (cause, port) => {
      if (!cause) return resolve(port);
      reject(cannotListen({ setting: 'MACP_BIND_ADDR', example: '127.0.0.1:50052', ...address }, cause));
    });
  });
}

async function drained(server: Server, deadline: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    server.tryShutdown(() => resolve());
    if (deadline.aborted) resolve();
    else deadline.addEventListener('abort', () => resolve(), { once: true });
  });
  server.forceShutdown();
}
