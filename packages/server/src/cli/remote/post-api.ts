/**
 * One question to the API of a server elsewhere (docs/reference/api.md), and what its answer means for whoever asks.
 * Nothing is asked twice here.
 */
import type { IncomingMessage } from 'node:http';
import { isFields } from '@handover/core';
import { type CommandFailure, noServer, notAllowed, refused } from '../conventions/failure.js';
import { bodyOf, sentenceIn } from './answer-text.js';
import { bearerFor } from './bearer.js';
import { notTrusted } from './look-for-server.js';
import { parsed } from './message-head.js';
import { Requests } from './requests.js';
import { serverAddress } from './server-address.js';

/** A server elsewhere, as the flags of a command name it. */
export interface RemotePlace {
  readonly server: string;
  readonly token?: string;
  /** The server refuses a token of somebody else. */
  readonly agent?: string;
}

export type ApiAnswer =
  | { readonly kind: 'done'; readonly value: unknown }
  /** The same question gets the same answer. */
  | { readonly kind: 'refused'; readonly why: CommandFailure }
  /** It may be taken another time, or with another token. */
  | { readonly kind: 'later'; readonly why: CommandFailure; readonly requiredScope?: string };

const MAX_ANSWER_BYTES = 1_048_576;
const FINAL: ReadonlySet<number> = new Set([400, 409, 410, 413, 415]);
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Throws a sentence for the user when the address or the token is wrong. */
export function checkPlace({ server, token, agent }: RemotePlace): void {
  bearerFor(token, agent, serverAddress(server));
}

/** Throws the same, before anything is sent. */
export async function postApi(
  { server, token, agent }: RemotePlace,
  path: 'hook' | 'capture',
  body: object,
  timeoutMs: number,
): Promise<ApiAnswer> {
  const address = serverAddress(server);
  const { shown } = address;
  const { bearer, tokenRefused } = bearerFor(token, agent, address);
  const url = new URL(`${shown}/api/v1/${path}`);
  const requests = new Requests(url, { authorization: `Bearer ${bearer()}` });
  const text = JSON.stringify({ ...body, ...(agent !== undefined && { agent }) });
  const asked = requests.ask(
    'POST',
    { 'content-type': 'application/json', accept: 'application/json' },
    text,
  );
  const late = setTimeout(asked.cancel, timeoutMs);
  try {
    const answer = await asked.answer;
    const said = await bodyOf(answer, MAX_ANSWER_BYTES);
    return read(answer, said, { shown, url, tokenRefused });
  } catch (thrown) {
    return { kind: 'later', why: notTrusted(thrown, address) ?? noServer(`${shown} does not answer`) };
  } finally {
    clearTimeout(late);
    requests.close();
  }
}

interface About {
  readonly shown: string;
  readonly url: URL;
  readonly tokenRefused: string;
}

function read({ statusCode = 0 }: IncomingMessage, said: string | undefined, about: About): ApiAnswer {
  const { shown, url, tokenRefused } = about;
  const value = said === undefined ? undefined : parsed(said);
  const sentence = said === undefined ? undefined : sentenceIn(said);
  if (statusCode === 200 && isFields(value)) return { kind: 'done', value };
  if (sentence !== undefined && FINAL.has(statusCode)) return { kind: 'refused', why: refused(sentence) };
  if (statusCode === 401) return { kind: 'later', why: notAllowed(tokenRefused) };
  if (statusCode === 403)
    return { kind: 'later', why: notAllowed(sentence ?? `${shown} refuses this`), ...scopeIn(value) };
  if (statusCode === 404) return { kind: 'later', why: refused(`there is nothing at ${url.href}`, OLDER) };
  if (statusCode >= 300 && statusCode < 400) return { kind: 'later', why: refused(REDIRECT(shown)) };
  if (AWAY.has(statusCode)) return { kind: 'later', why: noServer(`${shown} does not answer`) };
  return {
    kind: 'later',
    why: refused(sentence ?? `${shown} answered ${statusCode}, and not as this server does`),
  };
}

const OLDER = 'Check the address after --server; or the server is older than this command';
const REDIRECT = (shown: string) => `${shown} answers with a redirect, which is not followed`;

function scopeIn(value: unknown): { readonly requiredScope?: string } {
  const details = isFields(value) && isFields(value.error) ? value.error.details : undefined;
  const scope = isFields(details) ? details.requiredScope : undefined;
  return typeof scope === 'string' ? { requiredScope: scope } : {};
}
