/** handOff, closeSession and cancelHandoff as an assistant calls them. */
import { verifyReceipt } from '@handover/core';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySignature } from '../../packages/server/src/keys/ed25519.js';
import { codec } from '../kit/codec.js';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';
import { tokensOf } from './support/tool-names.js';

const server = await useMcpServer();
let claude: Client;
let codex: Client;
beforeAll(async () => {
  [claude, codex] = (await Promise.all(
    ['claude', 'codex'].map((name) => connectHttp(server.url, name, 'legacy')),
  )) as [Client, Client];
  // Both have been here.
  for (const client of [claude, codex]) await call(client, 'whoAmI');
});
afterAll(() => Promise.all([claude.close(), codex.close()]));

const said = {
  goal: 'The nightly import must finish before 06:00, measured on the replica three nights in a row.',
  next: [
    'Create the index on the replica first',
    'Then measure the import again with the data of last Sunday',
  ],
  tried: ['Raising the pool size: no effect, because the lock that everybody waits for is global.'],
};

it('assistants:H1 one call on an empty server, one by the receiver: ownership moved, receipt valid', async () => {
  const handed = await call(claude, 'handOff', { to: 'codex', ...said });
  expect(handed).toMatchObject({
    success: true,
    sessionKey: expect.stringMatching(/^work-\d{8}-[0-9a-z]{4}$/),
    status: 'pending',
    phase: 'offered',
    to: 'codex',
    sequenceNumber: 1,
    attachments: 0,
    instruction: 'codex has it when it accepts; you need not wait. cancelHandoff withdraws it.',
  });
  expect(handed).not.toHaveProperty('warnings');
  expect(Date.parse(handed.expiresAt) - Date.parse(handed.timestamp)).toBeGreaterThan(6 * 86_400_000);
  const { sessionKey, handoffId } = handed;
  expect(await call(codex, 'resume', { accept: true })).toMatchObject({
    ...{ kind: 'offer', yours: true, sessionKey, handoffId, from: 'claude', owner: 'codex' },
    phase: 'committed',
  });
  const { receipt } = await call(codex, 'getHandoff', { handoffId, include: ['receipt'] });
  expect(receipt).toMatchObject({ holder: 'codex', commit: 'on-accept', chosen: 'default' });
  const check = { codec, verify: verifySignature, known: [receipt.public_key] };
  expect(verifyReceipt(receipt, check)).toMatchObject({ ok: true, signer: 'known' });
  expect(verifyReceipt({ ...receipt, holder: 'claude' }, check)).toMatchObject({ ok: false });
  const write = { sessionKey, contextType: 'message', content: 'mine' };
  expect(await call(codex, 'updateContext', write)).toMatchObject({ success: true });
  expect(await call(claude, 'updateContext', write)).toMatchObject({ errorCode: 'FORBIDDEN' });
  // The work is codex's, so the next handoff of the same window is of a new session.
  expect((await call(claude, 'handOff', { ...said })).sessionKey).not.toBe(sessionKey);
});

it('assistants:H4 a name that was never here is warned of, the nearest known one first', async () => {
  // They know one another by now.
  const handed = await call(claude, 'handOff', { to: 'kodex', ...said, sessionKey: await registered('h4') });
  expect(handed).toMatchObject({
    success: true,
    warnings: [{ code: 'TARGET_UNKNOWN', target: 'kodex', known: expect.any(Array) }],
  });
  expect(handed.warnings[0].known[0]).toBe('codex');
  const request = {
    sessionKey: await registered('h4-2'),
    targetAgent: 'kodexx',
    requestType: 'collaboration',
  };
  expect(await call(claude, 'requestHandoff', request)).toMatchObject({
    success: true,
    warnings: [{ code: 'TARGET_UNKNOWN' }, { code: 'THIN', characters: 0 }, { code: 'NO_GOAL' }],
  });
  // It is still a name that nobody ever had.
  const again = {
    ...request,
    targetAgent: 'kodex',
    sessionKey: await registered('h4-3', said.goal.repeat(3)),
  };
  expect((await call(claude, 'requestHandoff', again)).warnings).toMatchObject([
    { code: 'TARGET_UNKNOWN', target: 'kodex' },
    { code: 'NO_GOAL' },
  ]);
});

async function registered(sessionKey: string, content?: string): Promise<string> {
  await call(claude, 'registerSession', { sessionKey, agentFrom: 'claude' });
  if (content !== undefined)
    await call(claude, 'updateContext', { sessionKey, contextType: 'message', content });
  return sessionKey;
}

describe('arguments', () => {
  it('null is absence, and one text is a list of one', async () => {
    const sessionKey = await registered('lenient');
    const nulls = {
      to: null,
      brief: null,
      attachments: null,
      requestType: null,
      policy: null,
      expiresIn: null,
    };
    expect(
      await call(claude, 'handOff', { sessionKey, goal: said.goal, next: 'Measure', ...nulls }),
    ).toMatchObject({ success: true, phase: 'parked' });
    const { entries } = await call(claude, 'readContext', { sessionKey });
    expect(entries).toMatchObject([{ content: `## Goal\n${said.goal}\n\n## Next\n- Measure`, metadata: {} }]);
  });

  it('assistants:1.3 a list that was written as JSON into a text is that list; other texts stay as they are', async () => {
    const sessionKey = await registered('as json');
    const decisions = ['[1, 2]', '["a", 3]', '[draft] "x"]'];
    await call(claude, 'handOff', {
      sessionKey,
      goal: '["a"]',
      next: ' ["Measure", "Ship it"]\n',
      decisions,
    });
    const { entries } = await call(claude, 'readContext', { sessionKey });
    expect(entries[0].content).toBe(
      `## Goal\n["a"]\n\n## Next\n- Measure\n- Ship it\n\n## Decisions\n${decisions.map((one) => `- ${one}`).join('\n')}`,
    );
    for (const one of ['[1, 2]', '[draft] notes]']) {
      await call(claude, 'handOff', { sessionKey, goal: 'g', next: one });
      expect((await call(claude, 'readContext', { sessionKey, last: 1 })).entries[0].content).toContain(
        `- ${one}`,
      );
    }
  });

  it('an entry that says nothing is stored and warned of; an unknown type is refused', async () => {
    const sessionKey = await registered('nothing said');
    const write = (more: object) =>
      call(claude, 'updateContext', { sessionKey, contextType: 'message', content: ' ', ...more });
    expect(await write({})).toMatchObject({ success: true, warnings: [{ code: 'EMPTY_ENTRY' }] });
    expect(await write({ metadata: { note: { goal: 'Ship it' } } })).not.toHaveProperty('warnings');
    expect(await write({ contextType: 'poem' })).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
    expect(await write({ contextType: '' })).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
  });

  it('all that is wrong is said at once', async () => {
    const wrong = await call(claude, 'handOff', {
      goal: '🙂'.repeat(4_001),
      next: Array.from({ length: 21 }, () => 'x'),
      files: ['y'.repeat(501)],
      brief: 'é'.repeat(40_000),
      expiresIn: 59,
      attachments: [{ name: '', content: 'x' }],
      more: 1,
    });
    expect(wrong).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
    const fields = wrong.details.issues.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual([
      'attachments.0.name',
      'brief',
      'expiresIn',
      'files.0',
      'goal',
      'more',
      'next',
    ]);
  });

  it('limits are counted in characters', async () => {
    const sessionKey = await registered('characters');
    expect(await call(claude, 'handOff', { sessionKey, goal: '🙂'.repeat(4_000) })).toMatchObject({
      success: true,
    });
  });

  it.each([
    ['nothing at all', {}, 'say at least goal, next or brief'],
    [
      'bad base64',
      { goal: 'x', attachments: [{ name: 'a', content: '%', encoding: 'base64' }] },
      'is not base64',
    ],
    ['autoCommit without a receiver', { goal: 'x', autoCommit: false }, 'receiver'],
  ])('%s is refused in words', async (_, args, words) => {
    const fresh = await connectHttp(server.url, 'fresh', 'legacy');
    const refused = await call(fresh, 'handOff', args);
    expect(refused).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
    expect(refused.error).toContain(words);
    await fresh.close();
  });
});

it('assistants:G1 no answer passes 1500 tokens, whatever was said', async () => {
  const long = 'ü'.repeat(255);
  const sessionKey = await registered(long);
  const handed = await call(claude, 'handOff', {
    sessionKey,
    to: 'ä'.repeat(100),
    decisions: Array.from({ length: 50 }, (_, i) => `${i}${'z'.repeat(3_900)}`),
    attachments: Array.from({ length: 20 }, (_, i) => ({
      name: `${i}`,
      content: `token: ghp_${'a1B2'.repeat(9)}`,
    })),
  });
  expect(handed.success).toBe(true);
  expect(tokensOf(handed)).toBeLessThanOrEqual(1_500);
  expect(handed.warnings.length).toBeGreaterThan(3);
});

it('what looks like a secret is stored, and warned of by field', async () => {
  const sessionKey = await registered('secret');
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const handed = await call(claude, 'handOff', { sessionKey, ...said, open: [`token ${secret}`] });
  expect(handed.warnings).toContainEqual(expect.objectContaining({ code: 'SECRET_LIKE', field: 'open' }));
  expect((await call(claude, 'readContext', { sessionKey })).entries[0].content).toContain(secret);
});

describe('assistants:K1 closeSession', () => {
  it('closes with a summary; writes are refused, reads go on; once more is the same', async () => {
    const sessionKey = await registered('closing', 'x');
    const closed = await call(claude, 'closeSession', {
      sessionKey,
      summary: 'Import takes 40 minutes now.',
    });
    expect(closed).toMatchObject({ success: true, status: 'completed', outcome: 'done', lastSequence: 2 });
    expect(closed).not.toHaveProperty('replayed');
    const write = { sessionKey, contextType: 'message', content: 'late' };
    expect(await call(claude, 'updateContext', write)).toMatchObject({
      errorCode: 'SESSION_EXPIRED',
      currentStatus: 'completed',
    });
    expect(
      await call(claude, 'closeSession', { sessionKey, outcome: 'abandoned', summary: 'no' }),
    ).toMatchObject({
      success: true,
      replayed: true,
      outcome: 'done',
      lastSequence: 2,
    });
    const { entries } = await call(claude, 'readContext', { sessionKey });
    expect(entries[1]).toMatchObject({ content: 'Import takes 40 minutes now.', metadata: { note: 'done' } });
    expect(await call(claude, 'handOff', { sessionKey, ...said })).toMatchObject({
      errorCode: 'SESSION_EXPIRED',
      currentStatus: 'completed',
    });
  });

  it('is refused while the work is offered, and to others', async () => {
    const sessionKey = await registered('offered', 'x');
    const { handoffId } = await call(claude, 'handOff', { sessionKey, to: 'codex', ...said });
    expect(await call(claude, 'closeSession', { sessionKey, summary: 's' })).toMatchObject({
      errorCode: 'CONFLICT',
      handoffId,
    });
    expect((await call(claude, 'readContext', { sessionKey })).lastSequence).toBe(2);
    expect(await call(codex, 'closeSession', { sessionKey })).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(await call(codex, 'closeSession', { sessionKey: 'no such' })).toMatchObject({
      errorCode: 'SESSION_NOT_FOUND',
    });
  });
});

describe('assistants:K2 cancelHandoff', () => {
  it('withdraws what was left for anyone; twice is once; nothing to withdraw is a conflict', async () => {
    const sessionKey = await registered('left', 'x');
    expect(await call(claude, 'cancelHandoff', { sessionKey })).toMatchObject({ errorCode: 'CONFLICT' });
    await call(claude, 'handOff', { sessionKey, ...said });
    expect((await listed(sessionKey)).parkedFor).toBe('*');
    const cancelled = await call(claude, 'cancelHandoff', { sessionKey, reason: 'I go on' });
    expect(cancelled).toMatchObject({ success: true, sessionKey, phase: 'cancelled', withdrawn: [] });
    expect(await listed(sessionKey)).not.toHaveProperty('parkedFor');
    expect(await call(claude, 'cancelHandoff', { sessionKey })).toMatchObject({
      success: true,
      replayed: true,
    });
  });

  it('by the session withdraws the offer and the instruction beside it', async () => {
    const sessionKey = await registered('both', 'x');
    const { handoffId } = await call(claude, 'handOff', { sessionKey, to: 'codex', ...said });
    expect(await call(codex, 'cancelHandoff', { sessionKey })).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(await call(claude, 'cancelHandoff', { sessionKey })).toMatchObject({ withdrawn: [handoffId] });
    expect(await call(codex, 'acceptHandoff', { handoffId })).toMatchObject({ errorCode: 'CONFLICT' });
    expect(await listed(sessionKey)).not.toHaveProperty('parkedFor');
  });

  it('by the offer withdraws the instruction, too', async () => {
    const sessionKey = await registered('by offer', 'x');
    const { handoffId } = await call(claude, 'handOff', { sessionKey, to: 'codex', ...said });
    expect(await call(claude, 'cancelHandoff', { handoffId })).toMatchObject({
      handoff: { phase: 'cancelled' },
    });
    expect(await listed(sessionKey)).not.toHaveProperty('parkedFor');
  });

  it.each([{}, { handoffId: 'a:b', sessionKey: 'c' }])('takes one of the two: %j', async (args) => {
    expect(await call(claude, 'cancelHandoff', args)).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
      details: { issues: [{ field: 'handoffId', message: 'give either handoffId or sessionKey' }] },
    });
  });

  const listed = async (sessionKey: string) =>
    (await call(claude, 'listSessions', { limit: 100 })).sessions.find(
      (row: { sessionKey: string }) => row.sessionKey === sessionKey,
    );
});
