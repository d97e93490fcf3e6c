/**
 * The requests of one session or connection that are not answered yet, by their ids. Two of one id would get one another's
 * answers, so the second one is not begun.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/server';
import { fixedLimits } from '../../config/fixed-limits.js';

const MAX = fixedLimits.mcpRequestsUnderWay.value;

export class RequestsUnderWay {
  readonly #ids = new Set<RequestId>();

  /** There is room for so many more. */
  hasRoom(more = 1): boolean {
    return this.#ids.size + more <= MAX;
  }

  /** False: a request of that id is under way. */
  begin(id: RequestId): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    return true;
  }

  end(id: RequestId): void {
    this.#ids.delete(id);
  }
}

/** The id of the request that the message answers. */
export function answeredBy(message: unknown): RequestId | undefined {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? message.id : undefined;
}

/** The id of the request that the message cancels. The SDK does not answer that one any more. */
export function cancelledBy(message: unknown): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

export const sameIdSentence = (id: RequestId): string =>
  `Invalid Request: a request with the id ${JSON.stringify(id).slice(0, MAX_SHOWN)} is under way; give each one an id of its own`;

const MAX_SHOWN = 64;
