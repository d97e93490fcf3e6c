import { MACPRuntimeService } from './gen/macp/v1/core_pb.js';

type ServiceMethods = typeof MACPRuntimeService.method;

/** The key of an RPC: its name with a small first letter. */
export type MethodKey = keyof ServiceMethods;

/** What a gRPC library needs to know of one RPC. */
export interface MethodEntry<K extends MethodKey = MethodKey> {
  /** As in the proto file, `StreamSession`. */
  readonly name: string;
  readonly path: `/macp.v1.MACPRuntimeService/${string}`;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly input: ServiceMethods[K]['input'];
  readonly output: ServiceMethods[K]['output'];
}

function entry<K extends MethodKey>(key: K): MethodEntry<K> {
  const { name, methodKind, input, output } = MACPRuntimeService.method[key];
  return {
    name,
    path: `/macp.v1.MACPRuntimeService/${name}`,
    // No RPC streams from the client alone; the compiler says so if one ever does.
    requestStream: methodKind === 'bidi_streaming',
    responseStream: methodKind !== 'unary',
    input,
    output,
  };
}

/** All RPCs of the service, from its descriptor. */
export const methods = Object.fromEntries(
  MACPRuntimeService.methods.map(({ localName }) => [localName, entry(localName as MethodKey)]),
) as { readonly [K in MethodKey]: MethodEntry<K> };
