/** The brief as assistants meet it: never empty, and whoever wrote a note that it cannot place is told. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp, read } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

let server: McpTestServer;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  server = await openMcpServer({ env: PEOPLE });
  alice = await connectHttp(server.url, 'alice-token');
  bob = await connectHttp(server.url, 'bob-token');
});
afterAll(async () => {
  await Promise.all([alice.close(), bob.close()]);
  await server.close(AbortSignal.timeout(1_000));
});

const write = (sessionKey: string, content: string, metadata: object = {}) =>
  call(alice, 'updateContext', { sessionKey, contextType: 'message', content, metadata });

describe('a brief', () => {
  it('carries what was said without any note, to the target before it answers', async () => {
    const sessionKey = 'talk';
    await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
    for (let number = 1; number <= 30; number++) await write(sessionKey, `Message ${number} of our talk.`);
    const offer = { sessionKey, targetAgent: 'bob', requestType: 'full_handoff' };
    const { handoffId } = await call(alice, 'requestHandoff', offer);
    const { package: handed } = await call(bob, 'getHandoff', { handoffId, include: ['package'] });
    expect(handed.brief).toMatchObject({ tokenBudget: 4_000, omitted: {} });
    expect(handed.brief.text).toContain('- [1] message: Message 1 of our talk.');
    expect(handed.brief.text).toContain('- [30] message: Message 30 of our talk.');
    expect(await read(alice, `handoff://summary/${sessionKey}`)).toMatchObject({
      summary: handed.brief.text,
      digest: handed.brief.digest,
    });
  });

  it('assistants:B4 warns of a kind of note that it does not know, and keeps the entry', async () => {
    const sessionKey = 'mood';
    await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
    const answer = await write(sessionKey, 'All is well.', { note: 'mood' });
    expect(answer).toMatchObject({
      success: true,
      warnings: [{ code: 'NOTE_KIND_UNKNOWN', entry: 1, given: 'mood', known: expect.any(Array) }],
    });
    expect(answer.warnings[0].message).toContain('goal, next, open');
    const { summary } = await read(alice, `handoff://summary/${sessionKey}`);
    expect(summary).toContain('- [1] message: All is well.');
    expect(await write(sessionKey, 'x', { note: 'Next Steps' })).not.toHaveProperty('warnings');
    const listed = await write(sessionKey, 'x', { note: ['tried', 'x'.repeat(9_000)] });
    expect(listed.warnings).toMatchObject([
      { code: 'NOTE_KIND_UNKNOWN', given: expect.stringMatching(/^\["tried","x+$/) },
    ]);
    const late = await write(sessionKey, 'y', { note: 'goal', supersedes: 9 });
    expect(late.warnings).toMatchObject([{ code: 'SUPERSEDES_UNKNOWN', given: '9' }]);
  });

  it('assistants:5.3 warns of what looks like a secret, without repeating it, and stores what was sent', async () => {
    const sessionKey = 'secret';
    await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
    const content = 'export DB_PASSWORD=hunter2hunter';
    const { warnings, contextEntry } = await write(sessionKey, content);
    expect(warnings).toEqual([
      { code: 'SECRET_LIKE', rule: 'assignment', field: 'content', message: expect.any(String) },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
    expect(contextEntry.contentLength).toBe(content.length);
    expect((await read(alice, `handoff://summary/${sessionKey}`)).summary).toContain(content);
  });
});
