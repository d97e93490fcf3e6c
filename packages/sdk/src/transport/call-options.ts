import { type CallOptions as GrpcCallOptions, Metadata } from '@grpc/grpc-js';
import type { AuthConfig } from '../auth.js';

/** How one call differs from the client's defaults. */
export interface CallOptions {
  /** The credential of this call, in place of the client's. */
  readonly auth?: AuthConfig | undefined;
  /** Milliseconds until the call is given up. */
  readonly deadlineMs?: number | undefined;
  /** Gives the call up when it fires. */
  readonly signal?: AbortSignal | undefined;
}

export function metadataFor(auth: AuthConfig | undefined): Metadata {
  const metadata = new Metadata();
  if (auth?.bearerToken !== undefined) metadata.set('authorization', `Bearer ${auth.bearerToken}`);
  return metadata;
}

export function grpcOptions(deadlineMs: number | undefined): GrpcCallOptions {
  return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}
