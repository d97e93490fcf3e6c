import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ConnectionRoom } from './connection-room.js';

/** Its end is told when the test says so. */
function connection(remotePort: number) {
  const state = { destroyed: false };
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress: '192.0.2.1',
    remotePort,
    destroy: () => {
      state.destroyed = true;
    },
  });
  return { socket: socket as unknown as Socket, state, ended: () => socket.emit('close') };
}

it('the late end of one connection does not take away another from the same port', () => {
  const room = new ConnectionRoom(1);
  const [first, second, again] = [connection(1), connection(2), connection(1)];
  expect(room.enter(first.socket)).toBe(true);
  expect([room.enter(second.socket), first.state.destroyed]).toEqual([false, true]);
  expect([room.enter(again.socket), second.state.destroyed]).toEqual([false, true]);
  first.ended();
  const last = connection(3);
  expect([room.enter(last.socket), again.state.destroyed]).toEqual([false, true]);
});

it('whoever has asked for something stays, and a newcomer goes when all have', () => {
  const room = new ConnectionRoom(1);
  const [first, second] = [connection(1), connection(2)];
  room.enter(first.socket);
  room.asked(first.socket);
  expect([room.enter(second.socket), first.state.destroyed, second.state.destroyed]).toEqual([
    false,
    false,
    true,
  ]);
});
