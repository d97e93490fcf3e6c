/**
 * Whether a server is there and takes the token: one GET without a session. There is no stream to be had so, and the
 * refusal tells all that is needed.
 */
import type { IncomingMessage } from 'node:http';
import { type CommandFailure, notAllowed, refused } from '../conventions/failure.js';
import { bodyOf, scopesAsked, sentenceIn } from './answer-text.js';
import type { Requests } from './requests.js';
import type { ServerAddress } from './server-address.js';

export type Found =
  | { readonly kind: 'there' }
  /** It may be there later. */
  | { readonly kind: 'away' }
  /** Waiting does not mend it. */
  | { readonly kind: 'refused'; readonly why: Error };

const LOOK_MS = 10_000;
const MAX_REFUSAL_BYTES = 65_536;
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** `tokenRefused` is what a user whose token is refused should know. */
export async function lookForServer(
  requests: Requests,
  address: ServerAddress,
  tokenRefused: string,
): Promise<Found> {
  const asked = requests.ask('GET', { accept: 'text/event-stream' });
  const late = setTimeout(asked.cancel, LOOK_MS);
  try {
    const answer = await asked.answer;
    if (AWAY.has(answer.statusCode ?? 0)) return { kind: 'away' };
    const why = await refusalIn(answer, address, tokenRefused);
    return why ? { kind: 'refused', why } : { kind: 'there' };
  } catch (thrown) {
    const why = notTrusted(thrown, address);
    return why ? { kind: 'refused', why } : { kind: 'away' };
  } finally {
    clearTimeout(late);
    asked.cancel();
  }
}

async function refusalIn(
  answer: IncomingMessage,
  { shown }: ServerAddress,
  tokenRefused: string,
): Promise<Error | undefined> {
  const status = answer.statusCode ?? 0;
  if (status === 401) return notAllowed(tokenRefused);
  if (status === 404) return refused(`there is nothing at ${shown}/mcp`, 'Check the address after --server');
  if (status >= 300 && status < 400)
    return refused(`${shown} answers with a redirect, which is not followed`, 'Give the address it leads to');
  if (status !== 403) return undefined;
  const sentence = sentenceIn((await bodyOf(answer, MAX_REFUSAL_BYTES)) ?? '') ?? `${shown} refuses this`;
  const scopes = scopesAsked(answer);
  return notAllowed(scopes === undefined ? sentence : `${sentence} (scopes: ${scopes})`);
}

const EXTRA_ROOTS = 'NODE_EXTRA_CA_CERTS may name a file with further authorities';

/** Undefined: it is something else that keeps the server away. */
export function notTrusted(thrown: unknown, { shown }: ServerAddress): CommandFailure | undefined {
  const flaw = certificateFlaw(thrown);
  return flaw === undefined
    ? undefined
    : refused(`the certificate of ${shown} is not trusted (${flaw})`, EXTRA_ROOTS);
}

/** The code of what is wrong with a certificate, or with TLS at all. */
function certificateFlaw(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^EPROTO$|^ERR_SSL_/.test(code) ? code : undefined;
}
