/**
 * Frames on the gRPC port that no client library sends: resets without end, CONTINUATION without end, floods of SETTINGS
 * and PING, window updates of nothing, frames in the wrong place or of the wrong size. No answer is owed to any of them;
 * the server has to live and to serve everybody else.
 */

import { connect } from 'node:net';
import { methods } from '@handover/wire';
import { frame, PREFACE } from '../../kit/http2-frames.js';
import { Random } from '../values/random.js';
import { mutateBytes } from '../values/texts.js';
import { serverTarget } from './server-target.js';

type FrameCase = { attack: string; count: number; seed: number; damage: boolean; staysMs: number };

const Type = {
  Data: 0,
  Headers: 1,
  Priority: 2,
  Reset: 3,
  Settings: 4,
  Push: 5,
  Ping: 6,
  GoAway: 7,
  Window: 8,
  Continuation: 9,
} as const;
const END_HEADERS = 4;
const END_STREAM = 1;

/** HPACK without a table: each field as a literal that is not remembered. */
function block(fields: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string) =>
    Buffer.concat([Buffer.from([Math.min(126, value.length)]), Buffer.from(value.slice(0, 126))]);
  return Buffer.concat(
    fields.map(([name, value]) => Buffer.concat([Buffer.from([0]), text(name), text(value)])),
  );
}

const REQUEST = block([
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', methods.initialize.path],
  [':authority', 'localhost'],
  ['content-type', 'application/grpc'],
  ['te', 'trailers'],
]);
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const opened = (stream: number, flags = END_HEADERS): Buffer => frame(Type.Headers, flags, stream, REQUEST);

/** Each gives its nth frames; streams of a client have odd numbers. */
const ATTACKS: Readonly<Record<string, (n: number, random: Random) => Buffer>> = {
  rapidReset: (n) => Buffer.concat([opened(2 * n + 1), frame(Type.Reset, 0, 2 * n + 1, number(8))]),
  halfRequests: (n) => opened(2 * n + 1),
  wholeRequests: (n) =>
    Buffer.concat([opened(2 * n + 1), frame(Type.Data, END_STREAM, 2 * n + 1, Buffer.alloc(5))]),
  continuations: (n) =>
    n === 0 ? opened(1, 0) : frame(Type.Continuation, 0, 1, block([[`x-${n}`, 'x'.repeat(120)]])),
  settings: () => frame(Type.Settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), number(65_535)])),
  pings: () => frame(Type.Ping, 0, 0, Buffer.alloc(8)),
  emptyWindows: (n) => (n === 0 ? opened(1) : frame(Type.Window, 0, 1, number(0))),
  hugeWindows: (n) => (n === 0 ? opened(1) : frame(Type.Window, 0, n % 2, number(0x7fffffff))),
  tinyTable: (n) =>
    frame(Type.Settings, 0, 0, Buffer.concat([Buffer.from([0, 1]), number(n % 2 === 0 ? 0 : 65_536)])),
  zeroWindow: (n) =>
    n === 0
      ? frame(Type.Settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), number(0)]))
      : Buffer.concat([opened(2 * n + 1), frame(Type.Data, END_STREAM, 2 * n + 1, Buffer.alloc(5))]),
  emptyData: (n) => (n === 0 ? opened(1) : frame(Type.Data, 0, 1)),
  goAways: () => frame(Type.GoAway, 0, 0, Buffer.alloc(8)),
  pushes: () => frame(Type.Push, END_HEADERS, 1, Buffer.concat([number(2), REQUEST])),
  priorities: (n) => frame(Type.Priority, 0, 2 * n + 1, Buffer.concat([number(2 * n + 1), Buffer.from([1])])),
  unknown: (_, random) =>
    frame(random.between(10, 255), random.int(256), random.int(5), random.bytes(random.size(300))),
  anything: (_, random) =>
    frame(random.int(10), random.int(256), random.int(7), random.bytes(random.size(200))),
  longMessage: (n) => (n === 0 ? opened(1) : frame(Type.Data, 0, 1, Buffer.alloc(16_384, 0xff))),
};

export const rawHttp2 = serverTarget<FrameCase>({
  name: 'http2-frames',
  batch: 24,
  generate: (random) => ({
    attack: random.pick(Object.keys(ATTACKS)),
    count: random.size(3_000),
    seed: random.word(),
    damage: random.oneIn(6),
    staysMs: random.int(60),
  }),
  async send({ attack, count, seed, damage, staysMs }, server) {
    const random = new Random(attack, seed, 0);
    const make = ATTACKS[attack];
    const frames = Array.from({ length: count }, (_, n) => make?.(n, random) ?? Buffer.alloc(0));
    const bytes = Buffer.concat([PREFACE, frame(Type.Settings, 0, 0), ...frames]);
    await throwAt(server.grpc, damage ? mutateBytes(random, bytes) : bytes, staysMs);
    return undefined;
  },
});

/** Not the address of the well-behaved client: who floods is refused new connections for a while, by address. */
const ATTACKER = '127.0.0.2';

/** Writes everything, stays a moment without reading much, and goes without a word. */
function throwAt(address: string, bytes: Uint8Array, staysMs: number): Promise<void> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host, localAddress: ATTACKER });
    const leave = () => socket.destroy();
    const longest = setTimeout(leave, 5_000);
    socket.on('connect', () => socket.write(bytes, () => setTimeout(leave, staysMs)));
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(longest);
      resolve();
    });
  });
}
