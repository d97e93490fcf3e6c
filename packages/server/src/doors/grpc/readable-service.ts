/**
 * The services of libraries decode their own requests, and grpc-js answers bytes that are no request with INTERNAL. Here
 * such bytes become a request of our own, which the handler refuses in its own way.
 */
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';

type AnyMethod = MethodDefinition<unknown, unknown>;

export function readableService(service: ServiceDefinition, instead: object): ServiceDefinition {
  const methods = Object.entries(service as Readonly<Record<string, AnyMethod>>);
  return Object.fromEntries(
    methods.map(([name, method]) => [name, { ...method, requestDeserialize: orElse(method, instead) }]),
  );
}

function orElse({ requestDeserialize }: AnyMethod, instead: object): AnyMethod['requestDeserialize'] {
  return (bytes) => {
    try {
      return requestDeserialize(bytes);
    } catch {
      return instead;
    }
  };
}
