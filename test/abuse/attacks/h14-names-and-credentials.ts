/** H14: names that are the runtime's own, tokens that live for ever, secrets in addresses, no limit of bytes, short tokens. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { start } from '../../kit/envelopes.js';
import { WORKING_CHAIN } from '../arena/chain-nodes.js';
import { Token } from '../arena/identities.js';
import type { Arena, Attack } from '../attack.js';
import { ask } from '../wire/http.js';
import { jwtEnv, signed } from '../wire/jwt.js';
import { codeOfSend, grpcAs, heavyContext, heavySession } from '../wire/macp.js';
import { Payment } from '../wire/payments.js';

const NAMES = ['_runtime', 'operator', 'person:alice'];
const YEARS = 365 * 86_400;
const LONG = 'long-enough-for-every-build-0123';
const QUOTA_BYTES = 3 * 1_048_576;

const staticToken = (token: string, sender: string) => ({
  MACP_ALLOW_INSECURE: '1',
  MACP_AUTH_TOKENS_JSON: JSON.stringify([{ token, sender }]),
});

export const namesAndCredentials: Attack = {
  row: 'H14',
  title: 'names and credentials',

  async probe(arena) {
    await names(arena);
    await lives(arena);
    await secretsAndBytes(arena);
    await shortTokens(arena);
  },
};

async function names({ launch, serve, say }: Arena): Promise<void> {
  for (const name of NAMES) {
    const { ready } = await launch({ env: staticToken(LONG, name) });
    say(`a static token for ${name}: ${ready ? 'the server starts with it' : 'refused at start'}`);
  }
  const jwt = await serve({ env: { ...jwtEnv(), MACP_AUTH_TOKENS_JSON: '' } });
  const dev = await launch({ env: {}, args: ['--dev'] });
  const starting = (grpc: string, bearer: string, name: string) =>
    codeOfSend(grpcAs(grpc, bearer), start(crypto.randomUUID(), name, { participants: [name, 'b'] }));
  for (const name of NAMES)
    say(
      `${name} starts a session: by JWT ${await starting(jwt.grpc, signed({ sub: name }), name)}, in dev mode ${await starting(dev.grpc, name, name)}, local socket ${await welcome(jwt.folder, name)}`,
    );
}

async function lives({ serve, say }: Arena): Promise<void> {
  const { grpc } = await serve({ env: { ...jwtEnv(), MACP_AUTH_TOKENS_JSON: '' } });
  const code = (claims: Parameters<typeof signed>[0]) =>
    codeOfSend(
      grpcAs(grpc, signed(claims)),
      start(crypto.randomUUID(), 'agent', { participants: ['agent', 'b'] }),
    );
  say(
    `a JWT that lives for ten years: ${await code({ lifeSecs: 10 * YEARS })}; one issued tomorrow: ${await code({ issuedInSecs: 86_400, lifeSecs: 2 * 86_400 })}`,
  );
}

async function secretsAndBytes({ serve, say }: Arena): Promise<void> {
  const { http, grpc } = await serve({ env: { HANDOVER_QUOTA_BYTES_AGENT: String(QUOTA_BYTES) } });
  const payment = await Payment.create(http, Token.attacker, WORKING_CHAIN);
  say(`the secret in ?k=: ${(await ask(`${payment.url}?k=${payment.secret}`)).status}`);
  const client = grpcAs(grpc, Token.attacker);
  const sessionId = await heavySession(client, 'attacker', 'accomplice', 2);
  const codes: string[] = [];
  for (let n = 0; n < 3; n++) codes.push(await codeOfSend(client, heavyContext(sessionId, 'attacker')));
  say(`MiB 3, 4 and 5 of an agent whose quota is 3 MiB: ${codes.join(', ')}`);
}

async function shortTokens({ launch, say }: Arena): Promise<void> {
  const shown = ({ ready, said }: { ready: boolean; said: string }) =>
    ready ? `starts, and ${/24 bytes|short/i.test(said) ? 'warns' : 'says nothing'}` : 'refused at start';
  const env = staticToken('t', 'agent');
  say(`a token of one byte on loopback: ${shown(await launch({ env }))}`);
  const beyond = {
    env: { ...env, HANDOVER_TRUSTED_PROXY: '203.0.113.7/32' },
    args: ['--http-host', '0.0.0.0'],
  };
  say(`a token of one byte beyond loopback: ${shown(await launch(beyond))}`);
}

/** What the local socket answers to whoever says that this is its name. */
function welcome(folder: string, agent: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(join(folder, 'local.sock'));
    socket.on('error', ({ message }) => resolve(message));
    socket.once('data', (line) => {
      socket.destroy();
      resolve(/"ok":true/.test(String(line)) ? 'OK' : 'refused');
    });
    const token = readFileSync(join(folder, 'local-token'), 'utf8').trim();
    socket.write(`${JSON.stringify({ handover: 1, wanted: 'hook', token, agent, version: '0.1.0' })}\n{}\n`);
  });
}
