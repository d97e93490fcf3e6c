/** Every HTTP route with every method: bodies that are right, nearly right and wrong, headers, queries, framings. */
import { envelopeJson } from '../decoders/envelopes.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text, uuid, word } from '../values/texts.js';
import { exchange, requestBytes } from './http-wire.js';
import { judgeHttp, messagesIn } from './judge.js';
import { place } from './known.js';
import { move } from './moves.js';
import { saw } from './outcomes.js';
import { AGENTS } from './people.js';
import { serverTarget } from './server-target.js';

export type HttpCase = {
  as: string;
  method: string;
  path: string;
  headers: [string, string][];
  body: string | null;
  chunked: boolean;
  hangUpMs: number | null;
};

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY'];
const PATHS = [
  '/macp/envelope',
  '/macp/envelope',
  '/macp/envelope',
  '/macp/envelope',
  '/macp/envelope',
  '/macp/envelope',
  '/macp/session/start',
  '/macp/session',
  '/macp/session/ID',
  '/macp/session/ID/events',
  '/macp/session/ID/cancel',
  '/macp/session/ID/suspend',
  '/macp/session/ID/resume',
  '/.well-known/macp.json',
  '/.well-known/oauth-protected-resource',
  '/health',
  '/ready',
  '/metrics',
  '/mcp',
  '/operations/ID',
  '/pages/assets/ID',
  '/pages/chains/1.json',
  '/pages/chains/ID',
  '/',
];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Content-Type',
    [
      'application/json',
      'application/macp-envelope+json',
      'application/macp-envelope+proto',
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
    ],
  ],
  ['Last-Event-ID', ['0', '1', '999999999999999', '-1', '1.5', 'abc', '']],
  ['Accept', ['text/event-stream', '*/*', 'application/json']],
  ['Origin', ['http://localhost:1', 'https://evil.example', 'null', '']],
  ['Host', ['localhost', '127.0.0.1', 'evil.example', '', 'a b', '[::1']],
  ['Content-Encoding', ['gzip', 'identity', 'br']],
  ['X-Forwarded-For', ['1.2.3.4', '127.0.0.1', ',,,']],
  ['X-Macp-Token', ['x', 'alice']],
  ['Sec-Fetch-Site', ['cross-site', 'same-origin']],
  ['Expect', ['100-continue', '200-ok']],
  ['Content-Length', ['0', '5', '-1', '1e3', '99999999999']],
  ['Upgrade', ['h2c', 'websocket']],
  ['Range', ['bytes=0-1']],
];

function path(random: Random): string {
  const id = random.oneIn(3)
    ? place(random, 'session')
    : random.oneIn(3)
      ? encodeURIComponent(word(random))
      : uri(random);
  const chosen = random.pick(PATHS).replace('ID', id);
  if (random.oneIn(4))
    return `${chosen}?after=${uri(random)}&page_size=${random.pick(['1', '0', '-1', '1e9', '5000'])}&page_token=${random.oneIn(2) ? place(random, 'cursor') : uri(random)}`;
  return random.oneIn(12) ? mutateText(random, chosen).replace(/[\s\u0080-\uffff]/g, '') : chosen;
}

const uri = (random: Random): string => encodeURIComponent(text(random, 300).replace(/\p{Cs}/gu, ''));

function headers(random: Random): [string, string][] {
  const chosen = HEADERS.filter(() => random.oneIn(30)).map(([name, values]): [string, string] => [
    name,
    random.pick(values),
  ]);
  if (random.oneIn(10)) return chosen;
  return [...chosen.filter(([name]) => name !== 'Content-Type'), ['Content-Type', 'application/json']];
}

function body(random: Random, as: string, where: string, said: Json): string | null {
  if (random.oneIn(15)) return null;
  if (random.oneIn(40)) return '['.repeat(random.size(500_000));
  if (random.oneIn(60)) return JSON.stringify({ payload_b64: 'A'.repeat(random.size(1_500_000)) });
  if (random.oneIn(15)) return jsonText(random, json(random));
  const envelope = random.oneIn(3)
    ? envelopeJson(random, as, random.oneIn(2) ? place(random, 'session') : uuid(random))
    : said;
  const right: Json = /cancel|suspend|resume/.test(where) ? { reason: text(random, 300) } : envelope;
  return random.oneIn(3) ? jsonText(random, mutateJson(random, right)) : JSON.stringify(right);
}

export const http = serverTarget<HttpCase>({
  name: 'http',
  generate(random) {
    const where = path(random);
    const { as: speaker, envelope } = move(random);
    const usually = /envelope|start/.test(where) ? speaker : random.pick(AGENTS);
    const as = random.oneIn(12) ? random.pick(['', 'nobody', text(random, 40)]) : usually;
    const usual = /envelope|start|cancel|suspend|resume|mcp/.test(where) ? 'POST' : 'GET';
    const method = random.oneIn(4) ? random.pick(METHODS) : usual;
    const given = method === 'GET' || method === 'HEAD' ? null : body(random, as, where, envelope);
    const hangUpMs = random.oneIn(25) ? random.int(30) : null;
    return {
      as,
      method,
      path: where,
      headers: headers(random),
      body: given,
      chunked: random.oneIn(5),
      hangUpMs,
    };
  },
  send: sendHttp,
});

/** Also for other targets that speak HTTP. */
export async function sendHttp(
  one: HttpCase,
  server: Parameters<Parameters<typeof serverTarget<HttpCase>>[0]['send']>[1],
) {
  const bearer = server.bearer(one.as);
  const credential: [string, string][] = bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`]];
  const all = [...(one.headers.some(([name]) => name === 'Authorization') ? [] : credential), ...one.headers];
  const bytes = requestBytes(server.http, {
    method: one.method,
    path: one.path,
    headers: all.map(([name, value]): [string, string] => [
      name,
      Buffer.from(value)
        .toString('latin1')
        .replace(/[\r\n\0]/g, ''),
    ]),
    ...(one.body !== null && { body: Buffer.from(one.body) }),
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
