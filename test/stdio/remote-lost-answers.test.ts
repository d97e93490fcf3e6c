/** A request whose answer is lost on the way: a real server, and between it and the pipe somebody who breaks off. */
import { createServer, type Server as HttpServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../../packages/server/src/server.js';
import { ERAS } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { type OpenPipe, openPipe } from './remote-support.js';

/** Passes everything on, but the answers to posts that hold one of these words break off, once each. */
class Breaker {
  readonly words: string[] = [];
  broken = 0;
  #server: HttpServer | undefined;

  async open(target: string): Promise<string> {
    this.#server = createServer(async (incoming, outgoing) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces);
      const at = this.words.findIndex((word) => body.includes(word));
      if (at >= 0) this.words.splice(at, 1);
      const { method, headers, url } = incoming;
      const onward = httpRequest(new URL(url ?? '', target), { method: method ?? '', headers }, (answer) => {
        if (at < 0) return void answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers));
        // The server has done it all, and said so.
        answer.resume().once('end', () => {
          this.broken += 1;
          outgoing.destroy();
        });
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      onward.end(body);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

let server: Server;
let breaker: Breaker;
let url: string;
beforeEach(async () => {
  server = await openServer({ flags: { dev: true } });
  breaker = new Breaker();
  url = await breaker.open(server.httpUrl);
});
afterEach(async () => {
  breaker.close();
  await server.close();
});

const client = { name: 'x', version: '1' };
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe.each(ERAS)('assistants:N2 over HTTP (%s)', (era) => {
  async function opened(instance: string): Promise<OpenPipe> {
    const pipe = openPipe(url, { bearer: () => 'ann', headers: { 'handover-instance': instance } });
    if (era === 'modern') return pipe;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client };
    pipe.say(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    await pipe.answerTo(0);
    pipe.say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return pipe;
  }

  async function called(pipe: OpenPipe, id: number, name: string, args: object) {
    const params = { name, arguments: args, ...(era === 'modern' && { _meta }) };
    pipe.say(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    return JSON.parse((await pipe.answerTo(id)).result.content[0].text);
  }

  it('it is carried out once, and said again as done; another window and another id are another request', async () => {
    const pipe = await opened('0a0a0a0a');
    await called(pipe, 1, 'registerSession', { sessionKey: 'work', agentFrom: 'ann' });
    const entry = (content: string) => ({ sessionKey: 'work', contextType: 'message', content });
    breaker.words.push('break-once');
    const lost = await called(pipe, 2, 'updateContext', entry('break-once'));
    expect([lost.contextEntry.sequenceNumber, lost.replayed, breaker.broken]).toEqual([1, true, 1]);
    const other = await called(pipe, 3, 'updateContext', entry('break-once'));
    expect([other.contextEntry.sequenceNumber, other.replayed]).toEqual([2, undefined]);
    const window = await opened('0b0b0b0b');
    const fromOther = await called(window, 3, 'updateContext', entry('break-once'));
    expect(fromOther.contextEntry.sequenceNumber).toBe(3);
    await window.leave();
    await pipe.leave();
  });
});
