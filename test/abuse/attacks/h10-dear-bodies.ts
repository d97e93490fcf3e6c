/** H10: bodies that are dear to read, with and without a credential, and lists over large records. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@handover/core';
import { envelope, startPayload } from '../../kit/envelopes.js';
import { WORKING_CHAIN } from '../arena/chain-nodes.js';
import { Token } from '../arena/identities.js';
import type { TargetAddress } from '../arena/target.js';
import type { Attack } from '../attack.js';
import * as json from '../bodies/json.js';
import { observe, observeEach } from '../observe.js';
import { inParallel } from '../pace.js';
import { type Answer, ask, bearer, post } from '../wire/http.js';
import { codeOfSend, grpcAs, heavyContext } from '../wire/macp.js';
import { callTool, listenBody, mcpRequest, newerHeaders } from '../wire/mcp.js';
import { Payment } from '../wire/payments.js';

type Got = Pick<Answer, 'code' | 'bytes'>;
type Where = Pick<TargetAddress, 'http' | 'grpc'>;

interface Variant {
  readonly name: string;
  send(where: Where): Promise<Got>;
}

const MB = 1_000_000;
/** A little less than the largest body of the MCP door, of an envelope, and of a result of a page. */
const MCP_BYTES = 11 * MB;
const ENVELOPE_BYTES = 1.45 * MB;
const RESULT_BYTES = 10 * MB;
const NOBODY: Readonly<Record<string, string>> = {};

const asArgument = (name: string, text: () => string): Variant => ({
  name: `${name} as an argument`,
  send: ({ http }) =>
    callTool(
      http,
      Token.attacker,
      'create_operation_handoff',
      `{"type":"t","network":"n","chainId":1,"payload":${text()}}`,
    ),
});
const envelopeOf = (name: string, text: () => string): Variant => ({
  name: `${name}, /macp/envelope, no credential`,
  send: ({ http }) => post(`${http}/macp/envelope`, text(), NOBODY),
});

const KNOWN: readonly Variant[] = [
  {
    name: '100,000 addresses in subscriptions/listen',
    send: ({ http }) => {
      const uris = Array.from({ length: 100_000 }, (_, n) => `handoff://context/${n}`);
      return post(`${http}/mcp`, listenBody(uris), newerHeaders(Token.reader, 'subscriptions/listen'));
    },
  },
  asArgument('11 MB of []', () => json.brackets(MCP_BYTES)),
  asArgument('11 MB of {}', () => json.braces(MCP_BYTES)),
  asArgument('11 MB of lists 900 deep', () => json.deep(MCP_BYTES, 900)),
  asArgument('11 MB of short texts', () => json.smallStrings(MCP_BYTES)),
  asArgument('11 MB of one key', () => json.sameKey(MCP_BYTES)),
  asArgument('500,000 keys', () => json.keys(500_000)),
  asArgument('a text of 11 MB of \\u0041', () => json.escapes(MCP_BYTES)),
  asArgument('a text of 11 MB of \\"', () => json.quotes(MCP_BYTES)),
  asArgument('a number of 11 MB', () => json.oneLongNumber(MCP_BYTES)),
  {
    name: '10 MB of metadata in registerSession',
    send: ({ http }) =>
      callTool(
        http,
        Token.attacker,
        'registerSession',
        `{"sessionKey":"${randomUUID()}","agentFrom":"attacker","metadata":{"m":${json.numbers(10 * MB)}}}`,
      ),
  },
  {
    name: 'an address of 10 MB in resources/read',
    send: ({ http }) =>
      mcpRequest(http, Token.reader, 'resources/read', `"uri":"handoff://context/${'%41'.repeat(3 * MB)}"`),
  },
  {
    name: 'SessionStart with 300,000 participants over gRPC',
    send: ({ grpc }) => {
      const participants = Array.from({ length: 300_000 }, () => 'a');
      return sending(
        grpc,
        Token.attacker,
        envelope(randomUUID(), 'attacker', 'SessionStart', startPayload({ participants })),
      );
    },
  },
  {
    name: 'SessionStart with 100,000 extensions over gRPC',
    send: ({ grpc }) => {
      const extensions = Object.fromEntries(
        Array.from({ length: 100_000 }, (_, n) => [String(n), new Uint8Array(0)]),
      );
      return sending(
        grpc,
        Token.attacker,
        envelope(
          randomUUID(),
          'attacker',
          'SessionStart',
          startPayload({ participants: ['attacker', 'b'], extensions }),
        ),
      );
    },
  },
];

/** Without a credential. */
const STRANGERS: readonly Variant[] = [
  envelopeOf('a context of 1 MB', () => json.contextJson(MB)),
  envelopeOf('1.4 MB of participants', () =>
    json.startJson(`"participants":${json.smallStrings(ENVELOPE_BYTES)}`),
  ),
  envelopeOf('1.4 MB of extensions', () => json.startJson(`"extensions":${json.keys(110_000, () => '""')}`)),
  envelopeOf('1.4 MB of []', () => json.brackets(ENVELOPE_BYTES)),
  {
    name: '1 MB by Send, no credential',
    send: ({ grpc }) => sending(grpc, null, heavyContext(randomUUID(), '')),
  },
  {
    name: '11 MB to /mcp, no credential',
    send: ({ http }) => post(`${http}/mcp`, json.brackets(MCP_BYTES), NOBODY),
  },
  {
    name: '10 MB of [] as the result of a bundle, no secret',
    send: ({ http }) =>
      post(`${http}/api/bundle-deploy/bd_${'A'.repeat(48)}/result`, json.brackets(RESULT_BYTES), NOBODY),
  },
];

/** Lists over what the attacker has stored before. */
const LISTS: readonly Variant[] = [
  {
    name: 'list_recent_operations over records of 9 MB',
    send: ({ http }) => callTool(http, Token.attacker, 'list_recent_operations', '{"limit":100}'),
  },
  {
    name: 'GET /macp/session over 9 MB of participants',
    send: ({ http }) => ask(`${http}/macp/session`, { headers: bearer(Token.attacker) }),
  },
];
const RECORDS = 6;
const RECORD_BYTES = 9 * MB;
const SESSIONS = 40;
const PARTICIPANTS = 1_000;
const AT_ONCE = 6;

export const dearBodies: Attack = {
  row: 'H10',
  title: 'bodies that are dear to read',

  async probe({ serve, say }) {
    const observed = [...KNOWN, ...STRANGERS].map(({ name, send }) => ({ what: name, request: send }));
    await observeEach(serve, observed, say);
    const target = await serve();
    say(`stored for the lists: ${await store(target)}`);
    for (const list of LISTS) say(await observe(target, { what: list.name, request: list.send }));
  },

  async full({ target, over, got }) {
    const variants = [...STRANGERS, ...KNOWN, ...LISTS];
    const storing = store(target).then((how) => got(`stored: ${how}`));
    await inParallel(over, AT_ONCE, async (turn) => {
      const { code } = await (variants[turn % variants.length] as Variant).send(target);
      got(code);
      if (code === 'RATE_LIMITED' || code === 'HTTP 429') await sleep(20);
    });
    await storing;
  },
};

async function sending(grpc: string, token: string | null, message: Envelope): Promise<Got> {
  const client = grpcAs(grpc, token);
  const code = await codeOfSend(client, message);
  client.close();
  return { code, bytes: 0 };
}

/** Says how it was answered. */
async function store({ http, grpc }: Where): Promise<string> {
  const payload = 'x'.repeat(RECORD_BYTES);
  const codes: string[] = [];
  for (let n = 0; n < RECORDS; n++)
    codes.push(
      await Payment.create(http, Token.attacker, WORKING_CHAIN, { payload }).then(
        () => 'OK',
        ({ code = 'failed' }: { code?: string }) => code,
      ),
    );
  const names = Array.from({ length: PARTICIPANTS - 1 }, (_, n) => `${n}-${'p'.repeat(240)}`);
  const start = startPayload({ participants: ['attacker', ...names] });
  for (let n = 0; n < SESSIONS; n++)
    codes.push(
      (await sending(grpc, Token.attacker, envelope(randomUUID(), 'attacker', 'SessionStart', start))).code,
    );
  return counted(codes);
}

function counted(codes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => `${count} ${code}`).join(', ');
}
