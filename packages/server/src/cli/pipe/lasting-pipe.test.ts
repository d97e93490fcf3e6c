/** The pipe with both of its ends in the test's hand. */
import { Duplex, PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { notAllowed } from '../conventions/failure.js';
import { MAX_KEPT_BYTES } from './conversation.js';
import { LastingPipe } from './lasting-pipe.js';
import { SocketChannel } from './socket-channel.js';

/** A server's end of a connection: what it heard, and a way to speak and to die. */
class FakeServer extends Duplex {
  heard = '';

  override _read(): void {}

  override _write(piece: Buffer, _: string, done: () => void): void {
    this.heard += piece.toString();
    done();
  }

  override _final(done: () => void): void {
    done();
    // A server closes when its client has ended.
    this.push(null);
  }
}

function opened(servers: readonly FakeServer[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  let joined = 0;
  const join = async () => {
    const server = servers[joined++];
    if (!server) throw new Error('no server');
    return new SocketChannel(server);
  };
  const ended = new LastingPipe({ input, output, join, note: (text) => notes.push(text) }).run();
  ended.catch(() => undefined);
  let seen = '';
  output.on('data', (piece: Buffer) => {
    seen += piece.toString();
  });
  return { input, ended, notes, seen: () => seen, joined: () => joined };
}

const call = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call' })}\n`;
const answer = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`;
const settle = async () => {
  for (let turns = 0; turns < 20; turns++) await turn();
};

describe('assistants:6.2 the pipe', () => {
  it('goes on with the next server where the first one died, in the middle of a line', async () => {
    const [first, second] = [new FakeServer(), new FakeServer()];
    const pipe = opened([first, second]);
    pipe.input.write(call(1) + call(2));
    await settle();
    expect(first.heard).toBe(call(1) + call(2));
    first.push(answer(1) + answer(2).slice(0, 10));
    await settle();
    first.destroy();
    await settle();
    expect(second.heard).toBe(call(2));
    second.push(answer(2));
    await settle();
    expect(pipe.seen()).toBe(answer(1) + answer(2));
    pipe.input.end();
    expect(await pipe.ended).toBe('client-left');
  });

  it('keeps what the client says while there is no server', async () => {
    const second = new FakeServer();
    const first = new FakeServer();
    const pipe = opened([first, second]);
    await settle();
    first.destroy();
    pipe.input.write(call(1));
    await settle();
    expect(second.heard).toBe(call(1));
    pipe.input.end();
    await pipe.ended;
  });

  it('waits for the answers when the client has said all', async () => {
    const server = new FakeServer();
    const pipe = opened([server]);
    pipe.input.end(call(1).trimEnd());
    await settle();
    expect(server.heard).toBe(call(1));
    expect(await pipe.ended).toBe('client-left');
  });

  it('does not ask a fourth time for what the server died of three times, and goes on', async () => {
    const servers = Array.from({ length: 4 }, () => new FakeServer());
    const pipe = opened(servers);
    pipe.input.write(call(1));
    for (const server of servers.slice(0, 3)) {
      await settle();
      expect(server.heard).toBe(call(1));
      server.destroy();
    }
    await settle();
    expect(servers[3]?.heard).toBe('');
    expect(JSON.parse(pipe.seen())).toMatchObject({ id: 1, error: { code: -32_603 } });
    pipe.input.write(call(2));
    await settle();
    expect(servers[3]?.heard).toBe(call(2));
    pipe.input.end();
    await pipe.ended;
  });

  it('ends at a line that does not end, and joins no other server', async () => {
    const server = new FakeServer();
    const pipe = opened([server]);
    const piece = Buffer.alloc(MAX_KEPT_BYTES / 4, 'x');
    for (let pieces = 0; pieces < 4; pieces++) {
      pipe.input.write(piece);
      await settle();
    }
    expect(server.destroyed).toBe(false);
    pipe.input.write('x');
    expect(await pipe.ended).toBe('too-much');
    expect(server.destroyed).toBe(true);
    expect([server.heard, pipe.joined(), pipe.notes]).toEqual(['', 1, []]);
  });

  it('says why there is none, also to a client that asks a moment later, and lets go of its input', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const join = async () => {
      throw notAllowed('the token is refused');
    };
    const ended = new LastingPipe({ input, output, join, note: () => undefined }).run();
    ended.catch(() => undefined);
    await settle();
    input.write(call(1));
    await expect(ended).rejects.toThrow('the token is refused');
    expect(JSON.parse(String(output.read()))).toMatchObject({
      id: 1,
      error: { code: -32_603, message: 'the token is refused' },
    });
    expect(input.destroyed).toBe(true);
  });

  it('tells of every open request when no server can be had', async () => {
    const server = new FakeServer();
    const pipe = opened([server]);
    pipe.input.write(call(1) + call(2));
    await settle();
    server.destroy();
    await expect(pipe.ended).rejects.toThrow('no server');
    const lines = pipe
      .seen()
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(lines.map(({ id, error }) => [id, error.code])).toEqual([
      [1, -32_603],
      [2, -32_603],
    ]);
  });
});
