/** A handoff from the first entry to the receipt, through the tools alone; and what is true afterwards. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp, ERAS, read } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

let server: McpTestServer;
beforeAll(async () => {
  server = await openMcpServer({ env: PEOPLE });
});
afterAll(() => server.close(AbortSignal.timeout(1_000)));

let serial = 0;

describe.each(ERAS)('%s', (era) => {
  let alice: Client;
  let bob: Client;
  beforeAll(async () => {
    alice = await connectHttp(server.url, 'alice-token', era);
    bob = await connectHttp(server.url, 'bob-token', era);
  });
  afterAll(() => Promise.all([alice.close(), bob.close()]));

  async function worked(): Promise<string> {
    const sessionKey = `life-${serial++}`;
    await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
    for (const note of ['goal', 'decision', 'done', 'open', 'file', 'next'])
      await call(alice, 'updateContext', {
        sessionKey,
        contextType: 'message',
        content: `the ${note}`,
        metadata: { note },
      });
    return sessionKey;
  }
  const offered = async (sessionKey: string, requestType: string, more: object = {}): Promise<string> =>
    (await call(alice, 'requestHandoff', { sessionKey, targetAgent: 'bob', requestType, ...more })).handoffId;
  const write = (client: Client, sessionKey: string) =>
    call(client, 'updateContext', { sessionKey, contextType: 'message', content: 'more' });

  it('a full handoff: offered, read, accepted, committed, enforced, proved', async () => {
    const sessionKey = await worked();
    const requestData = { instructions: 'Finish it', priority: 'high' };
    const handoffId = await offered(sessionKey, 'full_handoff', { requestData, autoCommit: false });
    expect((await call(bob, 'listHandoffs', { status: 'pending' })).handoffs).toContainEqual(
      expect.objectContaining({ handoffId, from: 'alice', to: 'bob', status: 'pending' }),
    );
    const seen = await call(bob, 'getHandoff', { handoffId, include: ['package', 'entries'] });
    expect(seen.package).toMatchObject({
      version: 'handover-package@2',
      from: 'alice',
      requestData,
      brief: { text: expect.stringMatching(/## Goal\n- the goal[\s\S]*## Next\n- the next/) },
      manifest: { firstSequence: 1, lastSequence: 6, entries: 6 },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      provenance: { writtenBy: 'alice' },
    });
    expect(seen.entries.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    await expect(read(bob, `handoff://context/${sessionKey}`), 'before it is his').rejects.toThrow();
    await call(alice, 'sendHandoffContext', {
      handoffId,
      contentType: 'text/plain',
      content: 'one more thing',
    });
    expect(await call(bob, 'acceptHandoff', { handoffId, reason: 'mine now' })).toMatchObject({
      status: 'pending',
    });
    expect((await write(bob, sessionKey)).errorCode).toBe('FORBIDDEN');
    expect(await call(alice, 'commitHandoff', { handoffId })).toMatchObject({
      status: 'completed',
      handoff: { holder: 'bob', phase: 'committed' },
    });
    expect(await write(alice, sessionKey)).toMatchObject({ success: false, errorCode: 'FORBIDDEN' });
    expect(await write(bob, sessionKey)).toMatchObject({
      success: true,
      contextEntry: { sequenceNumber: 7 },
    });
    expect((await read(bob, `handoff://context/${sessionKey}`)).entries).toHaveLength(7);
    expect((await read(alice, `handoff://context/${sessionKey}`)).entries, 'up to the transfer').toHaveLength(
      6,
    );
    const { receipt } = await call(bob, 'getHandoff', { handoffId, include: ['receipt'] });
    const { issued_at: _, signature: __, ...proved } = receipt;
    expect(await read(alice, `handoff://handoffs/${handoffId}/receipt`)).toMatchObject(proved);
    expect(await read(bob, `handoff://handoffs/${encodeURIComponent(handoffId)}`)).toMatchObject({
      status: 'completed',
    });
    expect(await read(bob, `handoff://handoffs/${handoffId}/package`)).toMatchObject({
      digest: seen.package.digest,
    });
  });

  it('declined: the work stays, and can be offered again at once', async () => {
    const sessionKey = await worked();
    const handoffId = await offered(sessionKey, 'full_handoff');
    expect(await call(bob, 'declineHandoff', { handoffId, reason: 'no time' })).toMatchObject({
      status: 'failed',
      handoff: { answerReason: 'no time' },
    });
    expect(await write(alice, sessionKey)).toMatchObject({ success: true });
    expect(await offered(sessionKey, 'full_handoff')).not.toBe(handoffId);
  });

  it('assistants:A1 final with the accept, unless the owner says otherwise', async () => {
    const sessionKey = await worked();
    const handoffId = await offered(sessionKey, 'full_handoff');
    expect(await call(bob, 'acceptHandoff', { handoffId })).toMatchObject({ status: 'completed' });
    expect(await write(bob, sessionKey)).toMatchObject({ success: true });
  });

  it('collaboration: both write; context_transfer: one reads', async () => {
    const [both, copy] = [await worked(), await worked()];
    for (const [key, type] of [
      [both, 'collaboration'],
      [copy, 'context_transfer'],
    ] as const)
      await call(bob, 'acceptHandoff', { handoffId: await offered(key, type) });
    expect(await write(bob, both)).toMatchObject({ success: true });
    expect(await write(alice, both)).toMatchObject({ success: true });
    expect(await write(bob, copy)).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect((await read(bob, `handoff://context/${copy}`)).entries).toHaveLength(6);
  });

  it('withdrawn: the target can no longer accept', async () => {
    const handoffId = await offered(await worked(), 'full_handoff');
    expect(await call(alice, 'cancelHandoff', { handoffId })).toMatchObject({ status: 'failed' });
    expect(await call(bob, 'acceptHandoff', { handoffId })).toMatchObject({ errorCode: 'CONFLICT' });
  });

  it('waiting ends with the answer, and goes on from where it was', async () => {
    const handoffId = await offered(await worked(), 'full_handoff', { autoCommit: false });
    const idle = await call(alice, 'waitForHandoff', { handoffId, timeoutMs: 10 });
    expect(idle).toMatchObject({ changed: false, resume: { handoffId, since: expect.any(String) } });
    await call(bob, 'acceptHandoff', { handoffId });
    const missed = await call(alice, 'waitForHandoff', { ...idle.resume, timeoutMs: 20_000 });
    expect(missed).toMatchObject({ changed: true, handoffs: [{ handoffId, phase: 'accepted' }] });
    const next = call(alice, 'waitForHandoff', { ...missed.resume, timeoutMs: 20_000 });
    const known = await call(bob, 'waitForHandoff', { handoffId, timeoutMs: 10 });
    const late = call(bob, 'waitForHandoff', { ...known.resume, timeoutMs: 20_000 });
    await call(alice, 'commitHandoff', { handoffId });
    expect(await late).toMatchObject({ changed: true, handoffs: [{ phase: 'committed' }] });
    await bob.close();
    await alice.close();
    await expect(next).rejects.toThrow();
    alice = await connectHttp(server.url, 'alice-token', era);
    bob = await connectHttp(server.url, 'bob-token', era);
  });

  it('waiting says that it goes on, to whoever asks for progress', async () => {
    const handoffId = await offered(await worked(), 'full_handoff');
    const said: unknown[] = [];
    const params = { name: 'waitForHandoff', arguments: { handoffId, timeoutMs: 9_000 } };
    await alice.callTool(params, { onprogress: (progress) => said.push(progress) });
    expect(said).toEqual([expect.objectContaining({ progress: 1, message: 'still waiting, 8 s' })]);
  });

  it('pages: a long context in pieces, each entry once and in order', async () => {
    const sessionKey = await worked();
    const content = 'x'.repeat(9_000);
    for (let round = 0; round < 60; round++)
      await call(alice, 'updateContext', { sessionKey, contextType: 'file', content });
    const numbers: number[] = [];
    let pages = 0;
    for (let uri = `handoff://context/${sessionKey}`; uri !== ''; pages++) {
      const page = await read(alice, uri);
      numbers.push(...page.entries.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber));
      expect(page.hasMore).toBe(page.nextCursor !== undefined);
      uri = page.hasMore ? `handoff://context/${sessionKey}?cursor=${page.nextCursor}` : '';
    }
    expect(pages).toBeGreaterThan(1);
    expect(numbers).toEqual(Array.from({ length: 66 }, (_, index) => index + 1));
  });

  it('completions and lists show the caller’s own, and no more', async () => {
    const sessionKey = await worked();
    const ref = { type: 'ref/resource' as const, uri: 'handoff://context/{sessionKey}' };
    const argument = { name: 'sessionKey', value: sessionKey };
    expect((await alice.complete({ ref, argument })).completion.values).toEqual([sessionKey]);
    expect((await bob.complete({ ref, argument })).completion.values).toEqual([]);
    const uris = async (client: Client) => (await client.listResources()).resources.map(({ uri }) => uri);
    expect(await uris(alice)).toContain(`handoff://context/${sessionKey}`);
    expect(await uris(bob)).not.toContain(`handoff://context/${sessionKey}`);
    const prompt = { type: 'ref/prompt' as const, name: 'handoff' };
    const target = await alice.complete({ ref: prompt, argument: { name: 'to', value: 'bo' } });
    expect(target.completion.values).toEqual(['bob']);
  });
});
