import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { MAX_MESSAGE_BYTES, MESSAGE_LIMITS, type Opened } from '../open-message.js';
import { LineTransport } from './line-transport.js';

const open: LineTransport[] = [];
afterEach(() => Promise.all(open.splice(0).map((transport) => transport.close())));

const parsed = (bytes: Uint8Array): Opened => ({ message: JSON.parse(Buffer.from(bytes).toString()) });

async function start(opener: (bytes: Uint8Array) => Opened | Promise<Opened> = parsed) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output, opener);
  open.push(transport);
  const got: unknown[] = [];
  const errors: string[] = [];
  transport.onmessage = (message) => got.push(message);
  transport.onerror = (error) => errors.push(error.message);
  await transport.start();
  const written = () =>
    output
      .read()
      ?.toString()
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line)) ?? [];
  return { input, output, transport, got, errors, written };
}
/** More turns than anything here takes; a time may pass on a busy machine without one. */
const soon = async () => {
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
};
const line = (id: number, more: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', ...more })}\n`;

describe('messages line by line', () => {
  it('come in whatever pieces', async () => {
    const { input, got } = await start();
    const text = `${line(1)}\r\n${line(2).trimEnd()}\r\n${line(3)}`;
    for (let at = 0; at < text.length; at += 7) input.write(text.slice(at, at + 7));
    await soon();
    expect(got).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('that are too long or hold too much are dropped and answered, and the next one is read', async () => {
    const { input, got, written } = await start();
    input.write(line(1, { params: { x: 'x'.repeat(MAX_MESSAGE_BYTES) } }));
    input.write(line(2, { params: { x: Array(MESSAGE_LIMITS.values).fill(0) } }));
    input.write(`{"x":${'['.repeat(2_000)}\n`);
    input.write(line(4));
    await expect.poll(() => got).toMatchObject([{ id: 4 }]);
    expect(written()).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('bytes') } },
      { id: 2, error: { message: expect.stringContaining('values') } },
      { id: null, error: { message: expect.stringContaining('deep') } },
    ]);
  });

  it('stay in order while a large one is opened', async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const opener = (bytes: Uint8Array) => {
      const one = parsed(bytes);
      return JSON.stringify(one).includes('slow') ? slow.then(() => one) : one;
    };
    const { input, got } = await start(opener);
    input.write(line(1) + line(2, { params: { slow: 1 } }) + line(3));
    input.write(line(4));
    await soon();
    expect(got).toMatchObject([{ id: 1 }]);
    expect(input.isPaused()).toBe(true);
    release();
    await expect.poll(() => got.length).toBe(4);
    expect(got).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
  });

  it('that the opener refuses are answered under their id', async () => {
    const refusal = { status: 413, code: -32_000, message: 'too much' };
    const { input, got, written } = await start(() => ({ refusal }));
    input.write(line(9));
    await soon();
    expect([got, written()]).toEqual([
      [],
      [{ jsonrpc: '2.0', id: 9, error: { code: -32_000, message: 'too much' } }],
    ]);
  });

  it('that are no messages are errors of the connection, not its end', async () => {
    const { input, got, errors } = await start();
    input.write('{"neither":"nor"}\n');
    input.write(line(1));
    await soon();
    expect([errors.length, got]).toMatchObject([1, [{ id: 1 }]]);
  });

  it('have a turn each', async () => {
    const { input, got } = await start();
    const messages = 10;
    input.write(Array.from({ length: messages }, (_, id) => line(id)).join(''));
    let most = 0;
    for (let before = 0; before < messages; before = got.length) {
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, got.length - before);
    }
    // The turns of the test and those of the connection begin at different moments.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('wait while too many requests are under way, until one is answered or cancelled', async () => {
    const most = fixedLimits.mcpRequestsUnderWay.value;
    const { input, got, transport } = await start();
    input.write(Array.from({ length: most + 3 }, (_, id) => line(id)).join(''));
    await expect.poll(() => got.length).toBe(most);
    await soon();
    expect([got.length, input.isPaused()]).toEqual([most, true]);
    await transport.send({ jsonrpc: '2.0', id: 5, result: {} });
    await expect.poll(() => got.length).toBe(most + 1);
    await soon();
    expect(got.length).toBe(most + 1);
  });

  it('whose id is under way are refused, until that is cancelled', async () => {
    const { input, got, written } = await start();
    input.write(line(1) + line(1));
    await soon();
    expect(written()).toMatchObject([{ id: 1, error: { code: -32_600 } }]);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    input.write(`${JSON.stringify(cancel)}\n${line(1)}`);
    await soon();
    expect(got).toHaveLength(3);
    expect(written()).toEqual([]);
  });

  it('go to a client that takes nothing of them only for so long', async () => {
    const input = new PassThrough();
    const output = new Writable({ write: () => {} });
    const transport = new LineTransport(input, output, parsed, { stalledMs: 20 });
    const errors: string[] = [];
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    transport.onerror = (error) => errors.push(error.message);
    await transport.start();
    transport.send({ jsonrpc: '2.0', method: 'x' }).catch(() => {});
    await closed;
    expect([output.destroyed, errors]).toEqual([true, ['the client takes nothing of what it is sent']]);
  });

  it('end with their stream', async () => {
    const { input, transport } = await start();
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    input.end();
    await closed;
    await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('closed');
  });
});
