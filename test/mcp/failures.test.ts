/** Bad input: the exact code, a sentence to act on, nothing written; and never a word from inside. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp, ERAS, type Payload, read } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

let server: McpTestServer;
beforeAll(async () => {
  server = await openMcpServer({ env: PEOPLE });
});
afterAll(() => server.close(AbortSignal.timeout(1_000)));

const REQUEST_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const STATUS: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  FORBIDDEN: 403,
  SESSION_NOT_FOUND: 404,
  HANDOFF_NOT_FOUND: 404,
  CONFLICT: 409,
  SESSION_EXPIRED: 410,
};

function expectFailure(payload: Payload, code: string): void {
  expect(payload).toMatchObject({
    success: false,
    error: expect.stringMatching(/\S/),
    errorCode: code,
    statusCode: STATUS[code],
    details: expect.any(Object),
    requestId: expect.stringMatching(REQUEST_ID),
  });
  expect(new Date(payload.timestamp).toISOString()).toBe(payload.timestamp);
  expect(JSON.stringify(payload)).not.toMatch(/ at .*\.[jt]s:|node_modules|SQLITE|Zod|undefined/);
}

let serial = 0;
const newKey = (): string => `failures-${serial++}`;
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

describe.each(ERAS)('%s', (era) => {
  let alice: Client;
  let bob: Client;
  let carol: Client;
  beforeAll(async () => {
    [alice, bob, carol] = (await Promise.all(
      ['alice', 'bob', 'carol'].map((name) => connectHttp(server.url, `${name}-token`, era)),
    )) as [Client, Client, Client];
  });
  afterAll(() => Promise.all([alice.close(), bob.close(), carol.close()]));

  const registered = async (): Promise<string> => {
    const sessionKey = newKey();
    expect(await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' })).toMatchObject({
      success: true,
    });
    return sessionKey;
  };
  const written = async (sessionKey: string) =>
    (await read(alice, `handoff://context/${sessionKey}`)).entries.length;

  it('an agent that is somebody else', async () => {
    const sessionKey = newKey();
    expectFailure(await call(alice, 'registerSession', { sessionKey, agentFrom: 'bob' }), 'FORBIDDEN');
    expect((await read(alice, 'handoff://sessions')).sessions).not.toContainEqual(
      expect.objectContaining({ sessionKey }),
    );
  });

  it('parameters of the wrong form are invalid params, not an internal error', async () => {
    const wrong: [string, object, string][] = [
      ['resources/read', {}, 'params.uri'],
      ['resources/read', { uri: 7 }, 'params.uri'],
      ['prompts/get', { name: 'handoff', arguments: { sessionKey: null } }, 'params.arguments.sessionKey'],
      ['completion/complete', { argument: { name: 'a', value: 'b' } }, 'params.ref'],
      ['tools/list', { cursor: 5 }, 'params.cursor'],
      ['tools/call', { name: 3 }, 'params'],
    ];
    for (const [method, params, field] of wrong) {
      const asked = alice.request({ method, params } as never);
      await expect(asked, method).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining(field),
      });
    }
  });

  it('arguments that are missing, wrong or unknown', async () => {
    const sessionKey = await registered();
    const good = { sessionKey, contextType: 'message', content: 'x' };
    const wrong: [string, object, string][] = [
      ['updateContext', { ...good, contextType: 'poem' }, 'contextType'],
      ['updateContext', { ...good, content: 7 }, 'content'],
      ['updateContext', { ...good, sessionKey: '' }, 'sessionKey'],
      ['updateContext', { ...good, sessionKey: 'k'.repeat(256) }, 'sessionKey'],
      ['updateContext', { ...good, sessionKey: 'a\u0000b' }, 'sessionKey'],
      ['updateContext', { ...good, surplus: 1 }, 'surplus'],
      ['updateContext', { ...good, metadata: [] }, 'metadata'],
      ['updateContext', { ...good, metadata: deep(100) }, 'metadata'],
      ['updateContext', { ...good, metadata: { big: 'x'.repeat(70_000) } }, 'metadata'],
      ['updateContext', { ...good, content: 'x'.repeat(1_048_577) }, 'content'],
      ['updateContext', { ...good, content: 'ü'.repeat(600_000) }, 'content'],
      ['updateContext', { ...good, content: 'half \ud800' }, 'content'],
      ['updateContext', { ...good, expectedSequence: -1 }, 'expectedSequence'],
      ['requestHandoff', { sessionKey, targetAgent: 'bob', requestType: 'gift' }, 'requestType'],
      [
        'requestHandoff',
        { sessionKey, targetAgent: 'b'.repeat(101), requestType: 'full_handoff' },
        'targetAgent',
      ],
      ['waitForHandoff', { timeoutMs: 50_001 }, 'timeoutMs'],
      ['waitForHandoff', { since: 'not a mark' }, 'since'],
      ['listHandoffs', { box: 'attic' }, 'box'],
    ];
    for (const [tool, args, field] of wrong) {
      const payload = await call(alice, tool, args as Record<string, unknown>);
      expectFailure(payload, 'VALIDATION_ERROR');
      expect(payload.details.field, JSON.stringify(args).slice(0, 60)).toBe(field);
    }
    const self = await call(alice, 'requestHandoff', {
      sessionKey,
      targetAgent: 'alice',
      requestType: 'full_handoff',
    });
    expectFailure(self, 'VALIDATION_ERROR');
    expect(await written(sessionKey)).toBe(0);
  });

  it('keys that would reach a prototype are refused, or kept as they are', async () => {
    const sessionKey = await registered();
    const good = { sessionKey, contextType: 'message', content: 'x' };
    const odd = JSON.parse(`{"__proto__":{"polluted":1},"constructor":{"a":1}}`) as Record<string, unknown>;
    expectFailure(
      await call(alice, 'updateContext', { ...good, ...JSON.parse('{"constructor":1}') }),
      'VALIDATION_ERROR',
    );
    expect(await call(alice, 'updateContext', { ...good, metadata: odd })).toMatchObject({ success: true });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('sessions that are not there, or not for the caller: one answer for both', async () => {
    const sessionKey = await registered();
    const entry = { contextType: 'message', content: 'x' };
    const missing = await call(bob, 'updateContext', { sessionKey: 'no-such-key', ...entry });
    const foreign = await call(bob, 'updateContext', { sessionKey, ...entry });
    for (const [payload, key] of [
      [missing, 'no-such-key'],
      [foreign, sessionKey],
    ] as const) {
      expectFailure(payload, 'SESSION_NOT_FOUND');
      expect(payload).toMatchObject({ error: 'Session not found', sessionKey: key });
      expect(payload.details.hint).toMatch(/^listSessions shows/);
    }
    const blank = ({ requestId: _, timestamp: __, ...rest }: Payload, key: string) =>
      JSON.stringify(rest).replaceAll(key, 'KEY');
    expect(blank(foreign, sessionKey)).toBe(blank(missing, 'no-such-key'));
    const offer = { targetAgent: 'carol', requestType: 'full_handoff' };
    expectFailure(await call(bob, 'requestHandoff', { sessionKey, ...offer }), 'SESSION_NOT_FOUND');
    await expect(read(bob, `handoff://context/${sessionKey}`)).rejects.toMatchObject({ code: -32602 });
    expect(await written(sessionKey)).toBe(0);
  });

  it('what is closed says how to open it again, and that is so', async () => {
    const sessionKey = await registered();
    const entry = { sessionKey, contextType: 'message', content: 'x' };
    await call(alice, 'closeSession', { sessionKey });
    const refused = await call(alice, 'updateContext', entry);
    expectFailure(refused, 'SESSION_EXPIRED');
    expect(refused).toMatchObject({ error: 'Session is not active', currentStatus: 'completed' });
    expect(refused.details.hint).toContain('resume {sessionKey, accept: true}');
    await call(alice, 'resume', { sessionKey, accept: true });
    expect(await call(alice, 'updateContext', entry)).toMatchObject({ success: true });
  });

  it('a key that a stranger has', async () => {
    const sessionKey = await registered();
    const payload = await call(bob, 'registerSession', { sessionKey, agentFrom: 'bob' });
    expectFailure(payload, 'CONFLICT');
    expect(payload.details).toEqual({ sessionKey, suggestion: expect.stringMatching(/^[a-z0-9-]{1,60}$/) });
    const own = await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
    expect(own.details.existingSession).toMatchObject({ agentFrom: 'alice', status: 'active' });
  });

  it('an expected sequence that has passed', async () => {
    const sessionKey = await registered();
    const entry = { sessionKey, contextType: 'message', content: 'x' };
    await call(alice, 'updateContext', { ...entry, expectedSequence: 0 });
    const payload = await call(alice, 'updateContext', { ...entry, expectedSequence: 0 });
    expectFailure(payload, 'CONFLICT');
    expect(payload.details.currentSequence).toBe(1);
    expect(await written(sessionKey)).toBe(1);
  });

  it('an idempotency key gives the first result again, and no other request the second', async () => {
    const sessionKey = await registered();
    const entry = { sessionKey, contextType: 'message', content: 'once', idempotencyKey: 'one' };
    const first = await call(alice, 'updateContext', entry);
    const second = await call(alice, 'updateContext', entry);
    expect(second.contextEntry).toEqual(first.contextEntry);
    expect(second.replayed).toBe(true);
    expectFailure(await call(alice, 'updateContext', { ...entry, content: 'other' }), 'CONFLICT');
    expect(await written(sessionKey)).toBe(1);
  });

  it('handoffs of others, and answers that are not the caller’s to give', async () => {
    const sessionKey = await registered();
    const offer = { sessionKey, targetAgent: 'bob', requestType: 'full_handoff' };
    const { handoffId } = await call(alice, 'requestHandoff', offer);
    for (const tool of ['getHandoff', 'acceptHandoff', 'declineHandoff', 'cancelHandoff', 'commitHandoff'])
      expectFailure(await call(carol, tool, { handoffId }), 'HANDOFF_NOT_FOUND');
    expectFailure(await call(alice, 'acceptHandoff', { handoffId }), 'FORBIDDEN');
    expectFailure(await call(bob, 'commitHandoff', { handoffId }), 'FORBIDDEN');
    expectFailure(await call(alice, 'requestHandoff', { ...offer, targetAgent: 'carol' }), 'CONFLICT');
    expectFailure(await call(alice, 'getHandoff', { handoffId: 'nonsense' }), 'HANDOFF_NOT_FOUND');
    expect((await call(bob, 'getHandoff', { handoffId })).handoff.phase).toBe('offered');
  });

  it('scopes that the credential does not have', async () => {
    const reader = await connectHttp(server.url, 'reader-token', era);
    const payload = await call(reader, 'registerSession', { sessionKey: newKey(), agentFrom: 'reader' });
    expectFailure(payload, 'FORBIDDEN');
    expect(payload.details.requiredScope).toBe('handoff:write');
    expectFailure(await call(alice, 'getConfiguration'), 'FORBIDDEN');
    const handoffTools = (await reader.listTools()).tools
      .map(({ name }) => name)
      .filter((name) => !name.includes('_'));
    expect(handoffTools).toEqual([
      'resume',
      'readContext',
      'searchContext',
      'listSessions',
      'whoAmI',
      'listHandoffs',
      'getHandoff',
      'waitForHandoff',
    ]);
    await expect(read(alice, 'handoff://configuration')).rejects.toMatchObject({
      data: { errorCode: 'FORBIDDEN', requestId: expect.stringMatching(REQUEST_ID) },
    });
    await reader.close();
  });

  it('tools, prompts and resources that do not exist', async () => {
    await expect(alice.callTool({ name: 'noSuchTool', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(alice.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 });
    await expect(alice.getPrompt({ name: 'handoff', arguments: { x: '' } })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('to and note'),
    });
    for (const uri of [
      'handoff://nothing',
      'handoff://context/',
      'handoff://context/a/b',
      'handoff://context/%E0%A4%A',
      'handoff://agents/bob/inbox',
      'handoff://sessions?limit=3',
      'file:///etc/passwd',
    ])
      await expect(read(alice, uri), uri).rejects.toMatchObject({ code: -32602 });
    await expect(read(alice, `handoff://context/${await registered()}?cursor=zzz`)).rejects.toMatchObject({
      data: { errorCode: 'VALIDATION_ERROR' },
    });
  });
});
