/**
 * One attempt to deliver: a signed POST to a pinned address, with a time limit. It follows no redirect, because the
 * operator vouches only for the configured address. It uses the status and Retry-After of the answer, and nothing else.
 */

import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { iso } from '../../platform/iso.js';
import { timedSignal } from '../../platform/timed-signal.js';
import type { AddressRules } from './public-address.js';
import { type PinnedAddress, type Resolve, resolveTarget } from './resolve-target.js';
import type { WebhookEndpoint, WebhookEvent } from './types.js';

export type PostResult =
  | { readonly ok: true }
  /** `gone`: the receiver answered 410, and the delivery is not tried again. */
  | { readonly ok: false; readonly reason: string; readonly gone?: true; readonly retryAfterMs?: number };

export interface PostOptions {
  readonly rules: AddressRules;
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly resolve?: Resolve;
  readonly signal: AbortSignal;
}

const MAX_RETRY_AFTER_SECONDS = 86_400;

export async function postWebhook(
  endpoint: WebhookEndpoint,
  event: WebhookEvent,
  options: PostOptions,
): Promise<PostResult> {
  const url = new URL(endpoint.url);
  const target = await resolveTarget(url, options.rules, options.resolve);
  if (typeof target === 'string') return { ok: false, reason: target };
  if (url.protocol !== 'https:' && !options.rules.allowLoopback) return { ok: false, reason: 'not https' };
  return send(url, target, endpoint, event, options);
}

export function bodyOf({ type, at, data }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: iso(at), data });
}

function send(
  url: URL,
  { address, family }: PinnedAddress,
  endpoint: WebhookEndpoint,
  event: WebhookEvent,
  { now, timeoutMs, userAgent, signal }: PostOptions,
): Promise<PostResult> {
  const body = bodyOf(event);
  const until = timedSignal(signal, timeoutMs);
  const timestamp = Math.floor(now() / 1000);
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal: until.signal,
    lookup: (_host, lookupOptions, done) => {
      // Node asks for one address or for all, and expects the answer in that form.
      if (lookupOptions.all) done(null, [{ address, family }]);
      else done(null, address, family);
    },
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': userAgent,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': endpoint.sign(event.id, timestamp, body),
    },
  };
  return new Promise<PostResult>((resolve) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    request.once('error', (error) => resolve({ ok: false, reason: reasonOf(error) }));
    request.once('response', (response) => {
      resolve(resultOf(response));
      // The body of the answer is not needed, and a body without end must not hold the connection.
      response.destroy();
      request.destroy();
    });
    request.end(body);
  }).finally(() => until.release());
}

function resultOf({ statusCode = 0, headers }: IncomingMessage): PostResult {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const reason = `answered ${statusCode}`;
  if (statusCode === 410) return { ok: false, reason, gone: true };
  const seconds = /^[0-9]{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 0;
  const retryAfterMs = Math.min(seconds, MAX_RETRY_AFTER_SECONDS) * 1000;
  return retryAfterMs > 0 ? { ok: false, reason, retryAfterMs } : { ok: false, reason };
}

/** At most an error code: the message of a network error can repeat what the other side sent. */
function reasonOf(error: Error & { readonly code?: unknown }): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  return typeof error.code === 'string' ? `no connection (${error.code.slice(0, 40)})` : 'no connection';
}
