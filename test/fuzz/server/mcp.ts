/** MCP over HTTP in both eras, with headers that agree with the message or not, and sessions that exist or not. */
import { type Json, json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { text } from '../values/texts.js';
import { exchange, requestBytes } from './http-wire.js';
import { judgeHttp, messagesIn } from './judge.js';
import { place } from './known.js';
import { message } from './mcp-cases.js';
import { headersOf, INITIALIZE, newerBody, newerHeaders, OLDER } from './mcp-wire.js';
import { outcomeIn, saw } from './outcomes.js';
import { AGENTS } from './people.js';
import { headerText } from './send-http.js';
import { serverTarget } from './server-target.js';
import type { ToolSchema } from './tool-arguments.js';

type McpCase = {
  as: string;
  method: string;
  headers: [string, string][];
  body: Json;
  hangUpMs: number | null;
};

const ANSWER = /acceptHandoff|declineHandoff/;

function newer(random: Random, tools: readonly ToolSchema[], as: string): Omit<McpCase, 'as' | 'hangUpMs'> {
  const said = message(random, tools, as);
  const body = newerBody(said);
  const right = newerHeaders(said);
  const headers = random.oneIn(10)
    ? right.filter(() => random.oneIn(2))
    : random.oneIn(12)
      ? right.map(([name]): [string, string] => [name, text(random, 40)])
      : right;
  return { method: 'POST', headers, body: random.oneIn(12) ? mutateJson(random, body) : body };
}

function older(random: Random, tools: readonly ToolSchema[], as: string): Omit<McpCase, 'as' | 'hangUpMs'> {
  const { method, params = {}, id = 1 } = random.oneIn(20) ? INITIALIZE : message(random, tools, as);
  const session = random.oneIn(12) ? text(random, 40) : place(random, 'mcp');
  const isOpening = method === 'initialize';
  const headers: [string, string][] = [['MCP-Protocol-Version', random.oneIn(15) ? text(random, 20) : OLDER]];
  if (!isOpening && !random.oneIn(20)) headers.push(['Mcp-Session-Id', session]);
  const opening: Json = {
    protocolVersion: OLDER,
    capabilities: random.oneIn(2) ? { elicitation: {} } : {},
    clientInfo: { name: 'fuzz', version: '1' },
  };
  const body: Json = {
    jsonrpc: '2.0',
    ...(method.startsWith('notifications/') ? {} : { id }),
    method,
    params: isOpening ? opening : params,
  };
  const verb = random.oneIn(200) ? random.pick(['DELETE', 'GET']) : 'POST';
  const whole: Json = random.oneIn(30) ? Array.from({ length: random.size(20) }, () => body) : body;
  return { method: verb, headers, body: random.oneIn(12) ? mutateJson(random, whole) : whole };
}

export const mcp = serverTarget<McpCase>({
  name: 'mcp',
  weight: 5,
  generate(random, tools) {
    const isNewer = random.oneIn(2);
    // A session of the older era belongs to the one who opened it.
    const usually = random.oneIn(isNewer ? 3 : 10) ? random.pick(AGENTS) : 'alice';
    const asked = random.oneIn(20) ? random.pick(['', 'nobody']) : usually;
    const made = isNewer ? newer(random, tools, asked) : older(random, tools, asked);
    // Offers are mostly made to bob.
    const as = isNewer && ANSWER.test(nameOf(made.body)) && !random.oneIn(4) ? 'bob' : asked;
    const body = random.oneIn(40) ? json(random) : made.body;
    return { as, ...made, body, hangUpMs: random.oneIn(25) ? random.int(30) : null };
  },
  async send({ as, method, headers, body, hangUpMs }, server) {
    const all = [...headersOf(server.bearer(as)), ...headers].map(([name, value]): [string, string] => [
      name,
      headerText(value),
    ]);
    const content = method === 'POST' ? { body: Buffer.from(JSON.stringify(body)) } : {};
    const bytes = requestBytes(server.http, { method, path: '/mcp', headers: all, ...content });
    const answer = await exchange(server.http, { bytes, ...(hangUpMs !== null && { hangUpMs }) });
    if (as === 'alice') server.known.add('mcp', answer.headers.get('mcp-session-id') ?? '');
    for (const one of messagesIn(answer)) server.known.learn(one);
    saw('mcp', `${answer.status} ${outcomeIn(messagesIn(answer)[0])}`);
    return judgeHttp(`${method} /mcp ${nameOf(body)}`, answer, hangUpMs !== null);
  },
});

/** The method, and the tool where it calls one. */
function nameOf(body: Json): string {
  const { method, params } = (body ?? {}) as { method?: Json; params?: { name?: Json } | null };
  return [method, params?.name]
    .filter((name) => typeof name === 'string')
    .join(' ')
    .slice(0, 80);
}
