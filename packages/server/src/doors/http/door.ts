/**
 * The HTTP door of MACP: envelopes, sessions and events as JSON (docs/spec/macp.md 7), and health and metrics for
 * operators.
 *
 * It only translates: a request becomes an envelope and credentials, the service's answer becomes a body and a status.
 * The services decide what is allowed. The door itself only refuses HTTP requests that it does not take (see
 * guards.ts). Other doors mount on its app, behind the same guards.
 */
import { fixedLimits } from '../../config/fixed-limits.js';
import type { TlsSettings } from '../../config/read-tls.js';
import type { Log } from '../../observe/log.js';
import { BodyBudget } from '../../services/body-budget.js';
import type { MacpServices } from '../../services/macp/macp-services.js';
import { type AppOptions, createApp, createMetricsApp, type HttpConfiguration } from './app.js';
import { EventStreams } from './event-streams.js';
import { HeldAnswers } from './held-answers.js';
import type { HttpApp } from './http-types.js';
import { type Listener, type ListenerOptions, type Listening, startListener } from './listener.js';
import { minuteLine } from './minute-line.js';
import { createRefusedHosts } from './refused-hosts.js';

export interface HttpDoorOptions {
  readonly services: MacpServices;
  readonly configuration: HttpConfiguration;
  readonly log: Log;
  /** Adds the routes of other doors. */
  readonly mount?: (app: HttpApp) => void;
  /** The time between two heartbeats of an event stream. */
  readonly heartbeatMs?: number;
  /** Tests bring smaller ones. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

export interface ConnectionLimits {
  readonly connections: number;
  readonly waitingRequests: number;
  readonly unreadMs: number;
  readonly heldAnswerBytes: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  connections: fixedLimits.httpConnections.value,
  waitingRequests: fixedLimits.httpWaitingRequests.value,
  unreadMs: fixedLimits.stalledStreamMs.value,
  heldAnswerBytes: fixedLimits.heldAnswerBytes.value,
};

export interface HttpDoor {
  /** For tests without sockets. */
  readonly app: HttpApp;
  /** How many bytes of bodies it holds. */
  readonly bodies: Pick<BodyBudget, 'inAll' | 'most'>;
  /** How many bytes of answers wait for their clients. */
  readonly answers: Pick<HeldAnswers, 'inAll' | 'most'>;
  /** Resolves when the door listens, also on the second listener for metrics if one is configured. */
  listen(port?: number): Promise<Listening>;
  /** Ends event streams, finishes the requests under way, cuts off the rest after the drain time or at the signal. */
  close(drain: number | AbortSignal): Promise<void>;
}

const HTTP_PORT = { setting: 'MCP_HTTP_PORT', example: '3101' } as const;
const METRICS_ADDRESS = { setting: 'MACP_METRICS_ADDR', example: '127.0.0.1:9465' } as const;

export function createHttpDoor(options: HttpDoorOptions): HttpDoor {
  const { services, configuration, log, mount, heartbeatMs } = options;
  const streams = new EventStreams(heartbeatMs);
  const listeners: Listener[] = [];
  let draining = false;
  const budget = new BodyBudget({
    inAll: fixedLimits.heldBodyBytes.value,
    ofCaller: fixedLimits.heldBodyBytesOfCaller.value,
    ofStrangers: fixedLimits.heldBodyBytesOfStrangers.value,
    ofAddress: fixedLimits.heldBodyBytesOfAddress.value,
  });
  const limits = { ...CONNECTION_LIMITS, ...options.connectionLimits };
  const onCut = minuteLine((connections, reason: string) =>
    log.warn('http.connections_cut', { connections, reason }),
  );
  const answers = new HeldAnswers(limits.heldAnswerBytes, () => onCut('too many answers wait to be read'));
  const appOptions: AppOptions = {
    route: { ...services, log },
    configuration,
    streams,
    isDraining: () => draining,
    budget,
    refusedHosts: createRefusedHosts(log),
    ...(mount && { mount }),
  };
  const app = createApp(appOptions);
  const start = async (
    served: HttpApp,
    at: Pick<ListenerOptions, 'address' | 'setting'>,
    tls: TlsSettings | undefined,
  ) => {
    const { requestTimeoutMs } = configuration.limits;
    const { trustedProxy } = configuration.http;
    const listener = await startListener({
      ...at,
      app: served,
      trustedProxy,
      requestTimeoutMs,
      turns: { waiting: limits.waitingRequests, unreadMs: limits.unreadMs },
      connections: limits.connections,
      answers,
      onCut,
      answered: (status) => services.deps.metrics.answered(status),
      log,
      ...(tls && { tls }),
    });
    listeners.push(listener);
    return listener;
  };
  return {
    app,
    bodies: budget,
    answers,
    async listen(wanted = configuration.http.address.port) {
      const { http, tls, metricsAddress } = configuration;
      const address = { ...http.address, port: wanted };
      const { url, host, port } = await start(app, { address, setting: HTTP_PORT }, tls);
      // A scraper on this machine has no certificate, and metrics contain no secret: loopback goes without TLS.
      if (metricsAddress)
        await start(
          createMetricsApp(appOptions),
          { address: metricsAddress, setting: METRICS_ADDRESS },
          metricsAddress.loopback ? undefined : tls,
        );
      return { url, host, port };
    },
    async close(drain) {
      draining = true;
      streams.endAll();
      const deadline = typeof drain === 'number' ? AbortSignal.timeout(drain) : drain;
      await Promise.all(listeners.splice(0).map((listener) => listener.close(deadline)));
    },
  };
}
