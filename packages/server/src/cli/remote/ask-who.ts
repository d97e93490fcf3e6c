/** Whose token it is, and what it may do: one call of `whoAmI` at a server elsewhere. */
import { isFields } from '@handover/core';
import { isAgentName } from '../../auth/agent-name.js';
import { ALL_SCOPES } from '../../auth/scopes.js';
import { type CommandFailure, noServer, notAllowed, refused } from '../conventions/failure.js';
import { bodyOf, sentenceIn } from './answer-text.js';
import { bearerFor } from './bearer.js';
import { connectionHeaders } from './connection-headers.js';
import { notTrusted } from './look-for-server.js';
import { headersOf, messageHead, parsed } from './message-head.js';
import { isStream, readMessages } from './message-stream.js';
import type { RemotePlace } from './post-api.js';
import { Requests } from './requests.js';
import { serverAddress } from './server-address.js';

export type Asked =
  /** Of the scopes, those that are known here. */
  | { readonly kind: 'known'; readonly agent: string; readonly scopes: readonly string[] }
  /** It may answer another time, or to another program. */
  | { readonly kind: 'unknown'; readonly why: CommandFailure }
  /** It does not take the token, or is no such server. */
  | { readonly kind: 'refused'; readonly why: CommandFailure };

const ASK_MS = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;
const AWAY: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const META = 'io.modelcontextprotocol/';
const QUESTION = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'whoAmI',
    arguments: {},
    _meta: {
      [`${META}protocolVersion`]: '2026-07-28',
      [`${META}clientInfo`]: { name: 'handover', version: '1' },
      [`${META}clientCapabilities`]: {},
    },
  },
});

/** Throws a sentence for the user when the address or the token is wrong, before anything is sent. */
export async function askWho({ server, token, agent }: RemotePlace): Promise<Asked> {
  const address = serverAddress(server);
  const { shown } = address;
  const { bearer, tokenRefused } = bearerFor(token, agent, address);
  const said = {
    authorization: `Bearer ${bearer()}`,
    ...connectionHeaders(agent === undefined ? {} : { agent }),
  };
  const requests = new Requests(address.mcp, said);
  const asked = requests.ask(
    'POST',
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf(messageHead(QUESTION)),
    },
    QUESTION,
  );
  const late = setTimeout(asked.cancel, ASK_MS);
  try {
    const answer = await asked.answer;
    const status = answer.statusCode ?? 0;
    if (status === 401) return { kind: 'refused', why: notAllowed(tokenRefused) };
    if (AWAY.has(status)) return away(shown);
    const text = isStream(answer) ? await lastLine(answer) : ((await bodyOf(answer, MAX_ANSWER_BYTES)) ?? '');
    const sentence = sentenceIn(text);
    if (status === 403) return { kind: 'refused', why: notAllowed(sentence ?? `${shown} refuses this`) };
    if (status !== 200)
      return {
        kind: 'refused',
        why: refused(`${shown} answered ${status}, and not as a server of ours`, CHECK),
      };
    return (
      knownIn(text) ?? {
        kind: 'unknown',
        why: refused(sentence ?? `${shown} does not say whose token it is`),
      }
    );
  } catch (thrown) {
    const why = notTrusted(thrown, address);
    return why ? { kind: 'unknown', why } : away(shown);
  } finally {
    clearTimeout(late);
    requests.close();
  }
}

const CHECK = 'Check the address after --server';
const away = (shown: string): Asked => ({ kind: 'unknown', why: noServer(`${shown} does not answer`) });

async function lastLine(answer: Parameters<typeof readMessages>[0]): Promise<string> {
  let last = '';
  await readMessages(answer, MAX_ANSWER_BYTES, {
    line: (line) => {
      last = line;
    },
  });
  return last;
}

function knownIn(text: string): Asked | undefined {
  const message = parsed(text);
  const result = isFields(message) ? message.result : undefined;
  const who = isFields(result) ? result.structuredContent : undefined;
  if (!isFields(who) || !isAgentName(who.agent) || !Array.isArray(who.scopes)) return undefined;
  // What is said here is shown, and the name is written down: another server may say anything.
  const said = new Set<unknown>(who.scopes);
  return { kind: 'known', agent: who.agent, scopes: [...ALL_SCOPES].filter((scope) => said.has(scope)) };
}
