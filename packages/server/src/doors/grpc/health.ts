/**
 * grpc.health.v1: reports SERVING for the server and for its one service until the door begins to close.
 *
 * H1. No credential is asked for, so nothing that a caller sends is kept: the library would remember every name that was
 *     ever watched. It gets to see the two names that exist.
 */
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Server,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { MALFORMED } from './errors.js';
import { readableService } from './readable-service.js';
import { SERVICE_NAME } from './service.js';

export interface Health {
  notServing(): void;
}

interface Asked {
  readonly service?: string;
}

type Check = handleUnaryCall<Asked, unknown>;
type Watch = handleServerStreamingCall<Asked, unknown>;

const NAMES = ['', SERVICE_NAME] as const;
const KNOWN: ReadonlySet<string | undefined> = new Set(NAMES);
const UNREADABLE: Asked = {};

export function addHealth(server: Server): Health {
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE_NAME]: 'SERVING' });
  health.addToServer(knownOnly(server));
  return {
    notServing() {
      for (const name of NAMES) health.setStatus(name, 'NOT_SERVING');
    },
  };
}

function knownOnly(server: Server): Server {
  const addService = (service: ServiceDefinition, { check, watch, list }: UntypedServiceImplementation) => {
    server.addService(readableService(service, UNREADABLE), {
      check: checkOf(check as Check),
      watch: watchOf(watch as Watch),
      list: list as Check,
    });
  };
  return { addService } as Server;
}

/** Not a status of the runtime's own service. */
const UNKNOWN_SERVICE = { code: status.NOT_FOUND, details: 'this server has no service of that name' };

function checkOf(check: Check): Check {
  return (call, callback) => {
    if (call.request === UNREADABLE) callback(MALFORMED);
    else if (KNOWN.has(call.request.service)) check(call, callback);
    else callback(UNKNOWN_SERVICE);
  };
}

function watchOf(watch: Watch): Watch {
  return (call) => {
    if (call.request === UNREADABLE) call.emit('error', MALFORMED);
    else if (KNOWN.has(call.request.service)) watch(call);
    // As the protocol has it: unknown now, and watched for as long as the caller likes.
    else call.write({ status: 'SERVICE_UNKNOWN' });
  };
}
