/** grpc.health.v1: reports SERVING for the server and for its one service until the door begins to close. */
import type {
  Server,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { SERVICE_NAME } from './service.js';

export interface Health {
  notServing(): void;
}

const KNOWN: ReadonlySet<string> = new Set(['', SERVICE_NAME]);

export function addHealth(server: Server): Health {
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE_NAME]: 'SERVING' });
  health.addToServer(knownOnly(server));
  return {
    notServing() {
      for (const name of KNOWN) health.setStatus(name, 'NOT_SERVING');
    },
  };
}

type Watch = (call: ServerWritableStream<{ readonly service: string }, unknown>) => void;

/** The library keeps every name that anybody watched, for ever. Names that it does not know are answered here. */
function knownOnly(server: Server): Server {
  const addService = (service: ServiceDefinition, { watch, ...others }: UntypedServiceImplementation) => {
    const known: Watch = (call) => {
      if (KNOWN.has(call.request.service)) (watch as Watch)(call);
      else call.write({ status: 'SERVICE_UNKNOWN' });
    };
    server.addService(service, { ...others, watch: known as UntypedServiceImplementation[string] });
  };
  return { addService } as Server;
}
