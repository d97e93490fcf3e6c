import { type ServiceError, status } from '@grpc/grpc-js';

/** A call that was refused without an Ack: the name of its gRPC status, or of its counterpart. */
export interface Refused {
  readonly status: string;
  readonly message: string;
  /** The trailer macp-error-code. */
  readonly code?: string;
}

export function isRefused(answer: object): answer is Refused {
  return 'status' in answer && !('ok' in answer);
}

export function refusedBy(thrown: unknown): Refused {
  const error = thrown as ServiceError;
  const [code] = error.metadata?.get('macp-error-code') ?? [];
  return { status: status[error.code], message: error.details, ...(code && { code: String(code) }) };
}

/** The status with which a call was refused. */
export async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the call was not refused');
}
