import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { Pieces } from './pieces.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A connection whose parser pauses it after so many bytes, and fails when it is given something while it is paused. */
function connection(pauseAfter: number) {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const parsed: Buffer[] = [];
  let paused = false;
  let since = 0;
  socket.on('data', (piece: Buffer) => {
    if (paused) throw new Error('given while it is paused');
    parsed.push(piece);
    since += piece.length;
    if (since < pauseAfter) return;
    since = 0;
    paused = true;
    socket.pause();
  });
  const readOn = () => {
    paused = false;
    socket.resume();
  };
  return { socket, parsed, readOn, isPaused: () => paused };
}

it('gives a paused parser nothing, whoever asks it to go on, and loses no byte', async () => {
  const { socket, parsed, readOn, isPaused } = connection(3_000);
  let mustWait = false;
  const pieces = new Pieces(socket as unknown as Socket, () => mustWait);
  const sent = Buffer.from(Array.from({ length: 50_000 }, (_, n) => n % 251));
  socket.push(sent.subarray(0, 30_000));
  socket.push(sent.subarray(30_000));
  const all = () => Buffer.concat(parsed).length;
  for (let round = 0; round < 200 && all() < sent.length; round++) {
    mustWait = round % 3 === 1;
    pieces.goOn();
    await turn();
    if (isPaused() && round % 2 === 0) readOn();
    await turn();
  }
  mustWait = false;
  pieces.goOn();
  await turn();
  expect(Buffer.concat(parsed).equals(sent)).toBe(true);
});

it('reads nothing while it must wait', async () => {
  const { socket, parsed } = connection(Number.POSITIVE_INFINITY);
  let mustWait = true;
  const pieces = new Pieces(socket as unknown as Socket, () => mustWait);
  socket.push(Buffer.alloc(9_000));
  await turn();
  expect(parsed).toEqual([]);
  mustWait = false;
  pieces.goOn();
  await turn();
  expect(Buffer.concat(parsed)).toHaveLength(9_000);
});
