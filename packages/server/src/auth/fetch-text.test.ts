import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchText } from './fetch-text.js';

let server: Server | undefined;
afterEach(() => server?.close());

/** A peer that accepts the connection and answers what it is told to, or nothing. */
async function peer(answer: string): Promise<URL> {
  const started = createServer((socket) => {
    socket.on('error', () => {});
    if (answer !== '') socket.write(answer);
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(started.address() as AddressInfo).port}/`);
}

describe('fetchText', () => {
  it('gives up on a peer that never answers', async () => {
    const limits = { connectTimeoutMs: 1_000, totalTimeoutMs: 100, maxBytes: 10 };
    await expect(fetchText(await peer(''), limits)).rejects.toThrow('no complete answer in time');
  });

  it('gives up on a peer that never finishes', async () => {
    const limits = { connectTimeoutMs: 1_000, totalTimeoutMs: 100, maxBytes: 100 };
    const url = await peer('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nabc');
    await expect(fetchText(url, limits)).rejects.toThrow('in time');
  });

  it('gives up on a TLS handshake that never ends', async () => {
    const url = await peer('');
    url.protocol = 'https:';
    const limits = { connectTimeoutMs: 100, totalTimeoutMs: 5_000, maxBytes: 10 };
    await expect(fetchText(url, limits)).rejects.toThrow('no connection in time');
  });

  it('reads an answer', async () => {
    const url = await peer('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc');
    expect(await fetchText(url, { connectTimeoutMs: 1_000, totalTimeoutMs: 1_000, maxBytes: 3 })).toBe('abc');
  });
});
