/** Refusals under `/api/v1` have one form, also those that the HTTP door decides before any route (docs/reference/api.md). */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@handover/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { wholeSeconds } from '../../services/macp/error-details.js';
import type { HttpContext } from './http-types.js';

export const API_PATH = '/api/v1';

export interface ApiError {
  readonly code: string;
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
  readonly details?: JsonObject;
  readonly retryAfterMs?: number;
  /** For the log; made here where nothing was logged. */
  readonly requestId?: string;
}

export const isApi = (c: HttpContext): boolean => c.req.path.startsWith(`${API_PATH}/`);

export function apiError(c: HttpContext, status: ContentfulStatusCode, error: ApiError): Response {
  const { requestId = randomUUID(), ...said } = error;
  if (said.retryAfterMs !== undefined) c.header('Retry-After', wholeSeconds(said.retryAfterMs));
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  return c.json({ error: { ...said, requestId } }, status);
}
