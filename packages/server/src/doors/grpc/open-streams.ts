/**
 * Streams that ask for no credential: health and reflection, which libraries serve. The libraries bound nothing and end
 * nothing, so each stream is counted here, is read only as fast as its client reads, and ends when the door closes.
 */
import type {
  Server,
  ServerDuplexStream,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { RejectionCode, reject } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { DoorContext } from './context.js';
import { statusOfRejection } from './errors.js';

type OpenCall = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>;
type Serve = (call: OpenCall) => void;

const MAX_OPEN = fixedLimits.grpcStreamsWithoutCredential.value;
const TOO_MANY = statusOfRejection(
  reject(
    RejectionCode.RATE_LIMITED,
    `${MAX_OPEN} streams without a credential are open, which is the most; try again later`,
  ),
);

export class OpenStreams {
  readonly #context: Pick<DoorContext, 'live' | 'connections'>;
  #open = 0;

  constructor(context: Pick<DoorContext, 'live' | 'connections'>) {
    this.#context = context;
  }

  /** The server, for a library that adds its service to it. */
  bounded(server: Server): Server {
    const addService = (service: ServiceDefinition, methods: UntypedServiceImplementation) => {
      const served = { ...methods };
      for (const [name, { originalName, responseStream }] of Object.entries(service))
        for (const key of [name, originalName ?? name]) {
          const serve = methods[key];
          if (serve && responseStream) served[key] = (call: OpenCall) => this.#serve(call, serve as Serve);
        }
      server.addService(service, served);
    };
    return { addService } as Server;
  }

  #serve(call: OpenCall, serve: Serve): void {
    const { connections, live } = this.#context;
    const refusal = connections.enter(call) ?? (this.#open >= MAX_OPEN ? TOO_MANY : undefined);
    if (refusal) {
      call.emit('error', refusal);
      return;
    }
    this.#open++;
    const leave = live.enter(() => call.end());
    call.on('cancelled', () => {
      this.#open--;
      leave();
    });
    if ('pause' in call) readAsFastAsRead(call);
    serve(call);
  }
}

/** The libraries answer every request at once: nothing is read while answers wait. */
function readAsFastAsRead(call: ServerDuplexStream<unknown, unknown>): void {
  const write = call.write.bind(call) as (answer: unknown) => boolean;
  call.write = (answer: unknown): boolean => {
    const takesMore = write(answer);
    if (!takesMore) {
      call.pause();
      call.once('drain', () => call.resume());
    }
    return takesMore;
  };
}
