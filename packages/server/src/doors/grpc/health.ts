/** grpc.health.v1: reports SERVING for the server and for its one service until the door begins to close. */
import type {
  handleServerStreamingCall,
  Server,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { LiveCalls } from './live-calls.js';
import { SERVICE_NAME } from './service.js';

export interface Health {
  notServing(): void;
}

export function addHealth(server: Server, live: LiveCalls): Health {
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE_NAME]: 'SERVING' });
  health.addToServer(closable(server, live));
  return {
    notServing() {
      health.setStatus('', 'NOT_SERVING');
      health.setStatus(SERVICE_NAME, 'NOT_SERVING');
    },
  };
}

/** The library never ends a Watch. Without this, each one would hold up a closing server until its deadline. */
function closable(server: Server, live: LiveCalls): Server {
  const addService = (service: ServiceDefinition, { watch, ...others }: UntypedServiceImplementation) => {
    const endless = watch as handleServerStreamingCall<unknown, unknown>;
    const ending: typeof endless = (call) => {
      call.on(
        'cancelled',
        live.enter(() => call.end()),
      );
      endless(call);
    };
    server.addService(service, { ...others, watch: ending });
  };
  return { addService } as Server;
}
