/**
 * grpc.health.v1: reports SERVING for the server and for its one service until the door begins to close.
 *
 * H1. No credential is asked for, so nothing that a caller sends is kept: the library would remember every name that was
 *     ever watched. It gets to see the two names that exist.
 */
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Server,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { MALFORMED, notFound } from './errors.js';
import type { LiveCalls } from './live-calls.js';
import { readableService } from './readable-service.js';
import { SERVICE_NAME } from './service.js';

export interface Health {
  notServing(): void;
}

interface Asked {
  readonly service?: string;
}

const NAMES: ReadonlySet<string | undefined> = new Set(['', SERVICE_NAME]);
const UNREADABLE: Asked = {};

export function addHealth(server: Server, live: LiveCalls): Health {
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE_NAME]: 'SERVING' });
  health.addToServer(guarded(server, live));
  return {
    notServing() {
      health.setStatus('', 'NOT_SERVING');
      health.setStatus(SERVICE_NAME, 'NOT_SERVING');
    },
  };
}

function guarded(server: Server, live: LiveCalls): Server {
  const addService = (service: ServiceDefinition, { check, watch, list }: UntypedServiceImplementation) => {
    server.addService(readableService(service, UNREADABLE), {
      check: checkOf(check as handleUnaryCall<Asked, unknown>),
      watch: watchOf(watch as handleServerStreamingCall<Asked, unknown>, live),
      list: list as handleUnaryCall<Asked, unknown>,
    });
  };
  return { addService } as Server;
}

function checkOf(check: handleUnaryCall<Asked, unknown>): handleUnaryCall<Asked, unknown> {
  return (call, callback) => {
    if (call.request === UNREADABLE) callback(MALFORMED);
    else if (NAMES.has(call.request.service)) check(call, callback);
    else callback(notFound('this server has no service of that name'));
  };
}

/** The library never ends a Watch. Without this, each one would hold up a closing server until its deadline. */
function watchOf(
  watch: handleServerStreamingCall<Asked, unknown>,
  live: LiveCalls,
): handleServerStreamingCall<Asked, unknown> {
  return (call) => {
    if (call.request === UNREADABLE) return void call.emit('error', MALFORMED);
    call.on(
      'cancelled',
      live.enter(() => call.end()),
    );
    // As the protocol has it: unknown now, and watched for as long as the caller likes.
    if (NAMES.has(call.request.service)) watch(call);
    else call.write({ status: 'SERVICE_UNKNOWN' });
  };
}
