import { type CallOptions as GrpcCallOptions, Metadata } from '@grpc/grpc-js';
import { given, type Names, validateSignal, validateTimeout } from '../arguments.js';
import { type AuthConfig, validateAuth } from '../auth.js';

/** How one call differs from the client's defaults. */
export interface CallOptions {
  /** The credential of this call, in place of the client's. */
  readonly auth?: AuthConfig | undefined;
  /** Milliseconds until the call is given up, all attempts and waits together. */
  readonly deadlineMs?: number | undefined;
  /** Gives the call up when it fires. */
  readonly signal?: AbortSignal | undefined;
}

export const CALL_OPTIONS: Names<CallOptions> = { auth: true, deadlineMs: true, signal: true };

export function metadataFor(auth: AuthConfig | undefined): Metadata {
  const metadata = new Metadata();
  if (auth?.bearerToken !== undefined) metadata.set('authorization', `Bearer ${auth.bearerToken}`);
  return metadata;
}

export function grpcOptions(deadlineMs: number): GrpcCallOptions {
  return { deadline: Date.now() + deadlineMs };
}

export function validateCall(options: CallOptions): void {
  const { auth, deadlineMs, signal } = given('options', options);
  validateAuth(auth);
  validateTimeout('deadlineMs', deadlineMs);
  validateSignal(signal);
}
