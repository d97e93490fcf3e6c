/** Sends one HTTP request as it was made up, and judges the answer. */
import { envelopeFromJson } from '@handover/core';
import { encodeEnvelope } from '@handover/wire';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';
import { ENVELOPE_CONTENT_TYPE } from '../../../packages/server/src/services/macp/discovery.js';
import type { Flaw } from '../target.js';
import { parsed } from '../values/json.js';
import { exchange, requestBytes } from './http-wire.js';
import { judgeHttp, messagesIn } from './judge.js';
import { saw } from './outcomes.js';
import type { ServerUnderTest } from './server-under-test.js';

export type HttpCase = {
  as: string;
  method: string;
  path: string;
  headers: [string, string][];
  body: string | null;
  chunked: boolean;
  hangUpMs: number | null;
};

export async function sendHttp(one: HttpCase, server: ServerUnderTest): Promise<Flaw | undefined> {
  const bearer = server.bearer(one.as);
  const credential: [string, string][] = bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`]];
  const all = [...(one.headers.some(([name]) => name === 'Authorization') ? [] : credential), ...one.headers];
  const bytes = requestBytes(server.http, {
    method: one.method,
    path: one.path,
    headers: all.map(([name, value]): [string, string] => [name, headerText(value)]),
    ...(one.body !== null && { body: bodyOf(one) }),
    framing: one.chunked ? 'chunked' : 'length',
  });
  const answer = await exchange(server.http, {
    bytes,
    ...(one.hangUpMs !== null && { hangUpMs: one.hangUpMs }),
  });
  for (const message of messagesIn(answer)) server.known.learn(message);
  saw(one.path.startsWith('/api/') ? 'pages' : 'http', `${one.method} ${answer.status}`);
  // A length or an upgrade that is not true breaks the exchange off, and that is the client's doing.
  const lies = one.headers.some(([name]) => /^(content-length|upgrade|expect)$/i.test(name));
  return judgeHttp(
    `${one.method} ${one.path.split('?')[0]?.replace(/[0-9a-f-]{20,}/g, 'ID')}`,
    answer,
    lies || one.hangUpMs !== null,
  );
}

/** As bytes in UTF-8, without what would end the header. */
export const headerText = (value: string): string =>
  Buffer.from(value)
    .toString('latin1')
    .replace(/[\r\n\0]/g, '');

/** Cases are written in JSON; one that says it is protobuf is made so here, if it can be. */
function bodyOf({ body, headers }: HttpCase): Uint8Array {
  const text = Buffer.from(body ?? '');
  const isProto = headers.some(([, value]) => value === ENVELOPE_CONTENT_TYPE);
  const reading = isProto ? envelopeFromJson(parsed(body ?? ''), nodeCodec) : undefined;
  return reading && 'envelope' in reading ? encodeEnvelope(reading.envelope) : text;
}
