/** readContext: pages of a session, of an offer, of one entry and of an attachment, each within its tokens. */
import { isWellFormed } from '@handover/core';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp, type Payload } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';
import { readAll } from './support/read-all.js';

const server = await useMcpServer();
let alice: Client;
let bob: Client;
beforeAll(async () => {
  [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => connectHttp(server.url, name)))) as [
    Client,
    Client,
  ];
});
afterAll(() => Promise.all([alice.close(), bob.close()]));

const write = (client: Client, sessionKey: string, content: string, metadata = {}) =>
  call(client, 'updateContext', { sessionKey, contextType: 'message', content, metadata });
async function session(sessionKey: string, ...contents: readonly string[]): Promise<string> {
  await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
  for (const content of contents) await write(alice, sessionKey, content);
  return sessionKey;
}
const offer = async (sessionKey: string): Promise<string> =>
  (
    await call(alice, 'requestHandoff', {
      sessionKey,
      targetAgent: 'bob',
      requestType: 'full_handoff',
      autoCommit: false,
    })
  ).handoffId;
const read = (client: Client, args: Record<string, unknown>) => call(client, 'readContext', args);
const textsOf = ({ entries }: Payload): readonly string[] =>
  entries.map(({ content }: { content: string }) => content);

it('assistants:C1 the new owner reads what was written between offer and commitment; before, only the offer', async () => {
  const sessionKey = await session('between', 'before');
  const handoffId = await offer(sessionKey);
  await write(alice, sessionKey, 'between');
  expect(await read(bob, { sessionKey })).toMatchObject({
    errorCode: 'FORBIDDEN',
    error: 'not yours before it is accepted; read it with handoffId',
    handoffId,
  });
  expect(await read(bob, { handoffId })).toMatchObject({
    sessionKey,
    handoffId,
    entries: [{ content: 'before', author: 'alice' }],
    hasMore: false,
    lastSequence: 1,
  });
  await call(bob, 'acceptHandoff', { handoffId });
  await call(alice, 'commitHandoff', { handoffId });
  expect(textsOf(await read(bob, { sessionKey }))).toEqual(['before', 'between']);
});

it('assistants:C2 an entry of 1 MiB is read to its end in pages of 6000 tokens', async () => {
  const line = 'A line with "quotes", a tab\t, ünïcode and 🙂, forty bytes or so.\n';
  const content = line.repeat(Math.floor(1_048_576 / Buffer.byteLength(line)));
  const sessionKey = await session('large', 'small', content, 'after');
  const { texts, pages } = await readAll(alice, { sessionKey });
  expect([...texts.keys()]).toEqual([1, 2, 3]);
  expect(texts.get(2) === content).toBe(true);
  expect(texts.get(3)).toBe('after');
  expect(pages.length).toBeLessThan(60);
  // Cut at line breaks, because there are some near the end of every page.
  expect(pages.slice(1, -1).every(({ entries }) => entries[0].content.endsWith('\n'))).toBe(true);
  const alone = await readAll(alice, { sessionKey, sequence: 2, maxTokens: 20_000 });
  expect([...alone.texts.keys()]).toEqual([2]);
  expect(alone.texts.get(2) === content).toBe(true);
});

it('assistants:C3 the last three, from a number on, and one', async () => {
  const sessionKey = await session('five', 'a', 'b', 'c', 'd', 'e');
  expect(textsOf(await read(alice, { sessionKey, last: 3 }))).toEqual(['c', 'd', 'e']);
  expect(textsOf(await read(alice, { sessionKey, last: 200 }))).toEqual(['a', 'b', 'c', 'd', 'e']);
  const page = await read(alice, { sessionKey, afterSequence: 1, limit: 2 });
  expect(textsOf(page)).toEqual(['b', 'c']);
  expect(page).toMatchObject({
    hasMore: true,
    lastSequence: 5,
    next: { tool: 'readContext', arguments: { sessionKey, afterSequence: 3, limit: 2 } },
  });
  expect(await read(alice, { sessionKey, sequence: 4 })).toMatchObject({
    entries: [{ sequenceNumber: 4, content: 'd', contentLength: 1 }],
    hasMore: false,
  });
  expect(await read(alice, { sessionKey, afterSequence: 9 })).toMatchObject({
    entries: [],
    hasMore: false,
    lastSequence: 5,
  });
});

it('metadata that is long is left out of a page and is there with its entry alone', async () => {
  const sessionKey = await session('metadata', 'plain');
  const metadata = { note: 'goal', long: 'x'.repeat(2_000) };
  await write(alice, sessionKey, 'with more', metadata);
  const { entries } = await read(alice, { sessionKey });
  expect(entries[1]).toMatchObject({
    content: 'with more',
    metadata: { _omitted: Buffer.byteLength(JSON.stringify(metadata)) },
  });
  expect((await read(alice, { sessionKey, sequence: 2 })).entries[0].metadata).toEqual(metadata);
  expect((await read(alice, { sessionKey, sequence: 2, maxTokens: 300 })).entries[0].metadata).toHaveProperty(
    '_omitted',
  );
});

describe('attachments', () => {
  const PNG = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7) % 256));
  const TEXT = 'Zeile – ünï 🙂\n'.repeat(400);

  it('assistants:M1 are read in parts, text in code points and bytes in steps of three', async () => {
    const handoffId = await offer(await session('attached', 'one'));
    const send = (more: object) => call(alice, 'sendHandoffContext', { handoffId, ...more });
    await send({ contentType: 'text/plain', content: TEXT, name: 'notes.txt' });
    await send({ contentType: 'image/png', content: PNG.toString('base64'), encoding: 'base64' });
    const text = await readAll(bob, { handoffId, attachment: 1, maxTokens: 400 });
    expect(text.attachment).toBe(TEXT);
    expect(text.pages.length).toBeGreaterThan(3);
    expect(text.pages[0]?.attachment).toMatchObject({
      name: 'notes.txt',
      contentType: 'text/plain',
      bytes: Buffer.byteLength(TEXT),
      truncated: true,
    });
    const image = await readAll(bob, { handoffId, attachment: 2, maxTokens: 500 });
    expect(Buffer.from(image.attachment, 'base64').equals(PNG)).toBe(true);
    expect(await read(bob, { handoffId, attachment: 3 })).toMatchObject({
      errorCode: 'HANDOFF_NOT_FOUND',
      details: { attachments: 2 },
    });
    expect(await read(bob, { handoffId, attachment: 2, offset: 5_001 })).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
    });
    await call(bob, 'declineHandoff', { handoffId });
    for (const withheld of [{ attachment: 1 }, {}])
      expect(await read(bob, { handoffId, ...withheld })).toMatchObject({
        errorCode: 'CONFLICT',
        details: { phase: 'declined' },
        error: expect.stringContaining('no longer open'),
      });
    expect(await read(alice, { handoffId })).toMatchObject({ success: true });
  });
});

it('wrong questions are refused, and what is not there is not found', async () => {
  const sessionKey = await session('wrong', 'one');
  const handoffId = await offer(sessionKey);
  for (const args of [
    {},
    { sessionKey, handoffId },
    { sessionKey, last: 1, sequence: 1 },
    { sessionKey, afterSequence: 0, last: 1 },
    { sessionKey, attachment: 1 },
    { sessionKey, last: 1, offset: 1 },
    { sessionKey, sequence: 2 },
    { sessionKey, sequence: 1, offset: 9 },
    { sessionKey, maxTokens: 199 },
    { sessionKey, maxTokens: 20_001 },
    { sessionKey, limit: 0 },
  ])
    expect([args, (await read(alice, args)).errorCode]).toEqual([args, 'VALIDATION_ERROR']);
  expect(await read(alice, { sessionKey: 'none' })).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
  expect(await read(alice, { handoffId: 'none' })).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
  const stranger = await connectHttp(server.url, 'mallory');
  expect(await read(stranger, { sessionKey })).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
  expect(await read(stranger, { handoffId })).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
  await stranger.close();
});

it('a key that leaves no room asks for more tokens, and says how many', async () => {
  const sessionKey = await session('é'.repeat(255), 'one');
  const refused = await read(alice, { sessionKey, maxTokens: 200 });
  expect(refused).toMatchObject({ errorCode: 'VALIDATION_ERROR', details: { field: 'maxTokens' } });
  const least = Number(/at least (\d+)/.exec(refused.error)?.[1]);
  expect((await readAll(alice, { sessionKey, maxTokens: least })).texts.get(1)).toBe('one');
});

it('assistants:G1 whatever is stored, no page passes its cap and every entry comes once', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.string({ unit: 'binary', maxLength: 200 }).filter(isWellFormed),
    fc.constantFrom('\\"\u0001\n'.repeat(300), '🙂'.repeat(700), 'x'.repeat(20_000)),
  );
  const entry = fc.record({
    content: text,
    metadata: fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 1_500 }), { maxKeys: 2 }),
  });
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 8 }),
      fc.integer({ min: 300, max: 3_000 }),
      fc.integer({ min: 1, max: 5 }),
      async (entries, maxTokens, limit) => {
        const sessionKey = await session(`random-${serial++}-${'k'.repeat(100)}`);
        for (const { content, metadata } of entries) await write(alice, sessionKey, content, metadata);
        const { texts } = await readAll(alice, { sessionKey, maxTokens, limit });
        expect([...texts.values()]).toEqual(entries.map(({ content }) => content));
      },
    ),
    { numRuns: 15 },
  );
});
