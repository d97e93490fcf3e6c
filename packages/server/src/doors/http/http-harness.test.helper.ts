/** The HTTP door on a world: requests without a socket, in memory, with a clock that the test moves. */
import { testConfiguration } from '../../../../../test/kit/configuration.js';
import { createWorld, type WorldOptions } from '../../../../../test/kit/world.js';
import { createHttpDoor, type HttpDoorOptions } from './door.js';

export interface HarnessOptions extends WorldOptions {
  readonly requestTimeoutMs?: number;
  readonly mount?: HttpDoorOptions['mount'];
  readonly heartbeatMs?: number;
  readonly connectionLimits?: HttpDoorOptions['connectionLimits'];
}

export interface Asked {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is when it is text or bytes. */
  readonly body?: unknown;
  readonly method?: string;
  /** The address of the client; without it, the request has no socket. */
  readonly peer?: string;
}

export type Harness = ReturnType<typeof createHarness>;

export function createHarness(options: HarnessOptions = {}) {
  const { requestTimeoutMs, mount, heartbeatMs, connectionLimits, ...more } = options;
  const read = testConfiguration(options.env);
  const limits = { ...read.limits, ...(requestTimeoutMs !== undefined && { requestTimeoutMs }) };
  const world = createWorld({ ...more, configuration: { ...read, limits } });
  const { configuration, services, log } = world;
  const door = createHttpDoor({
    services,
    configuration,
    log,
    ...(mount && { mount }),
    ...(heartbeatMs !== undefined && { heartbeatMs }),
    ...(connectionLimits && { connectionLimits }),
  });
  const request = async (path: string, asked: Asked = {}) =>
    door.app.request(path, requestInit(asked), asked.peer === undefined ? {} : peerBindings(asked.peer));
  return { ...world, door, request };
}

export function requestInit({ as, headers, body, method }: Asked): RequestInit {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      host: 'localhost',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...headers,
    },
    ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
  };
}

// The part of Node's request that the door looks at.
function peerBindings(remoteAddress: string) {
  return { incoming: { socket: { remoteAddress } } };
}
