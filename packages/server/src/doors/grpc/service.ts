/**
 * The service as grpc-js sees it: bytes in, bytes out. Handlers decode for themselves, because grpc-js answers bytes
 * that it cannot decode with INTERNAL and ends streams, where the protocol wants INVALID_ARGUMENT.
 */
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { type MethodKey, methods } from '@handover/wire';

export const SERVICE_NAME = 'macp.v1.MACPRuntimeService';

/** grpc-js copies from a Buffer; this is a view, not a copy. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
const asIs = (bytes: Buffer): Buffer => bytes;

type RawMethod = MethodDefinition<Uint8Array, Uint8Array>;
export type RawService = Readonly<Record<MethodKey, RawMethod>> & ServiceDefinition;

export const rawService = Object.fromEntries(
  Object.entries(methods).map(([key, { path, requestStream, responseStream }]): [string, RawMethod] => [
    key,
    {
      path,
      requestStream,
      responseStream,
      requestSerialize: asBuffer,
      requestDeserialize: asIs,
      responseSerialize: asBuffer,
      responseDeserialize: asIs,
    },
  ]),
) as RawService;
