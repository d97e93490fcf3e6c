/** Server reflection, from the descriptors that the wire package carries: it works wherever the package is installed. */
import type { Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { fileDescriptors } from '@handover/wire';
import { readableService } from './readable-service.js';

type PackageDefinition = ConstructorParameters<typeof ReflectionService>[0];

export function addReflection(server: Server): void {
  // The library looks for descriptors at the message entries of a proto-loader package, and reads nothing else.
  const entry = {
    format: 'Protocol Buffer 3 DescriptorProto',
    type: {},
    fileDescriptorProtos: fileDescriptors(),
  };
  // A request that asks for nothing gets the protocol's own error.
  const addService = (service: ServiceDefinition, implementation: UntypedServiceImplementation) =>
    server.addService(readableService(service, {}), implementation);
  const readable = { addService } as Server;
  new ReflectionService({ files: entry } as unknown as PackageDefinition).addToServer(readable);
}
