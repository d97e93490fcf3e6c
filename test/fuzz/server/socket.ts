/** The local socket by hand: first lines that are right, partial, endless or binary, and frames behind a right one. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findSocket } from '../../../packages/server/src/doors/socket/socket-place.js';
import type { Flaw } from '../target.js';
import { type Json, json, parsed } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text } from '../values/texts.js';
import { internalIn } from './judge.js';
import { message } from './mcp-cases.js';
import { INITIALIZE, newerBody } from './mcp-wire.js';
import { outcomeIn, saw } from './outcomes.js';
import { serverTarget } from './server-target.js';
import type { ServerUnderTest } from './server-under-test.js';
import type { ToolSchema } from './tool-arguments.js';

type SocketCase = { first: string; lines: string[]; newline: boolean; binary: boolean; hangUp: boolean };

const TOKEN = '‹‹token››';

function hello(random: Random): string {
  const right: Json = {
    handover: 1,
    wanted: random.pick(['mcp', 'mcp', 'mcp', 'waiting', 'dead-webhooks', 'server']),
    token: TOKEN,
    version: '0.1.0',
    ...(random.oneIn(4) ? {} : { agent: random.pick(['alice', 'bob', 'carol']) }),
  };
  if (random.oneIn(3)) return jsonText(random, mutateJson(random, right));
  return random.oneIn(20)
    ? 'x'.repeat(random.size(20_000))
    : random.oneIn(20)
      ? text(random)
      : JSON.stringify(right);
}

function line(random: Random, tools: readonly ToolSchema[]): string {
  const said = message(random, tools, 'alice');
  const whole: Json = random.oneIn(3)
    ? { jsonrpc: '2.0', ...(INITIALIZE as object), id: 1 }
    : random.oneIn(2)
      ? newerBody(said)
      : ({ jsonrpc: '2.0', ...said } as Json);
  if (random.oneIn(40)) return '['.repeat(random.size(300_000));
  if (random.oneIn(4)) return jsonText(random, random.oneIn(4) ? json(random) : mutateJson(random, whole));
  return random.oneIn(12) ? mutateText(random, JSON.stringify(whole)) : JSON.stringify(whole);
}

export const socket = serverTarget<SocketCase>({
  name: 'local-socket',
  batch: 100,
  generate: (random, tools) => ({
    first: hello(random),
    lines: Array.from({ length: random.size(12) }, () => line(random, tools)),
    newline: !random.oneIn(15),
    binary: random.oneIn(12),
    hangUp: random.oneIn(6),
  }),
  async send(one, server) {
    const token = readFileSync(join(server.folder, 'local-token'), 'utf8').trim();
    const lines = [one.first.replaceAll(TOKEN, token), ...one.lines];
    const whole = Buffer.from(
      `${lines.join('\n')}${one.newline ? '\n' : ''}`,
      one.binary ? 'latin1' : 'utf8',
    );
    return visit(server, whole, one.hangUp);
  },
});

const QUIET_MS = 60;
const LONGEST_MS = 15_000;

/** Writes everything, and reads until nothing has come for a moment, or the server hangs up. */
function visit(server: ServerUnderTest, bytes: Buffer, hangUp: boolean): Promise<Flaw | undefined> {
  const path = findSocket(server.folder);
  if (path === undefined) return Promise.resolve({ kind: 'unanswered', what: 'the socket is gone' });
  return new Promise((resolve) => {
    let heard = '';
    let refused = false;
    const stream = connect(path);
    const leave = () => stream.destroy();
    const longest = setTimeout(leave, LONGEST_MS);
    let quiet: NodeJS.Timeout | undefined;
    stream.on('connect', () => {
      stream.write(bytes);
      if (hangUp) setTimeout(leave, 5);
    });
    stream.on('data', (chunk) => {
      heard += chunk;
      clearTimeout(quiet);
      quiet = setTimeout(leave, QUIET_MS);
    });
    stream.on('error', () => {
      refused = heard === '';
    });
    stream.on('close', () => {
      clearTimeout(longest);
      clearTimeout(quiet);
      resolve(judge(server, heard, hangUp || refused));
    });
  });
}

function judge(server: ServerUnderTest, heard: string, mayBeSilent: boolean): Flaw | undefined {
  if (heard === '' && !mayBeSilent)
    return { kind: 'unanswered', what: 'the socket was closed without a line' };
  for (const one of heard.split('\n')) {
    const said = parsed(one);
    server.known.learn(said);
    if (said !== undefined) saw('local-socket', outcomeIn(said));
    const inside = internalIn(said);
    if (inside !== undefined) return { kind: 'internal', what: `local socket: ${inside}` };
  }
  return undefined;
}
