import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { HeldAnswers } from './held-answers.js';

it('listens once to an answer that fills and empties for ever', () => {
  const held = new HeldAnswers(1_000, () => {});
  const socket = new Socket();
  const answer = new ServerResponse(new IncomingMessage(socket));
  let waiting = 0;
  Object.defineProperties(answer, { socket: { value: socket }, writableLength: { get: () => waiting } });
  const before = answer.listenerCount('close');
  for (let round = 0; round < 100; round++) {
    waiting = round % 2 === 0 ? 7 : 0;
    held.measure(answer);
    expect(held.inAll).toBe(waiting);
  }
  expect(answer.listenerCount('close')).toBe(before + 1);
  waiting = 7;
  held.measure(answer);
  answer.emit('close');
  expect(held.inAll).toBe(0);
});
