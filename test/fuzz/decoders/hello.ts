/** The first lines of the local socket: hello, welcome, and the message that names an assistant. */
import { Duplex } from 'node:stream';
import { fixedLimits } from '../../../packages/server/src/config/fixed-limits.js';
import {
  agentIdOf,
  readOpening,
  refusalLine,
} from '../../../packages/server/src/doors/socket/client-name.js';
import {
  helloLine,
  readHello,
  readWelcome,
  welcomeLine,
} from '../../../packages/server/src/doors/socket/hello.js';
import { readLine } from '../../../packages/server/src/doors/socket/read-line.js';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';

/** As much as the door reads of a message before it knows who speaks. */
const MAX_OPENING = 1_048_576;

const HELLO: Json = { handover: 1, wanted: 'hook', token: 'a'.repeat(64), agent: 'alice', version: '0.1.0' };
const WELCOME: Json = { ok: true, version: '0.1.0', answer: [{ handoffId: 's:h1' }] };
const OPENING: Json = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    clientInfo: { name: 'Claude Code', version: '1' },
    _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'x' } },
  },
};

const line = (random: Random): string =>
  random.oneIn(2_000)
    ? '['.repeat(random.between(1, MAX_OPENING))
    : jsonText(
        random,
        random.oneIn(8) ? json(random) : mutateJson(random, random.pick([HELLO, WELCOME, OPENING])),
      );

export const hello = decoderTarget({
  name: 'socket-lines',
  generate(random) {
    const text = `${line(random)}${random.oneIn(6) ? '' : '\n'}${random.oneIn(3) ? line(random) : ''}`;
    const cuts = Array.from({ length: random.size(6) }, () => random.int(text.length + 1)).sort(
      (a, b) => a - b,
    );
    return { text, cuts };
  },
  async check(input) {
    const { text, cuts } = input as { text: string; cuts: number[] };
    // Longer lines never reach these two.
    const first = text.slice(0, fixedLimits.localHelloBytes.value);
    const read = readHello(first);
    if (typeof read !== 'string' && typeof readHello(helloLine(read)) === 'string')
      return 'a hello is not stable';
    const welcome = readWelcome(first);
    if (readWelcome(welcomeLine(welcome)).ok !== welcome.ok) return 'a welcome is not stable';
    const { id, name } = readOpening(text.slice(0, MAX_OPENING));
    if (id !== undefined) refusalLine(id, 'no');
    if (name !== undefined && agentIdOf(name) !== name) return 'the name of an assistant is not stable';
    return lineFlaw(text, cuts);
  },
});

/** However the bytes arrive, the first line is the same, and what follows it is not lost. */
async function lineFlaw(text: string, cuts: readonly number[]): Promise<string | undefined> {
  const bytes = Buffer.from(text);
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const reading = readLine(socket as never, { maxBytes: fixedLimits.localHelloBytes.value });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut > from) socket.push(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  socket.push(null);
  const got = await reading;
  const end = bytes.indexOf(0x0a);
  const meant =
    end < 0 || end > fixedLimits.localHelloBytes.value ? undefined : bytes.subarray(0, end).toString();
  if (got === meant) return undefined;
  return `read ${String(got).slice(0, 40)} instead of the first line`;
}
