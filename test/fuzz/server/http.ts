/** Every HTTP route with every method: bodies that are right, nearly right and wrong, headers, queries, framings. */
import { envelopeJson } from '../decoders/envelopes.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text, uuid, word } from '../values/texts.js';
import { HEADERS, METHODS, PATHS } from './http-tables.js';
import { place } from './known.js';
import { move } from './moves.js';
import { AGENTS } from './people.js';
import { type HttpCase, sendHttp } from './send-http.js';
import { serverTarget } from './server-target.js';

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
