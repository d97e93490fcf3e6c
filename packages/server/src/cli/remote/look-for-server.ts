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
const NO_TLS =
  'Ask its operator for the address with TLS; only a server on this machine is reached without, by an address that begins with http://';

/** Why no connection that can be trusted is made; undefined: it is something else that keeps the server away. */
export function notTrusted(thrown: unknown, { shown }: ServerAddress): CommandFailure | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (/CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(code))
    return refused(`the certificate of ${shown} is not trusted (${code})`, EXTRA_ROOTS);
  if (!/^EPROTO$|^ERR_SSL_/.test(code)) return undefined;
  // What is no TLS at all looks like an odd version of it.
  return /wrong.version.number|packet.length.too.long/i.test(`${code} ${String(thrown)}`)
    ? refused(`what answers at ${shown} speaks no TLS (${code})`, NO_TLS)
    : refused(
        `no TLS connection to ${shown} can be made (${code})`,
        'Ask its operator which versions of TLS it takes',
      );
}
